/**
 * The shared implementation of all REST providers: a provider is a table of resource types, a signer and an error
 * reader, and this file translates the engine's calls into requests. It keeps no state: whatever must outlive a call is
 * part of the outcome (`id`, `handle`), which the runner stores. If the Worker crashes between a request and its
 * outcome, the runner repeats the create as `repeats` allows: with its token, or after look-ups, which adopt only what
 * is provably this step's. Updates and deletes are safe to repeat.
 */
import type { JsonMap } from "#platform/json.ts";
import type {
  Outcome,
  Provider,
  ProviderContext,
  ReadCall,
  Verified,
} from "#providers/provider.ts";
import { withName } from "./changes/body.ts";
import { update } from "./changes/change.ts";
import { create, lookUpCreated } from "./changes/create.ts";
import { withEarlyParts, withLateParts } from "./changes/late-parts.ts";
import { withoutLeftovers } from "./changes/leftovers.ts";
import { remove } from "./changes/remove.ts";
import { createSingleton } from "./changes/singleton.ts";
import type { Answered, Failed, RestProviderDefinition } from "./definition.ts";
import { createByDialect, removeByDialect, updateByDialect } from "./dialect-changes.ts";
import { observe, withoutReadiness } from "./observe.ts";
import { knownPlacedId, located, ownIds, placedOutcome } from "./placed-id.ts";
import { poll } from "./poll.ts";
import { otherId, unlisted } from "./read-object.ts";
import { accountOf } from "./requests/account.ts";
import { type Attempt, failure, knownIdOf, unsent } from "./requests/attempt.ts";
import { regionMistake, unknownRegion } from "./requests/known-region.ts";
import { usableId } from "./requests/usable-id.ts";
import { invalidInput } from "./requests/valid-input.ts";
import { accountNeeds, verifyTarget } from "./requests/verify.ts";
import { repeatFactsOf } from "./rest-facts.ts";
import type { RestType } from "./rest-type.ts";

const DEFAULT_STEP_MINUTES = 30;

/** The members that all calls have. */
interface Called {
  type: string;
  properties: JsonMap;
  name?: string;
  id?: string;
  seen?: JsonMap;
  before?: JsonMap;
}

async function read(attempt: Attempt, call: ReadCall): Promise<Outcome> {
  const known = knownIdOf(attempt);
  if (known !== undefined && known !== call.id) return otherId(attempt, call.id, known);
  if (call.awaitReady === true)
    return observe(attempt, call.id, { sinceMs: attempt.context.now() });
  const anyState: Attempt = { ...attempt, row: withoutReadiness(attempt.row) };
  const outcome = await observe(anyState, call.id);
  if (outcome.kind !== "done" || call.name !== undefined) return outcome;
  return (await unlisted(anyState, call.id)) ?? outcome;
}

function notVerified({ code, message, retryable }: Failed): Verified {
  return { ok: false, code, message, retryable };
}

/** The outcome without an unusable id. The effect of the change is then unknown. */
function withUsableId(attempt: Attempt, outcome: Outcome): Outcome {
  if (outcome.kind === "gone" || outcome.id === undefined) return outcome;
  if (usableId(outcome.id) !== undefined) return outcome;
  const { id: _, ...rest } = outcome;
  if (rest.kind === "pending") return rest;
  const unknownOutcome = attempt.verb !== "read";
  if (rest.kind === "failed") return { ...rest, unknownOutcome };
  const message = `${attempt.definition.types.name} answered with an id that cannot be used: it is too long or has characters that no id has.`;
  return failure("invalid_answer", message, { unknownOutcome });
}

/** Builds a provider from its definition. Makes no request until a method is called. */
export function restProvider(definition: RestProviderDefinition): Provider {
  const { types } = definition;
  const speaks = definition.dialect !== undefined;
  const rowAt = (
    context: ProviderContext,
    type: string,
    properties: JsonMap = {},
  ): RestType | undefined => {
    const row = types.rowOf(type);
    return row && (definition.rowIn?.(row, context.config, properties) ?? row);
  };
  const attemptOf = (
    verb: Answered["verb"],
    context: ProviderContext,
    { type, name, properties: given, seen, before }: Called,
  ): Attempt | undefined => {
    const row = rowAt(context, type, given);
    if (row === undefined) return undefined;
    const properties = name === undefined ? given : withName(row, given, name);
    const named = name === undefined ? {} : { name };
    const earlier = [seen, before].filter((one) => one !== undefined);
    return { definition, context, row, type, verb, ...named, properties, earlier };
  };
  /** Calls `act` with the object's own id in place of the engine's. */
  const run = async <C extends Called>(
    verb: Answered["verb"],
    context: ProviderContext,
    call: C,
    act: (attempt: Attempt, call: C) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const attempt = attemptOf(verb, context, call);
    if (attempt === undefined)
      return failure(
        "unknown_type",
        `${definition.types.name} has no resource type "${call.type}".`,
      );
    const problem =
      invalidInput(definition, context) ??
      (verb === "create" || verb === "update"
        ? regionMistake(definition, attempt.row, attempt.properties, call.before)
        : undefined);
    if (problem !== undefined) return unsent(verb, problem);
    if (call.id === undefined)
      return placedOutcome(attempt, withUsableId(attempt, await act(attempt, call)));
    const at = located(attempt, call.id);
    if (!at.ok) return at.failed;
    const outcome = await act(at.attempt, { ...call, id: at.id });
    return placedOutcome(at.attempt, withUsableId(at.attempt, outcome));
  };
  return {
    name: types.name,
    openTypes: types.openTypes,
    types: () => types.types(),
    facts: (type) => types.facts(type),
    credential: definition.credential,
    config: definition.config,
    concurrency: definition.concurrency,
    ...(definition.connect === undefined ? {} : { connect: definition.connect }),
    ...(definition.federation === undefined ? {} : { federation: definition.federation }),
    ...(definition.hosts === undefined ? {} : { hosts: Object.keys(definition.hosts) }),
    ...(definition.account === undefined
      ? {}
      : {
          account: async (context) =>
            invalidInput(definition, context) ?? accountOf(definition, context),
        }),
    knownId: (context, call) => {
      const attempt = attemptOf("create", context, call);
      return attempt && knownPlacedId(attempt);
    },
    create: (context, given) =>
      run("create", context, given, async (attempt, call) => {
        if (attempt.row.singleton !== undefined) return createSingleton(attempt, call);
        if (speaks) return createByDialect(attempt, call);
        return withLateParts(attempt, await create(attempt, call), call.token);
      }),
    lookUp: (context, given) =>
      run("list", context, given, async (attempt, call) => {
        const found = await lookUpCreated(attempt, { ...call, known: ownIds(attempt, call.known) });
        return withLateParts(attempt, found, call.token);
      }),
    repeats: (context, type) => repeatFactsOf(rowAt(context, type)),
    read: (context, given) => run("read", context, given, read),
    update: (context, given) =>
      run("update", context, given, (attempt, call) =>
        speaks ? updateByDialect(attempt, call) : update(attempt, call),
      ),
    delete: (context, given) =>
      run("delete", context, given, (attempt, call) =>
        speaks
          ? removeByDialect(attempt, call)
          : withoutLeftovers(attempt, call, () =>
              withEarlyParts(attempt, call, () => remove(attempt, call)),
            ),
      ),
    poll: (context, given) =>
      run("poll", context, given, async (attempt, call) => {
        const outcome = await poll(attempt, call);
        return call.verb === "create" ? withLateParts(attempt, outcome, call.token) : outcome;
      }),
    timeoutMs: (type, verb) =>
      (types.rowOf(type)?.timing?.[`${verb}Minutes`] ?? DEFAULT_STEP_MINUTES) * 60_000,
    verify: async (context): Promise<Verified> => {
      const problem =
        invalidInput(definition, context) ?? unknownRegion(definition, context.region);
      if (problem !== undefined) return notVerified(problem);
      const row: RestType = { path: definition.verifyPath, update: "none" };
      return verifyTarget({ definition, context, row, verb: "verify", properties: {} });
    },
    needs: (context, wanted) => {
      const row: RestType = { path: definition.verifyPath, update: "none" };
      return accountNeeds({ definition, context, row, verb: "verify", properties: {} }, wanted);
    },
  };
}
