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
import { remove } from "./changes/remove.ts";
import { createSingleton } from "./changes/singleton.ts";
import type { Answered, Failed, RestProviderDefinition } from "./definition.ts";
import { createByDialect, removeByDialect, updateByDialect } from "./dialect-changes.ts";
import { observe, withoutReadiness } from "./observe.ts";
import { poll } from "./poll.ts";
import { type Attempt, failure } from "./requests/attempt.ts";
import { verifyTarget } from "./requests/verify.ts";
import { repeatFactsOf, type RestType } from "./rest-type.ts";

const DEFAULT_STEP_TIMEOUT_MS = 30 * 60 * 1000;

async function read(attempt: Attempt, call: ReadCall): Promise<Outcome> {
  if (call.awaitReady === true)
    return observe(attempt, call.id, { sinceMs: attempt.context.now() });
  const anyState: Attempt = { ...attempt, row: withoutReadiness(attempt.row) };
  return observe(anyState, call.id);
}

/** The first problem of the credential or config, with field names but never values. */
function invalidInput(
  definition: RestProviderDefinition,
  context: ProviderContext,
): Failed | undefined {
  for (const part of ["credential", "config"] as const) {
    if (part === "credential" && context.identityToken !== undefined) continue;
    const checked = definition[part].safeParse(context[part]);
    if (checked.success) continue;
    const where = checked.error.issues.map((issue) => issue.path.join(".") || "(root)");
    const message = `The target's ${part} is not valid for ${definition.types.name}. Correct these fields: ${[...new Set(where)].join(", ")}.`;
    return failure(`invalid_${part}`, message);
  }
  return undefined;
}

function notVerified({ code, message, retryable }: Failed): Verified {
  return { ok: false, code, message, retryable };
}

/** Builds a provider from its definition. Makes no request until a method is called. */
export function restProvider(definition: RestProviderDefinition): Provider {
  const { types } = definition;
  const speaks = definition.dialect !== undefined;
  const rowAt = (context: ProviderContext, type: string): RestType | undefined => {
    const row = types.rowOf(type);
    return row && (definition.rowIn?.(row, context.config) ?? row);
  };
  const run = async (
    verb: Answered["verb"],
    context: ProviderContext,
    call: { type: string; properties: JsonMap; name?: string },
    act: (attempt: Attempt) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const row = rowAt(context, call.type);
    if (row === undefined)
      return failure(
        "unknown_type",
        `${definition.types.name} has no resource type "${call.type}".`,
      );
    const problem = invalidInput(definition, context);
    if (problem !== undefined) return problem;
    const { type, name } = call;
    const properties = name === undefined ? call.properties : withName(row, call.properties, name);
    const named = name === undefined ? {} : { name };
    return act({ definition, context, row, type, verb, ...named, properties });
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
    create: (context, call) =>
      run("create", context, call, (attempt) => {
        if (attempt.row.singleton !== undefined) return createSingleton(attempt, call);
        return speaks ? createByDialect(attempt, call) : create(attempt, call);
      }),
    lookUp: (context, call) =>
      run("list", context, call, (attempt) => lookUpCreated(attempt, call)),
    repeats: (context, type) => repeatFactsOf(rowAt(context, type)),
    read: (context, call) => run("read", context, call, (attempt) => read(attempt, call)),
    update: (context, call) =>
      run("update", context, call, (attempt) =>
        speaks ? updateByDialect(attempt, call) : update(attempt, call),
      ),
    delete: (context, call) =>
      run("delete", context, call, (attempt) =>
        speaks ? removeByDialect(attempt, call) : remove(attempt, call),
      ),
    poll: (context, call) => run("poll", context, call, (attempt) => poll(attempt, call)),
    timeoutMs: (type, verb) => types.rowOf(type)?.timeouts?.[verb] ?? DEFAULT_STEP_TIMEOUT_MS,
    verify: async (context): Promise<Verified> => {
      const problem = invalidInput(definition, context);
      if (problem !== undefined) return notVerified(problem);
      const row: RestType = { path: definition.verifyPath, update: "none" };
      return verifyTarget({ definition, context, row, verb: "verify", properties: {} });
    },
  };
}
