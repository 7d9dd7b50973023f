import type { Bindings } from "#kernel/bindings.ts";
import { CredentialUnreachable } from "#orchestrator/program/credential-unreachable.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import { providerContext, type ReachableTarget } from "#orchestrator/program/provider-context.ts";
import type { Trace } from "#platform/trace.ts";
import type { Verified } from "#providers/provider.ts";
import { providerFor } from "#providers/registry.ts";

/**
 * Verifies that the target's credential and config work at its provider. Sends one GET and changes nothing; safe to
 * repeat. Undefined: this installation has no such provider.
 */
export async function verifyTarget(
  env: Bindings,
  target: ReachableTarget,
  trace?: Trace,
): Promise<Verified | undefined> {
  const provider = providerFor(target.provider);
  if (provider === undefined) return undefined;
  try {
    const context = await providerContext({ env, now: Date.now }, { provider, target, trace });
    return await provider.verify(context);
  } catch (error) {
    if (error instanceof CredentialUnreachable)
      return {
        ok: false,
        code: "credential_unreachable",
        message: error.message,
        retryable: true,
      };
    if (!(error instanceof ProgramError)) throw error;
    const { code, message } = error;
    return { ok: false, code, message, retryable: false };
  }
}
