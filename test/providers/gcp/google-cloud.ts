/**
 * A Google Cloud in memory, written by hand: services at their own hosts, both kinds of operations, masks, fingerprints,
 * methods of single fields, policies with etags. It shows names as carelessly as Google does, holds bodies to their
 * description, lets nobody in who has not signed in, keeps a ledger of changes and fails as a test scripts it.
 */
import { createPublicKey, createVerify, generateKeyPairSync } from "node:crypto";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import type { FakeFault, FakeVerb } from "#test/support/fake-cloud/fake-faults.ts";
import {
  HandWrittenCloud,
  type HandWrittenCloudOptions,
} from "#test/support/fake-cloud/hand-written-cloud.ts";
import { called, isRefusal, patched, type Refusal, refusal } from "./change.ts";
import { connectionCall } from "./connections.ts";
import { mistakesIn } from "./description.ts";
import { type Found, foundAt, type Kind, kinds } from "./kinds.ts";
import {
  type GoogleObject,
  isDestroyed,
  linkOf,
  NUMBER,
  PROJECT,
  REGION,
  shownObject,
  ZONE,
} from "./shown.ts";

export const PROVIDER = `projects/${NUMBER}/locations/global/workloadIdentityPools/control/providers/control`;
export const ACCOUNT = `deployer@${PROJECT}.iam.gserviceaccount.com`;
const PAGE = 20;

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const KEY_FILE: JsonMap = {
  type: "service_account",
  project_id: PROJECT,
  private_key_id: "canary-key-id-0123456789",
  private_key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  client_email: ACCOUNT,
  token_uri: "https://oauth2.googleapis.com/token",
};

interface Distrust {
  code: string;
  says: string;
}

export interface GoogleOptions extends HandWrittenCloudOptions {
  listLagMs?: number;
  /** Why a token of another issuer is refused: `code: words`; undefined: it is trusted. */
  distrusts?: (token: string) => Distrust | undefined | Promise<Distrust | undefined>;
  /** Further mistakes of a body: those that Google's own description finds. */
  mistakes?: (type: string, body: JsonMap) => string[];
}

interface Operation {
  readyMs: number;
  answer: JsonMap;
}

export class GoogleCloud extends HandWrittenCloud<GoogleOptions> {
  readonly signIns: URLSearchParams[] = [];
  readonly tokens: string[] = [];
  readonly policies = new Map<string, JsonMap>();
  /** Called between a read of a policy and its write. */
  beforePolicyWrite: () => void = () => {};
  readonly #objects = new Map<string, GoogleObject>();
  readonly #operations = new Map<string, Operation>();
  readonly #byRequestId = new Map<string, JsonMap>();
  #number = 1000;

  constructor(options: GoogleOptions = {}) {
    super(options);
  }

  living(type?: string): GoogleObject[] {
    return [...this.#objects.values()].filter(
      (one) => !isDestroyed(one) && (type === undefined || one.type === type),
    );
  }

  /** Makes an object as a person would. */
  put(type: string, id: string, body: JsonMap): GoogleObject {
    return this.#store(type, id, body);
  }

  remove(object: GoogleObject): void {
    this.#objects.delete(object.id);
    this.#record("delete", object);
  }

  finish(): void {
    for (const one of this.#objects.values()) one.readyMs = 0;
    for (const one of this.#operations.values()) one.readyMs = 0;
  }

  revokeTokens(): void {
    this.tokens.length = 0;
  }

  /** The APIs that the project has not enabled, and the permissions that the identity lacks. */
  readonly disabledApis = new Set<string>();
  /** Of the project, and of its region. */
  readonly quotas: Record<"project" | "region", JsonMap[]> = { project: [], region: [] };
  readonly missingPermissions = new Set<string>();

  context(more: Partial<ProviderContext> = {}): ProviderContext {
    return {
      targetId: crypto.randomUUID(),
      region: REGION,
      config: { project: PROJECT, zone: ZONE },
      credential: KEY_FILE,
      ownAccount: true,
      fetch: this.fetch,
      now: this.now,
      ...more,
    };
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const host = url.hostname.endsWith(".googleapis.com")
      ? url.hostname.replace(".googleapis.com", "")
      : (url.pathname.split("/")[1] ?? "");
    const path = decodeURIComponent(
      url.hostname.endsWith(".googleapis.com") ? url.pathname : url.pathname.slice(host.length + 1),
    );
    this.requests.push(`${request.method} ${host}${path}${url.search}`);
    const text = new TextDecoder().decode(await request.arrayBuffer());
    if (host === "oauth2" || host === "sts") return this.#signIn(host, new URLSearchParams(text));
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    if (!this.tokens.includes(token))
      return refuse(refusal(401, "authError", "UNAUTHENTICATED", "Invalid Credentials"));
    const body = text === "" ? {} : (JSON.parse(text) as JsonMap);
    if (host === "iamcredentials") return this.#impersonate(path);
    if (path.includes("/operations/")) return this.#operation(host, path);
    if (host === "cloudresourcemanager" && path === `/v3/projects/${PROJECT}`)
      return Response.json({ name: `projects/${NUMBER}`, projectId: PROJECT, state: "ACTIVE" });
    const shown = /^\/compute\/v1\/projects\/[^/]+(\/regions\/[^/]+)?$/.exec(path);
    if (host === "compute" && shown !== null)
      return Response.json({ quotas: this.quotas[shown[1] === undefined ? "project" : "region"] });
    if (host === "serviceusage") {
      const services = url.searchParams.getAll("names").map((name) => ({
        name,
        state: this.disabledApis.has(name.split("/").at(-1) ?? "") ? "DISABLED" : "ENABLED",
      }));
      return Response.json({ services });
    }
    if (path === `/v3/projects/${PROJECT}:testIamPermissions`) {
      const asked = Array.isArray(body["permissions"]) ? body["permissions"] : [];
      const held = asked.filter(
        (one) => typeof one === "string" && !this.missingPermissions.has(one),
      );
      return Response.json({ permissions: held });
    }
    const policy = this.#policy(request.method, host, path, body);
    if (policy !== undefined) return policy;
    const { searchParams: query } = url;
    const call = connectionCall(host, { method: request.method, path, query, body });
    const found = foundAt(host, call.path);
    if (found === undefined)
      return refuse(refusal(404, "notFound", "NOT_FOUND", `${host}${path} was not found.`));
    const verb = verbOf(call.method, found);
    const fault = this.faults.due(verb, found.type);
    if (fault?.effect === "before") return failed(fault);
    const before = this.ledger.length;
    const answer = this.#answer(verb, call.method, found, call.query, call.body);
    if (isRefusal(answer)) return refuse(answer);
    const entry = this.ledger[before];
    if (entry !== undefined) await this.afterChange(entry);
    return fault === undefined ? Response.json(answer) : failed(fault);
  };

  async #signIn(host: string, form: URLSearchParams): Promise<Response> {
    this.signIns.push(form);
    const no = (error: string, error_description: string): Response =>
      Response.json({ error, error_description }, { status: 400 });
    if (host === "oauth2") {
      const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
      const verified = createVerify("RSA-SHA256")
        .update(`${head}.${claims}`)
        .verify(
          createPublicKey(keys.publicKey.export({ type: "spki", format: "pem" })),
          signature,
          "base64url",
        );
      if (!verified) return no("invalid_grant", "Invalid JWT Signature.");
    } else {
      if (form.get("audience") !== `//iam.googleapis.com/${PROVIDER}`)
        return no(
          "invalid_target",
          'The target service indicated by the "audience" parameters is invalid.',
        );
      const distrust = await this.options.distrusts?.(form.get("subject_token") ?? "");
      if (distrust !== undefined) return no(distrust.code, distrust.says);
    }
    const token = `ya29.canary-${host}-${crypto.randomUUID()}`;
    this.tokens.push(token);
    return Response.json({ access_token: token, expires_in: 3600, token_type: "Bearer" });
  }

  #impersonate(path: string): Response {
    if (path !== `/v1/projects/-/serviceAccounts/${ACCOUNT}:generateAccessToken`)
      return refuse(
        refusal(
          403,
          "IAM_PERMISSION_DENIED",
          "PERMISSION_DENIED",
          "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
        ),
      );
    const accessToken = `ya29.canary-account-${crypto.randomUUID()}`;
    this.tokens.push(accessToken);
    const expireTime = new Date(this.now() + 3_600_000).toISOString();
    return Response.json({ accessToken, expireTime });
  }

  #policy(method: string, host: string, path: string, body: JsonMap): Response | undefined {
    const verb = /:(getIamPolicy|setIamPolicy)$|\/iam$/.exec(path);
    if (verb === null) return undefined;
    const key = `${host} ${path.slice(0, verb.index)}`;
    const found = foundAt(host, path);
    if (found?.id !== undefined && !this.#objects.has(found.id))
      return refuse(refusal(404, "notFound", "NOT_FOUND", `Resource '${found.id}' was not found.`));
    const known = this.policies.get(key) ?? { version: 1, etag: "ACAB" };
    if (method === "GET" || verb[1] === "getIamPolicy") return Response.json(known);
    this.beforePolicyWrite();
    const now = this.policies.get(key) ?? known;
    const sent = method === "PUT" ? body : (body["policy"] as JsonMap);
    if (sent["etag"] !== now["etag"])
      return refuse(
        refusal(
          409,
          "aborted",
          "ABORTED",
          "There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff.",
        ),
      );
    const next = { ...sent, etag: `BwX${(this.#number += 1)}` };
    this.policies.set(key, next);
    return Response.json(next);
  }

  #answer(
    verb: FakeVerb,
    method: string,
    found: Found,
    query: URLSearchParams,
    body: JsonMap,
  ): JsonMap | Refusal {
    const { id, type, kind } = found;
    if (verb === "list") return this.#list(found, query);
    if (verb === "create") return this.#create(found, query, body);
    const isUser = type === "sql/User" && id === undefined;
    const at = isUser ? `${found.collection}/${query.get("name") ?? ""}` : (id ?? "");
    const object = this.#objects.get(at);
    if (object === undefined)
      return refusal(404, "notFound", "NOT_FOUND", `The resource '${at}' was not found`);
    if (verb === "read" && found.method === "authString")
      return object.body["authEnabled"] === true
        ? { authString: "canary-auth-string-0123" }
        : refusal(400, "failedPrecondition", "FAILED_PRECONDITION", "AUTH is not enabled.");
    if (verb === "read") return this.#shown(object);
    if (verb === "delete") return this.#delete(object, kind, method);
    return this.#update(object, found, method, query, body);
  }

  #create(found: Found, query: URLSearchParams, body: JsonMap): JsonMap | Refusal {
    const { kind, type, collection } = found;
    const requestId = query.get("requestId");
    const known = requestId === null ? undefined : this.#byRequestId.get(requestId);
    if (known !== undefined) return known;
    const sent = kind.key === undefined ? body : (body[kind.key] as JsonMap);
    if (!isJsonMap(sent ?? null))
      return refusal(400, "invalid", "INVALID_ARGUMENT", `No ${kind.key} was given.`);
    const wrong = [...mistakesIn(type, sent), ...(this.options.mistakes?.(type, sent) ?? [])];
    if (wrong.length > 0) {
      this.violations.push(...wrong.map((one) => `${type}: ${one}`));
      return refusal(400, "invalid", "INVALID_ARGUMENT", wrong.join(" "));
    }
    const parent = collection.split("/").slice(0, -1).join("/");
    const isNested = /\/(databases|users|nodePools|rrsets|versions)$/.test(collection);
    if (isNested && !this.#objects.has(parent))
      return refusal(404, "notFound", "NOT_FOUND", `The resource '${parent}' was not found`);
    const name = this.#nameOf(kind, found, query, body, sent);
    if (name === "") return refusal(400, "required", "INVALID_ARGUMENT", "No name was given.");
    const id = `${collection}/${name}`.replace(/^b\//, "");
    const key = kind.at === "b" ? `b/${id}` : id;
    if (this.#objects.has(key))
      return refusal(
        409,
        kind.answers === "compute" ? "alreadyExists" : "conflict",
        "ALREADY_EXISTS",
        `The resource '${id}' already exists`,
      );
    const { labels: _, ...unlabelled } = sent;
    const object = this.#store(type, key, kind.labelledLater === true ? unlabelled : sent);
    this.#record("create", object);
    const answer = this.#changed(kind, object, true);
    if (requestId !== null) this.#byRequestId.set(requestId, answer);
    return answer;
  }

  #nameOf(kind: Kind, { id }: Found, query: URLSearchParams, body: JsonMap, sent: JsonMap): string {
    const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
    const { named } = kind;
    if (typeof named === "object") return query.get(named.query) ?? "";
    switch (named) {
      case "body":
        return text(sent["name"]);
      case "path":
        return id?.split("/").at(-1) ?? "";
      case "account":
        return `${text(body["accountId"])}@${PROJECT}.iam.gserviceaccount.com`;
      case "version":
        return String((this.#number += 1));
      case "record":
        return `${text(sent["name"])}/${text(sent["type"])}`;
    }
  }

  #update(
    object: GoogleObject,
    { kind, type, method: call }: Found,
    method: string,
    query: URLSearchParams,
    body: JsonMap,
  ): JsonMap | Refusal {
    const next =
      call === undefined
        ? patched(object, kind, method, query, body)
        : called(object, call, body, query);
    if (isRefusal(next)) return next;
    const wrong = [...mistakesIn(type, next), ...(this.options.mistakes?.(type, next) ?? [])];
    if (wrong.length > 0) {
      this.violations.push(...wrong.map((one) => `${type}: ${one}`));
      return refusal(400, "invalid", "INVALID_ARGUMENT", wrong.join(" "));
    }
    object.body = next;
    object.version += 1;
    this.#record("update", object);
    return this.#changed(kind, object, false);
  }

  #delete(object: GoogleObject, kind: Kind, method: string): JsonMap | Refusal {
    if (this.#isUsed(object))
      return kind.answers === "compute"
        ? refusal(
            400,
            "resourceInUseByAnotherResource",
            "FAILED_PRECONDITION",
            `The resource '${object.id}' is already being used by another resource`,
          )
        : refusal(
            409,
            "conflict",
            "FAILED_PRECONDITION",
            `${object.id} is in use by another resource`,
          );
    if (method === "POST") object.body = { ...object.body, destroyed: true };
    else this.#objects.delete(object.id);
    this.#record("delete", object);
    return kind.answers === "object" || kind.answers === "dns" ? {} : this.#started(kind, object);
  }

  #isUsed(object: GoogleObject): boolean {
    return [...this.#objects.values()].some(
      (one) =>
        one !== object &&
        !isDestroyed(one) &&
        (one.type.startsWith("compute/") || one.type === "servicenetworking/Connection") &&
        object.type.startsWith("compute/") &&
        canonicalJson(one.body).includes(`"${object.id}"`),
    );
  }

  #list({ collection, kind }: Found, query: URLSearchParams): JsonMap {
    const from = Number(query.get("pageToken") ?? 0);
    const lag = this.options.listLagMs ?? 0;
    const all = [...this.#objects.values()].filter(
      ({ id, createdMs, body }) =>
        id.startsWith(`${collection}/${query.get("prefix") ?? ""}`) &&
        (body["projectNumber"] ?? NUMBER) === NUMBER &&
        foundAt(kind.host, `${kind.base}${id}`)?.collection === collection &&
        createdMs <= this.now() - lag,
    );
    const page = all.slice(from, from + PAGE).map((one) => this.#shown(one));
    return {
      ...(page.length === 0 ? {} : { [kind.list ?? "items"]: page }),
      ...(from + PAGE < all.length ? { nextPageToken: String(from + PAGE) } : {}),
    };
  }

  #store(type: string, id: string, body: JsonMap): GoogleObject {
    const nowMs = this.now();
    const object: GoogleObject = {
      id,
      type,
      number: (this.#number += 1),
      body,
      createdMs: nowMs,
      readyMs: nowMs + (this.options.readyAfterMs ?? 0),
      version: 1,
    };
    this.#objects.set(id, object);
    return object;
  }

  #record(verb: FakeLedgerEntry["verb"], { type, id }: GoogleObject): void {
    const name = id.split("/").at(-1) ?? "";
    this.ledger.push({ verb, collection: type, key: id, name, by: this.requests.at(-1) ?? "" });
  }

  #changed(kind: Kind, object: GoogleObject, isNew: boolean): JsonMap {
    if (kind.answers === "object") return this.#shown(object);
    if (kind.answers === "dns") {
      const operation = { kind: "dns#operation", id: "1", status: "done" };
      return isNew ? this.#shown(object) : operation;
    }
    return this.#started(kind, object);
  }

  /** An operation, whose name is nobody's id. */
  #started(kind: Kind, { id, readyMs }: GoogleObject): JsonMap {
    const name = `operation-${(this.#number += 1)}-${crypto.randomUUID()}`;
    const scope = /^projects\/[^/]+(\/(global|(zones|regions|locations)\/[^/]+))?/.exec(id)?.[0];
    const path = `${kind.base}${scope ?? `projects/${PROJECT}`}/operations/${name}`;
    const wait = this.options.readyAfterMs ?? 0;
    const stated = kind.answers === "container" ? {} : { kind: `${kind.host}#operation` };
    const answer: JsonMap =
      kind.answers === "lro"
        ? { name: path.slice(kind.base.length), metadata: { target: id } }
        : {
            ...stated,
            name,
            id: String(this.#number),
            operationType: "change",
            targetLink: linkOf(kind, id),
            targetId: "987",
            selfLink: `${kind.host === "compute" ? "https://www.googleapis.com" : `https://${kind.host}.googleapis.com`}${path}`,
            status: "RUNNING",
          };
    const waits = readyMs > this.now() ? wait : 0;
    this.#operations.set(`${kind.host}${path}`, {
      readyMs: this.now() + waits,
      answer,
    });
    return answer;
  }

  #operation(host: string, path: string): Response {
    const operation = this.#operations.get(`${host}${path}`);
    if (operation === undefined)
      return refuse(refusal(404, "notFound", "NOT_FOUND", `Operation ${path} was not found`));
    const { answer, readyMs } = operation;
    if (readyMs > this.now()) return Response.json(answer);
    return Response.json(
      answer["status"] === undefined
        ? { ...answer, done: true, response: {} }
        : { ...answer, status: "DONE" },
    );
  }

  #shown(object: GoogleObject): JsonMap {
    const states = kinds[object.type]?.states;
    return shownObject(object, states && this.#stateOf(object, states));
  }

  #stateOf({ readyMs }: GoogleObject, states: NonNullable<Kind["states"]>): string {
    if (this.options.endsFailed === true) return states.failed;
    return readyMs > this.now() ? states.slow : states.ready;
  }
}

function verbOf(method: string, { id, method: call, kind, type }: Found): FakeVerb {
  if (method === "GET") return id === undefined ? "list" : "read";
  if (method === "DELETE" || call === "destroy") return "delete";
  if (kind.named === "path") return method === "PUT" ? "create" : "update";
  if (call === "addVersion") return "create";
  if (id !== undefined || (type === "sql/User" && method === "PUT")) return "update";
  return "create";
}

function refuse({ status, reason, message, rpc }: Refusal): Response {
  return Response.json(
    {
      error: {
        code: status,
        message,
        status: rpc,
        errors: [{ reason, message, domain: "global" }],
      },
    },
    { status },
  );
}

function failed({ status, body, headers }: FakeFault): Response {
  if (status === "dropped") throw new Error("The connection ended without an answer.");
  const more = { ...(status === 429 ? { "retry-after": "2" } : {}), ...headers };
  return body === undefined
    ? new Response(null, { status, headers: more })
    : Response.json(body, { status, headers: more });
}
