/**
 * A mock cloud in a Durable Object, one per mock target: a stateful HTTP API like a vendor's, for demos, sandboxes and
 * tests of the production path. Guarantee: a change, its ledger entry, its idempotency answer and the fault it used are
 * written atomically before the answer is sent; if the object crashes, all or none of it happened. The target's config,
 * sent with each request, scripts latency, slow readiness and faults. Only the Worker can reach it, but it validates
 * every request.
 */
import { DurableObject } from "cloudflare:workers";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { readAtMost } from "#providers/transport.ts";
import { CloudStore, type CloudObject } from "./cloud-store.ts";
import {
  MOCK_CONFIG_HEADER,
  MockConfig,
  mockKinds,
  type MockFault,
  type MockKind,
  DROPPED_HEADER,
} from "./config.ts";
import { type MockOperations, OperationStore } from "./operations.ts";
import {
  connectionOf,
  patchedService,
  resizedService,
  type ServicePart,
  serviceParts,
  shownService,
} from "./service-kind.ts";
import { type MockSessions, SessionStore } from "./sessions.ts";

const MAX_BODY_BYTES = 256 * 1024;
const MAX_NESTING = 64;
const MAX_NAME_LENGTH = 255;
const MAX_KEY_LENGTH = 255;
const kindFacts: Readonly<Record<MockKind, { prefix: string; immutable: readonly string[] }>> = {
  networks: { prefix: "net", immutable: ["cidr"] },
  servers: { prefix: "srv", immutable: ["image"] },
  databases: { prefix: "db", immutable: ["engine"] },
  buckets: { prefix: "bkt", immutable: [] },
  records: { prefix: "rec", immutable: [] },
  services: { prefix: "svc", immutable: ["settings.tier"] },
};

/** A rejected request. */
class RejectedError extends Error {
  override readonly name = "RejectedError";
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface Call {
  method: string;
  kind: MockKind;
  id: string | undefined;
  /** A call of its own below a service. */
  part: ServicePart | undefined;
  /** The name that a list is asked for. */
  search: string | null;
  config: MockConfig;
  /** The body of a POST or PATCH. */
  body: JsonMap;
  /** SHA-256 of kind and body in hex, bound to the idempotency key. */
  fingerprint: string;
  key: string | null;
}

function nestedWithin(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((item) => nestedWithin(item, levels - 1));
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function configOf(request: Request): MockConfig {
  const checked = MockConfig.safeParse(parsedJson(request.headers.get(MOCK_CONFIG_HEADER) ?? "{}"));
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where = issue?.path.join(".") || "(root)";
  throw new RejectedError(
    400,
    "invalid_config",
    `Invalid config at ${where}: ${issue?.message ?? "not valid"}.`,
  );
}

async function bodyOf(request: Request): Promise<JsonMap> {
  const body = await readAtMost(request.body, MAX_BODY_BYTES);
  if (body.kind !== "text")
    throw new RejectedError(413, "too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  const value = parsedJson(body.text);
  if (!isJsonMap(value))
    throw new RejectedError(400, "invalid_body", "The body must be a JSON object.");
  if (!nestedWithin(value, MAX_NESTING))
    throw new RejectedError(
      400,
      "invalid_body",
      `The body nests deeper than ${MAX_NESTING} levels.`,
    );
  for (const field of ["id", "status"])
    if (Object.hasOwn(value, field))
      throw new RejectedError(400, "read_only", `"${field}" is set by the cloud: remove it.`);
  return value;
}

async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function validName(properties: JsonMap): string {
  const name = Object.hasOwn(properties, "name") ? properties["name"] : undefined;
  if (typeof name === "string" && name !== "" && name.length <= MAX_NAME_LENGTH) return name;
  const message = `"name" must be a string of 1 to ${MAX_NAME_LENGTH} characters.`;
  throw new RejectedError(400, "invalid_name", message);
}

function errorAnswer(status: number, code: string, message: string): Response {
  const headers = status === 429 ? { "retry-after": "1" } : {};
  return Response.json({ code, message }, { status, headers });
}

function faultAnswer(fault: MockFault): Response {
  if (fault.status === 0)
    return new Response(null, { status: 502, headers: { [DROPPED_HEADER]: "1" } });
  const usual =
    fault.status === 429 ? "throttled" : fault.status >= 500 ? "unavailable" : "scripted_fault";
  return errorAnswer(fault.status, fault.code ?? usual, "A fault scripted in the target's config.");
}

const verbs: Readonly<Partial<Record<string, MockFault["on"]>>> = {
  POST: "create",
  GET: "read",
  PATCH: "update",
  DELETE: "delete",
};

const verbOfPart = { resize: "update", connection: "connection" } as const;

function methodsAt(id: string | undefined, part: ServicePart | undefined): readonly string[] {
  if (id === undefined) return ["GET", "POST"];
  if (part === undefined) return ["GET", "PATCH", "DELETE"];
  return part === "resize" ? ["POST"] : ["GET"];
}

/** The properties after an update: a PATCH replaces top-level properties and removes those that are null. */
function changedProperties({ kind, part, body }: Call, before: JsonMap): JsonMap {
  if (part === "resize") {
    const resized = resizedService(before, body);
    if (resized !== undefined) return resized;
    throw new RejectedError(422, "invalid_size", 'A resize takes { "size": … } and nothing else.');
  }
  if (kind === "services") {
    const patched = patchedService(before, body);
    if (patched !== undefined) return patched;
    throw new RejectedError(422, "resize_required", '"size" is changed by POST …/resize.');
  }
  const merged: JsonMap = { ...before, ...body };
  return Object.fromEntries(
    Object.entries(merged).filter(([key, value]) => value !== null || !Object.hasOwn(body, key)),
  );
}

export class MockCloud extends DurableObject<Env> {
  /** Epoch milliseconds. A field, so that a test can change the time. */
  now: () => number = Date.now;
  readonly #store: CloudStore;
  readonly #operations: OperationStore;
  readonly #sessions: SessionStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new CloudStore(ctx.storage.sql);
    this.#operations = new OperationStore(ctx.storage.sql);
    this.#sessions = new SessionStore(ctx.storage.sql);
  }

  override async fetch(request: Request): Promise<Response> {
    let latencyMs = 0;
    let answer: Response;
    try {
      const config = configOf(request);
      latencyMs = config.latencyMs;
      answer = await this.#answer(request, config);
    } catch (cause) {
      if (!(cause instanceof RejectedError)) throw cause;
      answer = errorAnswer(cause.status, cause.code, cause.message);
    }
    if (latencyMs > 0) await scheduler.wait(latencyMs);
    answer.headers.set("x-request-id", crypto.randomUUID());
    return answer;
  }

  async #answer(request: Request, config: MockConfig): Promise<Response> {
    this.#makeLateChanges();
    const url = new URL(request.url);
    const [version, kindText, id, ...rest] = url.pathname.slice(1).split("/");
    if (version === "v1" && kindText === "_ledger" && id === undefined) {
      if (request.method !== "GET") throw new RejectedError(405, "method_not_allowed", "Use GET.");
      const after = Number(url.searchParams.get("after") ?? "0");
      return Response.json({ data: this.#store.ledger(Number.isFinite(after) ? after : 0) });
    }
    const { operations, sessions } = config;
    if (sessions !== undefined) {
      if (request.method === "POST" && url.pathname === "/v1/_sessions")
        return this.#openSession(sessions);
      this.#requireSession(request, sessions);
    }
    if (operations !== undefined && version === "v1" && kindText === "_operations") {
      const shown = this.#operations.show(id ?? "", this.now(), operations);
      if (shown !== undefined) return Response.json(shown);
      throw new RejectedError(404, "not_found", "There is no such operation, or it is forgotten.");
    }
    if (config.account !== undefined && request.method === "GET" && kindText === "_account")
      return Response.json({ id: config.account });
    const kind = mockKinds.find((one) => one === kindText);
    const part = serviceParts.find((one) => kind === "services" && rest[0] === one);
    const below = part === undefined ? 0 : 1;
    if (version !== "v1" || kind === undefined || rest.length > below || id === "") {
      const message = `Unknown path. The kinds are ${mockKinds.join(", ")}.`;
      throw new RejectedError(404, "unknown_kind", message);
    }
    const { method } = request;
    if (!methodsAt(id, part).includes(method))
      throw new RejectedError(405, "method_not_allowed", `${method} is not allowed here.`);
    const key = config.tokens === "none" ? null : request.headers.get("idempotency-key");
    if (key !== null && (key === "" || key.length > MAX_KEY_LENGTH)) {
      const message = `An idempotency key must have 1 to ${MAX_KEY_LENGTH} characters.`;
      throw new RejectedError(400, "invalid_idempotency_key", message);
    }
    const body = method === "POST" || method === "PATCH" ? await bodyOf(request) : {};
    const fingerprint = await sha256Hex(`${kind} ${canonicalJson(body)}`);
    // No await from here on, so that all writes are atomic.
    const search = url.searchParams.get("name");
    return this.#handle({ method, kind, id, part, search, config, body, fingerprint, key });
  }

  #openSession(sessions: MockSessions): Response {
    const session = this.#sessions.open(this.now(), sessions);
    return session === undefined
      ? errorAnswer(503, "unavailable", "A fault scripted in the target's config.")
      : Response.json(session, { status: 201 });
  }

  #requireSession(request: Request, sessions: MockSessions): void {
    const [scheme, token = ""] = (request.headers.get("authorization") ?? "").split(" ");
    if (scheme === "Bearer" && this.#sessions.accepts(token, this.now(), sessions)) return;
    throw new RejectedError(401, "session_expired", "Ask for a session: POST /v1/_sessions.");
  }

  /** Makes the changes of late requests that are due. Nobody waits for their answers any more. */
  #makeLateChanges(): void {
    for (;;) {
      const due = this.#store.takeDue(this.now());
      if (due === undefined) return;
      const call = due.request as Call;
      const object = call.id === undefined ? undefined : this.#store.get(call.kind, call.id);
      try {
        this.#change(call, object, { atMs: due.dueMs, fails: false });
      } catch (cause) {
        if (!(cause instanceof RejectedError)) throw cause;
      }
    }
  }

  #handle(call: Call): Response {
    const { method, kind, id, config } = call;
    const object = id === undefined ? undefined : this.#store.get(kind, id);
    const creates = method === "POST" && id === undefined;
    const name = object?.name ?? (creates ? validName(call.body) : call.search);
    const on = call.part === undefined ? verbs[method] : verbOfPart[call.part];
    const fault = this.#store.useFault(
      config.faults,
      (one) => one.kind === kind && one.on === on && (one.name === undefined || one.name === name),
    );
    const atMs = this.now();
    if (fault?.lateMs !== undefined) {
      this.#store.defer(atMs + fault.lateMs, call);
      return faultAnswer(fault);
    }
    if (fault?.effect === "before") return faultAnswer(fault);
    const fails = fault?.effect === "fails";
    const answer =
      config.operations === undefined || method === "GET"
        ? this.#change(call, object, { atMs, fails })
        : this.#work(call, object, { atMs, fails }, config.operations);
    return fault?.effect === "after" ? faultAnswer(fault) : answer;
  }

  /** Makes the change at once, and answers with an operation that ends later; a repeated create with its object. */
  #work(
    call: Call,
    object: CloudObject | undefined,
    how: { atMs: number; fails: boolean },
    { failed }: MockOperations,
  ): Response {
    const { atMs, fails } = how;
    const made = (answer: JsonMap): Response => Response.json(answer, { status: 202 });
    if (fails && failed === "unnamed")
      return made(this.#operations.begin(atMs, null, "create_failed"));
    if (call.method === "POST" && call.id === undefined) {
      const isRepeated = this.#earlierAnswer(call, atMs) !== undefined;
      const view = this.#create(call, how);
      if (isRepeated) return Response.json(view, { status: 201 });
      const target = typeof view["id"] === "string" ? view["id"] : null;
      return made(this.#operations.begin(atMs, target, fails ? "create_failed" : null));
    }
    this.#change(call, object, how);
    return made(this.#operations.begin(atMs, object?.id ?? null));
  }

  /** `atMs`: when the change is made, in epoch milliseconds. `fails`: a new object ends as `failed`. */
  #change(
    call: Call,
    object: CloudObject | undefined,
    how: { atMs: number; fails: boolean },
  ): Response {
    const { method, kind, id } = call;
    const { atMs } = how;
    if (id === undefined) {
      if (method === "POST") return Response.json(this.#create(call, how), { status: 201 });
      const found = this.#store.list(kind, call.search, atMs);
      return Response.json({ data: found.map((one) => this.#view(one)) });
    }
    if (object === undefined)
      throw new RejectedError(
        404,
        "not_found",
        `There is no object "${id.slice(0, 100)}" in ${kind}.`,
      );
    if (call.part === "connection") return Response.json(connectionOf(object.id));
    if (method === "PATCH" || method === "POST")
      return Response.json(this.#update(call, object, atMs));
    if (method === "DELETE") {
      const user = call.config.refusesInUse ? this.#store.userOf(object.id) : undefined;
      if (user !== undefined)
        throw new RejectedError(409, "in_use", `"${user}" uses ${object.id}: delete it first.`);
      this.#store.remove(kind, object.id);
      this.#record("delete", object, call.key, atMs);
      return new Response(null, { status: 204 });
    }
    return Response.json(this.#view(object));
  }

  /** The answer to the create that had this idempotency key, while the key is remembered. */
  #earlierAnswer({ key, config }: Call, atMs: number) {
    const knownMs =
      typeof config.tokens === "object" ? atMs - config.tokens.lifeMs : Number.NEGATIVE_INFINITY;
    return key === null ? undefined : this.#store.answer(key, knownMs);
  }

  #create(call: Call, { atMs, fails }: { atMs: number; fails: boolean }): JsonMap {
    const { kind, key, fingerprint, config } = call;
    const name = validName(call.body);
    const earlier = this.#earlierAnswer(call, atMs);
    if (earlier !== undefined) {
      if (earlier.fingerprint === fingerprint) return isJsonMap(earlier.body) ? earlier.body : {};
      const message = "This idempotency key was used for a different create.";
      throw new RejectedError(422, "idempotency_key_reused", message);
    }
    const object: CloudObject = {
      kind,
      id: `${kindFacts[kind].prefix}-${crypto.randomUUID()}`,
      name,
      properties: call.body,
      readyAtMs: atMs + config.readyAfterMs,
      fails,
    };
    const view = this.#view(object);
    this.#store.put(object);
    if (config.listLagMs > 0) this.#store.hide(object.id, atMs + config.listLagMs);
    this.#record("create", object, key, atMs);
    if (key !== null) this.#store.keepAnswer(key, fingerprint, view);
    return view;
  }

  #update(call: Call, object: CloudObject, atMs: number): Json {
    const before = object.properties;
    const properties = changedProperties(call, before);
    for (const field of kindFacts[call.kind].immutable) {
      const [old = null, changed = null] = [valueAt(before, field), valueAt(properties, field)];
      if (canonicalJson(old) === canonicalJson(changed)) continue;
      throw new RejectedError(422, "immutable", `"${field}" is immutable: create a new object.`);
    }
    const after = { ...object, name: validName(properties), properties };
    if (canonicalJson(before) !== canonicalJson(properties)) {
      this.#store.put(after);
      this.#record("update", after, call.key, atMs);
    }
    return this.#view(after);
  }

  #record(
    verb: "create" | "update" | "delete",
    { kind, id, name }: CloudObject,
    key: string | null,
    atMs: number,
  ): void {
    this.#store.record({ verb, kind, id, name, atMs, idempotencyKey: key });
  }

  #view(object: CloudObject): JsonMap {
    const finalStatus = object.fails ? "failed" : "ready";
    const status = this.now() < object.readyAtMs ? "creating" : finalStatus;
    const { id, kind, properties } = object;
    return { id, status, ...(kind === "services" ? shownService(properties) : properties) };
  }
}
