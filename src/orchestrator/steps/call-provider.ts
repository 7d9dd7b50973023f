/** Sends one call of a step to the provider. Writes nothing; `conclude` interprets the outcome. */
import { lastSeenInputs } from "#engine/plan/drift.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { reveal } from "#engine/value.ts";
import type { StepRecord, Verb } from "#orchestrator/storage/journal.ts";
import type { JsonMap } from "#platform/json.ts";
import { describeError, log } from "#platform/log.ts";
import type { Outcome, Provider, ProviderContext, UpdateCall } from "#providers/provider.ts";
import type { DueCall } from "./decide-step.ts";
import { startOfUpdate, withIgnored } from "./update-inputs.ts";

export interface ProviderCallParts {
  provider: Provider;
  context: ProviderContext;
  /** A number in [0, 1), to spread retries. */
  random: () => number;
}

/**
 * Sends what is due by the record: the first call of an intent, its repetition, or the next poll. `look`: looks for the
 * object of a create instead, which is none of the `known` ids.
 */
export async function callProvider(
  { provider, context }: ProviderCallParts,
  decision: DueCall,
  record: StepRecord,
  look?: { known: readonly string[] },
): Promise<Outcome> {
  const { intent, pending } = record;
  if (intent === undefined) throw new Error("A call without a journaled intent");
  const properties = reveal(decision.inputs) as JsonMap;
  const { type, stored, id = "" } = decision;
  const objectName = stored === undefined ? {} : { name: stored.objectName };
  const seen = lastSeen(decision);
  const read = { type, id, ...objectName, properties, ...seen };
  try {
    if (isLook(intent.verb, record)) return await provider.read(context, read);
    // The update has ended at the provider, but its effect may begin late.
    if (record.unshownSinceMs !== undefined)
      return await provider.read(context, { ...read, awaitReady: true });
    if (pending !== undefined)
      return await provider.poll(context, {
        type,
        // Only a read that waits until an object is usable is ever pending, as an update is.
        verb: pending.verb === "read" ? "update" : pending.verb,
        name: intent.objectName,
        properties,
        handle: pending.handle,
        token: intent.token,
        ...(pending.id === undefined ? {} : { id: pending.id }),
        ...(intent.verb === "create" ? {} : seen),
        ...(intent.verb === "update" ? { update: updatedFrom(decision, provider) } : {}),
      });
    switch (intent.verb) {
      case "create": {
        const call = { type, name: intent.objectName, properties, token: intent.token };
        return look === undefined
          ? await provider.create(context, call)
          : await provider.lookUp(context, { ...call, known: look.known, ...sentTime(record) });
      }
      case "update": {
        const ignoresAny = (decision.declaration?.options.ignoreChanges ?? []).length > 0;
        const now = ignoresAny ? await provider.read(context, read) : undefined;
        if (now !== undefined && now.kind !== "done") return now;
        const shown = now?.outputs;
        return await provider.update(context, {
          type,
          name: intent.objectName,
          properties: reveal(withIgnored(decision.inputs, decision, shown, provider)) as JsonMap,
          id,
          ...updatedFrom(decision, provider, shown),
          token: intent.token,
          ...seen,
        });
      }
      case "delete":
        return await provider.delete(context, {
          type,
          id,
          ...objectName,
          properties,
          token: intent.token,
          ...seen,
        });
      case "read":
        return await provider.read(context, {
          ...read,
          ...(decision.settles === true ? { awaitReady: true } : {}),
        });
    }
  } catch (error) {
    if (error instanceof ResolveError) throw error;
    log("error", "A provider threw", { type, error: describeError(error) });
    return {
      kind: "failed",
      code: "internal",
      message: "the service could not make the call",
      retryable: true,
      unknownOutcome: true,
    };
  }
}

/** Whether the next call only looks whether the object of an update, which an answer said is gone, is there. */
export function isLook(verb: Verb, { emptyLooks }: StepRecord): boolean {
  return verb === "update" && emptyLooks > 0;
}

/** What the object showed last: an object that is asked for may be elsewhere than its properties say by now. */
function lastSeen({ stored }: DueCall): { seen?: JsonMap } {
  if (stored === undefined) return {};
  return { seen: reveal({ ...stored.outputs, ...lastSeenInputs(stored) }) as JsonMap };
}

/** What an update starts from. `shown`: the object as it is now, if it was read for what the template ignores. */
function updatedFrom(
  decision: DueCall,
  provider: Provider,
  shown?: JsonMap,
): Pick<UpdateCall, "before" | "unsure"> {
  const { stored } = decision;
  if (stored === undefined) return { before: {}, unsure: true };
  const start = startOfUpdate(decision, stored, provider);
  const before = reveal(withIgnored(start, decision, shown, provider)) as JsonMap;
  return stored.unsure ? { before, unsure: true } : { before };
}

/** When the create was first sent. It is not known of one that an earlier version of the service lost. */
function sentTime({ sent }: StepRecord): { sentMs?: number } {
  return sent === undefined || sent.firstMs === 0 ? {} : { sentMs: sent.firstMs };
}
