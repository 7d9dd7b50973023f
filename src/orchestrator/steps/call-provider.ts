/** Sends one call of a step to the provider. It writes nothing: `conclude` interprets the outcome. */
import { lastSeenInputs } from "#engine/plan/drift.ts";
import { knownObject, type StoredResource } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { reveal } from "#engine/value.ts";
import type { OpenCall } from "#orchestrator/storage/journal.ts";
import type { JsonMap } from "#platform/json.ts";
import { describeError, log } from "#platform/log.ts";
import type { Outcome, Provider, ProviderContext, UpdateCall } from "#providers/provider.ts";
import { type DueCall, idOf, storedOf, type Update } from "./decide-step.ts";
import { startOfUpdate, withIgnored } from "./update-inputs.ts";

export interface ProviderCallParts {
  provider: Provider;
  context: ProviderContext;
  /** A number in [0, 1), to spread retries. */
  random: () => number;
}

/**
 * Sends the next request of an open call: its first attempt, a repetition or a poll. `look`: looks for the object of a
 * create instead, except the objects with `known` ids.
 */
export async function callProvider(
  { provider, context }: ProviderCallParts,
  due: DueCall,
  call: OpenCall,
  look?: { known: readonly string[] },
): Promise<Outcome> {
  const { type } = due;
  const properties = reveal(due.inputs) as JsonMap;
  const stored = storedOf(due);
  const seen = lastSeen(stored);
  const about = { type, id: idOf(due) ?? "", properties, ...seen };
  const named = stored === undefined ? about : { ...about, name: stored.objectName };
  const { token } = call;
  try {
    if (isLook(call)) return await provider.read(context, named);
    // The update has ended at the provider, but its effect may begin late.
    if (call.unshownSinceMs !== undefined)
      return await provider.read(context, { ...named, awaitReady: true });
    if (call.pending !== undefined)
      return await provider.poll(context, {
        type,
        // The only read that can be pending waits until an object is usable. It is polled as an update.
        verb: call.verb === "read" ? "update" : call.verb,
        name: call.objectName,
        properties,
        token,
        ...call.pending,
        ...(call.verb === "create" ? {} : seen),
        ...(due.does === "update" ? { update: updatedFrom(due, provider) } : {}),
      });
    switch (due.does) {
      case "create":
      case "find": {
        const create = { type, name: call.objectName, properties, token };
        return look === undefined
          ? await provider.create(context, create)
          : await provider.lookUp(context, {
              ...create,
              known: look.known,
              sentMs: call.sent.firstMs,
            });
      }
      case "update": {
        const ignoresAny = due.declaration.options.ignoreChanges.length > 0;
        const now = ignoresAny ? await provider.read(context, named) : undefined;
        if (now !== undefined && now.kind !== "done") return now;
        const shown = now?.outputs;
        return await provider.update(context, {
          ...about,
          name: call.objectName,
          properties: reveal(withIgnored(due.inputs, due, shown, provider)) as JsonMap,
          ...updatedFrom(due, provider, shown),
          token,
        });
      }
      case "delete":
        return await provider.delete(context, { ...named, token });
      case "await":
        return await provider.read(context, { ...named, awaitReady: true });
      case "confirm":
      case "import":
      case "check":
        return await provider.read(context, named);
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

/** Whether the next request only looks for the object of an update, after an answer that said it is gone. */
export function isLook({ verb, emptyLooks }: OpenCall): boolean {
  return verb === "update" && emptyLooks > 0;
}

/** The object as last shown. Its present place may differ from its properties. */
function lastSeen(stored: StoredResource | undefined): { seen?: JsonMap } {
  if (stored === undefined) return {};
  const { outputs = {} } = knownObject(stored) ?? {};
  return { seen: reveal({ ...outputs, ...lastSeenInputs(stored) }) as JsonMap };
}

/** The start of an update. `shown`: the present object, if it was read for its ignored properties. */
function updatedFrom(
  due: Update,
  provider: Provider,
  shown?: JsonMap,
): Pick<UpdateCall, "before" | "unsure"> {
  const start = startOfUpdate(due, provider);
  const before = reveal(withIgnored(start, due, shown, provider)) as JsonMap;
  return due.stored.state === "unsure" ? { before, unsure: true } : { before };
}
