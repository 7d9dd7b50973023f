import type { Bindings } from "#kernel/bindings.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import { reach, type ReachableTarget } from "#orchestrator/program/reach-target.ts";
import type { Trace } from "#platform/trace.ts";
import type { Verified } from "#providers/provider.ts";
import { providerFor } from "#providers/registry.ts";

/**
 * Asks the provider whether the target's credential and config reach it: one GET, nothing is changed, and it may
 * be repeated. Undefined: this installation has no such provider.
 */
export async function verifyTarget(
  env: Bindings,
  target: ReachableTarget,
  trace?: Trace,
): Promise<Verified | undefined> {
  const provider = await providerFor(target.provider);
  if (provider === undefined) return undefined;
  try {
    return await provider.verify(reach({ env, now: Date.now }, { provider, target, trace }));
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const { code, message } = error;
    return { ok: false, code, message, retryable: false };
  }
}
