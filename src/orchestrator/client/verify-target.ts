import type { Bindings } from "#kernel/bindings.ts";
import { type CallPermit, RunCalls } from "#orchestrator/gate/run-calls.ts";
import type { TargetGate } from "#orchestrator/gate/target-gate.ts";
import { CredentialUnreachable } from "#orchestrator/program/credential-unreachable.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import { providerContext, type ReachableTarget } from "#orchestrator/program/provider-context.ts";
import { askTwice } from "#platform/ask-twice.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import type { Trace } from "#platform/trace.ts";
import type { AccountNeeds, Provider, ProviderContext, Verified } from "#providers/provider.ts";
import { providerFor } from "#providers/registry.ts";
import { parseTypeName } from "#providers/type-name.ts";
import { withTrustHint } from "./trust-hint.ts";

/** The target's runs use all calls that its cloud accepts, so nothing was sent. */
export interface NoCallsLeft {
  kind: "no_calls_left";
  afterMs: number;
}

/** `needs`: what the account lacks for the types that were asked about. Absent: it was not looked at. */
export type Checked = Exclude<Verified, { ok: true }> | { ok: true; needs?: AccountNeeds };

/** The longest wait of a check for its share of the target's calls, since its caller waits too. */
const MAX_WAIT_MS = 5_000;

/**
 * Verifies that the target's credential and config work at its provider. Sends a few GETs within the target's share of
 * calls and changes nothing; safe to repeat. `checkId`: unique for each check. `types`: those of a template, each with the
 * number of objects that it surely makes, to look at what the account lacks for them. Undefined: this installation
 * lacks the provider.
 */
export async function verifyTarget(
  env: Bindings,
  target: ReachableTarget,
  {
    checkId,
    trace,
    types = new Map(),
  }: { checkId: string; trace?: Trace | undefined; types?: ReadonlyMap<string, number> },
): Promise<Checked | NoCallsLeft | undefined> {
  const provider = providerFor(target.provider);
  if (provider === undefined) return undefined;
  try {
    const context = await providerContext(
      { env, now: Date.now, newId },
      { provider, target, trace, calledFor: { id: checkId, operation: "verify" } },
    );
    const own = [...types].flatMap(([type, count]) =>
      vendorType(type, target.provider).map((name): [string, number] => [name, count]),
    );
    const checked = await verifyWithShare(env, { checkId, provider, context, types: new Map(own) });
    if ("kind" in checked || checked.ok) return checked;
    return withTrustHint(checked, { env, provider, target });
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

/** The vendor's name of a provider's type, without a version; none for another provider's. */
function vendorType(type: string, provider: string): string[] {
  const parsed = parseTypeName(type);
  return parsed?.provider === provider ? [parsed.name] : [];
}

interface Check {
  checkId: string;
  provider: Provider;
  context: ProviderContext;
  types: ReadonlyMap<string, number>;
}

async function verifyWithShare(env: Bindings, check: Check): Promise<Checked | NoCallsLeft> {
  const { provider, context, types } = check;
  const calls = new RunCalls(Date.now);
  try {
    const permit = await permitFor(env, check, calls);
    if ("kind" in permit) return permit;
    try {
      const within = permit.context(context);
      const verified = await provider.verify(within);
      if (!verified.ok && verified.means === "throttled") calls.throttled(verified.afterMs);
      if (!verified.ok || types.size === 0) return verified;
      const needs = await provider.needs?.(within, types);
      if (needs?.throttledMs !== undefined) calls.throttled(needs.throttledMs ?? undefined);
      return needs === undefined ? verified : { ok: true, needs };
    } finally {
      permit.end();
    }
  } finally {
    await endCalls(env, check, calls);
  }
}

/** Waits for the share as long as the caller can wait. */
async function permitFor(
  env: Bindings,
  check: Check,
  calls: RunCalls,
): Promise<CallPermit | NoCallsLeft> {
  const untilMs = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const waitMs = await askForShare(env, check, calls);
    const permit = calls.begin();
    if (permit !== undefined) return permit;
    if (Date.now() + waitMs > untilMs) return { kind: "no_calls_left", afterMs: waitMs };
    await scheduler.wait(waitMs);
  }
}

/** Returns the time to wait if there is no share. */
async function askForShare(
  env: Bindings,
  { checkId, provider, context }: Check,
  calls: RunCalls,
): Promise<number> {
  const caller = { deploymentId: checkId, instanceId: "" };
  const askedMs = Date.now();
  // The check calls once or a few times, one after the other.
  const request = { ...calls.request(provider.concurrency), places: 1 };
  const share = await askGate(env, context, (gate) => gate.shareCalls(caller, request));
  calls.accept(share, askedMs);
  return share.wait?.forMs ?? 0;
}

/** Never throws: the share lapses in any case. */
async function endCalls(env: Bindings, check: Check, calls: RunCalls): Promise<void> {
  const { checkId, context } = check;
  try {
    // A throttled call holds back the target's runs too.
    if (calls.isThrottled) await askForShare(env, check, calls);
    const used = calls.giveUp();
    await askGate(env, context, (gate) => gate.endCalls(checkId, used));
  } catch (error) {
    log("warn", "The calls of a target's check could not be given back; they lapse", {
      targetId: context.targetId,
      error: describeError(error),
    });
  }
}

function askGate<T>(
  env: Bindings,
  { targetId }: ProviderContext,
  ask: (gate: DurableObjectStub<TargetGate>) => Promise<T>,
): Promise<T> {
  return askTwice(() => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)), ask);
}
