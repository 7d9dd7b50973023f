/**
 * The one engine behind every cloud: a provider is a table of resource types, a signer and a reader of
 * errors, and this file turns the engine's calls into its requests. It keeps nothing: whatever must outlive
 * a call goes into the outcome (`id`, `handle`), which the runner stores. If the Worker dies between a
 * request and its outcome, the repeated create sends the same token, or looks for what the first try made
 * and takes only what is provably this step's own; updates and deletes are safe to send again. Where
 * neither a token nor a look-up exists, a repeated create is refused rather than risked.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type {
  CreateCall,
  DeleteCall,
  Outcome,
  PollCall,
  ProviderContext,
  ReadCall,
  TypeFacts,
  UpdateCall,
} from "./provider.ts";
import { createBody, outputsOf, updateBody, valueAt, withName } from "./rest-body.ts";
import type { RestProvider, RestProviderDefinition, Verified } from "./rest-definition.ts";
import { idOf, lookUp } from "./rest-look-up.ts";
import { ask, refusal, type Attempt, type Failed } from "./rest-request.ts";
import { factsOf, type RestType, type Scalar } from "./rest-type.ts";
import type { Answer } from "./transport.ts";

type Change = "create" | "update" | "delete";

const DEFAULT_STEP_TIMEOUT_MS = 30 * 60 * 1000;
const DEFAULT_POLL_MS = 2_000;
const LONGEST_POLL_MS = 30_000;
/** A new object may be created before every reader of the cloud can see it. */
const UNSEEN_GRACE_MS = 60_000;

/** What a pending outcome remembers: since when, and the provider's operation if it has one. */
interface Handle {
  sinceMs: number;
  operation?: Json;
}

function handleFrom(value: Json, nowMs: number): Handle {
  if (!isJsonMap(value) || typeof value["sinceMs"] !== "number") return { sinceMs: nowMs };
  const operation = value["operation"];
  return { sinceMs: value["sinceMs"], ...(operation !== undefined && { operation }) };
}

function oneOf(values: readonly Scalar[] | undefined, value: Json | undefined): boolean {
  return values !== undefined && values.some((one) => one === value);
}

function isGone(row: RestType, object: JsonMap): boolean {
  return row.gone !== undefined && oneOf(row.gone.values, valueAt(object, row.gone.path));
}

function notThere(status: number | undefined): boolean {
  return status === 404 || status === 410;
}

function itemPath(row: RestType): string {
  const [path = "", query] = row.path.split("?");
  return row.itemPath ?? `${path}/{id}${query === undefined ? "" : `?${query}`}`;
}

function pending(
  attempt: Attempt,
  handle: Handle,
  more: { id?: string; requestId?: string; afterMs?: number; note?: string },
): Outcome {
  const elapsedMs = attempt.context.now() - handle.sinceMs;
  const firstMs = attempt.row.pollMs ?? DEFAULT_POLL_MS;
  const afterMs = Math.max(firstMs, Math.min(LONGEST_POLL_MS, Math.round(elapsedMs / 5)));
  return {
    kind: "pending",
    ...more,
    afterMs: more.afterMs === undefined ? afterMs : Math.max(firstMs, more.afterMs),
    handle: { ...handle },
  };
}

/** What a created or updated object, as shown, means for the step. */
function settled(
  attempt: Attempt,
  object: JsonMap,
  id: string,
  handle: Handle,
  requestId: string | undefined,
): Outcome {
  const { definition, row, properties } = attempt;
  const of = requestId === undefined ? {} : { requestId };
  const outputs = outputsOf(row, object, id, properties);
  if (isGone(row, object)) return { kind: "gone", ...of };
  if (row.ready === undefined) return { kind: "done", id, outputs, ...of };
  const state = valueAt(object, row.ready.path);
  if (oneOf(row.ready.fail, state)) {
    const message = `${definition.name} reports ${row.ready.path} ${JSON.stringify(state)} for ${id}: the object exists and will not become usable.`;
    return refusal("resource_failed", message, { id, outputs, ...of });
  }
  if (oneOf(row.ready.values, state)) return { kind: "done", id, outputs, ...of };
  const note = state === undefined ? undefined : `${row.ready.path} is ${JSON.stringify(state)}`;
  return pending(attempt, handle, { id, ...of, ...(note !== undefined && { note }) });
}

type Shown = { ok: true; object: JsonMap; requestId?: string } | { ok: false; outcome: Outcome };

async function shown(attempt: Attempt, id: string): Promise<Shown> {
  const { definition, row } = attempt;
  const asked = await ask(attempt, { method: "GET", path: row.readPath ?? itemPath(row), id });
  if (!asked.ok)
    return { ok: false, outcome: notThere(asked.status) ? { kind: "gone" } : asked.failed };
  const { json, requestId } = asked.answer;
  const object = valueAt(json, row.envelope?.read);
  if (isJsonMap(object)) return { ok: true, object, ...(requestId !== undefined && { requestId }) };
  const message = `${definition.name} answered a read of ${id} with something that is not an object.`;
  return { ok: false, outcome: refusal("invalid_answer", message, { retryable: true }) };
}

/** Reads the object and judges it; `gone` when there is none. */
async function observe(attempt: Attempt, id: string, handle: Handle): Promise<Outcome> {
  const seen = await shown(attempt, id);
  return seen.ok ? settled(attempt, seen.object, id, handle, seen.requestId) : seen.outcome;
}

/**
 * As `observe`, for an object that was made: it may not be visible yet, and no failure to see it may lose
 * its id.
 */
async function observeMade(attempt: Attempt, id: string, handle: Handle): Promise<Outcome> {
  const outcome = stillPending(attempt, await observe(attempt, id, handle), handle, id);
  if (outcome.kind === "failed") return { ...outcome, id };
  if (outcome.kind !== "gone") return outcome;
  if (attempt.context.now() - handle.sinceMs < UNSEEN_GRACE_MS)
    return pending(attempt, handle, { id, note: "not visible yet" });
  const message = `${attempt.definition.name} accepted ${id} and does not have it any more: it was deleted by someone else, or failed.`;
  return refusal("vanished", message);
}

/** A look that failed for now changes nothing about what is being waited for: ask again. */
function stillPending(attempt: Attempt, outcome: Outcome, handle: Handle, id?: string): Outcome {
  if (outcome.kind !== "failed" || !outcome.retryable) return outcome;
  const { message, requestId, afterMs } = outcome;
  return pending(attempt, handle, {
    note: message,
    ...(id !== undefined && { id }),
    ...(requestId !== undefined && { requestId }),
    ...(afterMs !== undefined && { afterMs }),
  });
}

/** Turns the answer to a create or update into its outcome, reading the object where the answer does not show it. */
async function concluded(
  attempt: Attempt,
  verb: "create" | "update",
  answer: Answer,
  knownId?: string,
): Promise<Outcome> {
  const { definition, row, context } = attempt;
  const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
  const body = valueAt(answer.json, row.envelope?.[verb]);
  const object = isJsonMap(body) ? body : undefined;
  const id = knownId ?? (object && idOf(attempt, object));
  const handle: Handle = { sinceMs: context.now() };
  const operation = definition.poller?.started(answer, verb);
  if (operation !== undefined)
    return pending(attempt, { ...handle, operation }, { ...of, ...(id !== undefined && { id }) });
  if (id === undefined) {
    const message = `${definition.name} accepted the create and named no id, so the new object is not known.`;
    return refusal("invalid_answer", message, { unknownOutcome: true, ...of });
  }
  if (object !== undefined && row.readBack !== true)
    return settled(attempt, object, id, handle, answer.requestId);
  return verb === "create" ? observeMade(attempt, id, handle) : observe(attempt, id, handle);
}

/** The object that an earlier try of this step made, as this create's outcome; `undefined`: there is none. */
async function adopted(attempt: Attempt, call: CreateCall): Promise<Outcome | undefined> {
  const { definition, context } = attempt;
  const found = await lookUp(attempt, call);
  if (found.kind === "none") return undefined;
  if (found.kind === "failed") return { ...found.failed, unknownOutcome: true };
  if (found.kind === "unproved") {
    const message = `${definition.name} already has ${found.ids.slice(0, 5).join(", ")} under this name, and it cannot be proved that an earlier try of this step made it. Import it, delete it, or choose another name.`;
    return refusal("already_exists", message, { unknownOutcome: call.repeated });
  }
  const handle = { sinceMs: context.now() };
  const outcome = await observe(attempt, found.id, handle);
  return outcome.kind === "gone" ? undefined : stillPending(attempt, outcome, handle, found.id);
}

async function create(attempt: Attempt, call: CreateCall): Promise<Outcome> {
  const { definition, row, properties } = attempt;
  const repeatable = row.idempotency !== undefined || row.create === "PUT";
  if (call.repeated && !repeatable) {
    if (row.find === undefined) {
      const message = `An earlier try may have made ${call.name}, and ${definition.name} offers no way to tell. Look for it there; then import it or deploy again.`;
      return refusal("cannot_tell", message, { unknownOutcome: true });
    }
    const earlier = await adopted(attempt, call);
    if (earlier !== undefined) return earlier;
  }
  const token = row.idempotency;
  const asked = await ask(attempt, {
    method: row.create ?? "POST",
    path: row.createPath ?? row.path,
    body: createBody(row, properties, call.token),
    ...(token && "header" in token && { headers: { [token.header]: call.token } }),
    ...(token && "query" in token && { query: { [token.query]: call.token } }),
  });
  if (asked.ok) return concluded(attempt, "create", asked.answer);
  if (asked.status !== 409 || row.find === undefined) return asked.failed;
  const existing = await adopted(attempt, call);
  return existing ?? asked.failed;
}

async function read(attempt: Attempt, call: ReadCall): Promise<Outcome> {
  const { row } = attempt;
  const anyState: Attempt = { ...attempt, row: withoutReadiness(row) };
  return observe(anyState, call.id, { sinceMs: attempt.context.now() });
}

/** A read shows the object in whatever state it is. */
function withoutReadiness(row: RestType): RestType {
  const { ready: _, ...rest } = row;
  return rest;
}

async function update(attempt: Attempt, call: UpdateCall): Promise<Outcome> {
  const { definition, row, context, properties } = attempt;
  const handle: Handle = { sinceMs: context.now() };
  if (row.update === "none") {
    const message = `${call.type} cannot be updated at ${definition.name}: every change replaces it.`;
    return refusal("not_updatable", message);
  }
  let current: JsonMap = {};
  if (row.mergeCurrent === true) {
    const seen = await shown(attempt, call.id);
    if (!seen.ok) return seen.outcome;
    current = seen.object;
  }
  const before = withName(row, call.before, call.name);
  const body = updateBody(row, before, properties, current);
  if (body === undefined) return observe(attempt, call.id, handle);
  const asked = await ask(attempt, {
    method: row.update,
    path: row.updatePath ?? itemPath(row),
    id: call.id,
    body,
  });
  if (asked.ok) return concluded(attempt, "update", asked.answer, call.id);
  return notThere(asked.status) ? { kind: "gone" } : asked.failed;
}

async function remove(attempt: Attempt, call: DeleteCall): Promise<Outcome> {
  const { definition, row, context } = attempt;
  if (row.delete === "none") return { kind: "gone" };
  const path = row.deletePath ?? itemPath(row);
  const asked = await ask(attempt, { method: "DELETE", path, id: call.id });
  if (!asked.ok) return notThere(asked.status) ? { kind: "gone" } : asked.failed;
  const { answer } = asked;
  const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
  const operation = definition.poller?.started(answer, "delete");
  if (operation === undefined && row.asyncDelete !== true && answer.status !== 202)
    return { kind: "gone", ...of };
  const handle = { sinceMs: context.now(), ...(operation !== undefined && { operation }) };
  return pending(attempt, handle, { id: call.id, ...of });
}

/** Whether an object whose delete was accepted is still there; its readiness does not matter any more. */
async function observeDelete(attempt: Attempt, id: string, handle: Handle): Promise<Outcome> {
  const outcome = await observe({ ...attempt, row: withoutReadiness(attempt.row) }, id, handle);
  return outcome.kind === "done" ? pending(attempt, handle, { id, note: "still there" }) : outcome;
}

async function poll(attempt: Attempt, call: PollCall): Promise<Outcome> {
  const { definition, context } = attempt;
  const { sinceMs, operation } = handleFrom(call.handle, context.now());
  let id = call.id;
  if (operation !== undefined && definition.poller !== undefined) {
    const path = definition.poller.path(operation);
    const asked = await ask(attempt, { method: "GET", path, filled: true });
    // A cloud may forget an operation before it is asked about; the object itself still tells.
    const forgotten = !asked.ok && notThere(asked.status) && call.id !== undefined;
    if (!asked.ok && !forgotten) {
      const outcome = stillPending(attempt, asked.failed, { sinceMs, operation }, id);
      if (call.verb !== "create" || outcome.kind !== "failed" || id === undefined) return outcome;
      return { ...outcome, id };
    }
    if (asked.ok) {
      const { answer } = asked;
      const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
      const seen = definition.poller.read(answer);
      id = seen.id ?? id;
      const known = id === undefined ? {} : { id };
      if (seen.state === "running") {
        const wish = seen.afterMs ?? answer.afterMs;
        const handle = { sinceMs, operation };
        return pending(attempt, handle, {
          ...known,
          ...of,
          ...(wish !== undefined && { afterMs: wish }),
        });
      }
      if (seen.state === "failed")
        return refusal(seen.code, seen.message, { ...of, ...(call.verb === "create" && known) });
      if (call.verb === "delete") return { kind: "gone", ...of };
    }
  }
  if (id === undefined) {
    const message = `${definition.name} finished the ${call.verb} and named no id, so the object is not known.`;
    return refusal("invalid_answer", message, { unknownOutcome: true });
  }
  const handle = { sinceMs };
  const verb: Change = call.verb;
  if (verb === "create") return observeMade(attempt, id, handle);
  const outcome =
    verb === "update"
      ? await observe(attempt, id, handle)
      : await observeDelete(attempt, id, handle);
  return stillPending(attempt, outcome, handle, id);
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
    const message = `The target's ${part} is not what ${definition.name} needs. Correct: ${[...new Set(where)].join(", ")}.`;
    return refusal(`invalid_${part}`, message);
  }
  return undefined;
}

function notVerified({ code, message, retryable }: Failed): Verified {
  return { ok: false, code, message, retryable };
}

/** A provider made of a definition. Nothing is requested until a method is called. */
export function restProvider(definition: RestProviderDefinition): RestProvider {
  const prefix = `${definition.name}:`;
  const rowOf = (type: string): RestType | undefined => {
    const key = type.startsWith(prefix) ? type.slice(prefix.length) : "";
    return Object.hasOwn(definition.rows, key) ? definition.rows[key] : undefined;
  };
  const perform = async (
    context: ProviderContext,
    call: { type: string; properties: JsonMap; name?: string },
    act: (attempt: Attempt) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const row = rowOf(call.type);
    if (row === undefined)
      return refusal("unknown_type", `${definition.name} has no resource type "${call.type}".`);
    const problem = unusable(definition, context);
    if (problem !== undefined) return problem;
    const properties =
      call.name === undefined ? call.properties : withName(row, call.properties, call.name);
    return act({ definition, context, row, properties });
  };
  return {
    name: definition.name,
    credential: definition.credential,
    config: definition.config,
    concurrency: definition.concurrency,
    openTypes: false,
    facts: (type): TypeFacts | undefined => {
      const row = rowOf(type);
      return row && factsOf(row);
    },
    types: () => Object.keys(definition.rows).map((key) => prefix + key),
    create: (context, call) => perform(context, call, (attempt) => create(attempt, call)),
    read: (context, call) => perform(context, call, (attempt) => read(attempt, call)),
    update: (context, call) => perform(context, call, (attempt) => update(attempt, call)),
    delete: (context, call) => perform(context, call, (attempt) => remove(attempt, call)),
    poll: (context, call) => perform(context, call, (attempt) => poll(attempt, call)),
    timeoutMs: (type, verb) => rowOf(type)?.timeouts?.[verb] ?? DEFAULT_STEP_TIMEOUT_MS,
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
