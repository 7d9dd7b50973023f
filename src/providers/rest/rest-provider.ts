/**
 * The one engine behind every cloud: a provider is a table of resource types, a signer and a reader of
 * errors, and this file turns the engine's calls into its requests. It keeps nothing: whatever must outlive
 * a call goes into the outcome (`id`, `handle`), which the runner stores. If the Worker dies between a
 * request and its outcome, the repeated create sends the same token, or looks for what the first try made
 * and takes only what is provably this step's own; updates and deletes are safe to send again. Where
 * neither a token nor a look-up exists, a repeated create is refused rather than risked.
 */
import type { JsonMap } from "#platform/json.ts";
import type {
  Outcome,
  Provider,
  ProviderContext,
  ReadCall,
  Verified,
} from "#providers/provider.ts";
import { withName } from "./body.ts";
import { remove, update } from "./change.ts";
import { create } from "./create.ts";
import type { RestProviderDefinition } from "./definition.ts";
import { observe, withoutReadiness } from "./observe.ts";
import { poll } from "./poll.ts";
import { type Attempt, ask, type Failed, refusal } from "./request.ts";
import type { RestType } from "./rest-type.ts";

const DEFAULT_STEP_TIMEOUT_MS = 30 * 60 * 1000;

async function read(attempt: Attempt, call: ReadCall): Promise<Outcome> {
  const { row } = attempt;
  const anyState: Attempt = { ...attempt, row: withoutReadiness(row) };
  return observe(anyState, call.id, { sinceMs: attempt.context.now() });
}

/** The first thing wrong with the credential or the config: names of fields, never their values. */
function unusable(
  definition: RestProviderDefinition,
  context: ProviderContext,
): Failed | undefined {
  for (const part of ["credential", "config"] as const) {
    const checked = definition[part].safeParse(context[part]);
    if (checked.success) continue;
    const where = checked.error.issues.map((issue) => issue.path.join(".") || "(the whole)");
    const message = `The target's ${part} is not what ${definition.types.name} needs. Correct: ${[...new Set(where)].join(", ")}.`;
    return refusal(`invalid_${part}`, message);
  }
  return undefined;
}

function notVerified({ code, message, retryable }: Failed): Verified {
  return { ok: false, code, message, retryable };
}

/** A provider made of a definition. Nothing is requested until a method is called. */
export function restProvider(definition: RestProviderDefinition): Provider {
  const { types } = definition;
  const perform = async (
    context: ProviderContext,
    call: { type: string; properties: JsonMap; name?: string },
    act: (attempt: Attempt) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const row = types.rowOf(call.type);
    if (row === undefined)
      return refusal(
        "unknown_type",
        `${definition.types.name} has no resource type "${call.type}".`,
      );
    const problem = unusable(definition, context);
    if (problem !== undefined) return problem;
    const properties =
      call.name === undefined ? call.properties : withName(row, call.properties, call.name);
    return act({ definition, context, row, properties });
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
    create: (context, call) => perform(context, call, (attempt) => create(attempt, call)),
    read: (context, call) => perform(context, call, (attempt) => read(attempt, call)),
    update: (context, call) => perform(context, call, (attempt) => update(attempt, call)),
    delete: (context, call) => perform(context, call, (attempt) => remove(attempt, call)),
    poll: (context, call) => perform(context, call, (attempt) => poll(attempt, call)),
    timeoutMs: (type, verb) => types.rowOf(type)?.timeouts?.[verb] ?? DEFAULT_STEP_TIMEOUT_MS,
    verify: async (context): Promise<Verified> => {
      const problem = unusable(definition, context);
      if (problem !== undefined) return notVerified(problem);
      const row: RestType = { path: definition.verifyPath, update: "none" };
      const attempt = { definition, context, row, properties: {} };
      const asked = await ask(attempt, { method: "GET", path: definition.verifyPath });
      if (asked.ok) return { ok: true };
      return notVerified(asked.failed);
    },
  };
}
