/**
 * An Oracle Cloud in memory, written by hand: services at their own hosts, compartments, work requests, retry tokens,
 * objects that can be read after they were deleted, and one answer for what is missing and what is hidden. It checks
 * every signature, holds bodies to their description, keeps a ledger of changes and fails as a test scripts it.
 */
import type { KeyObject } from "node:crypto";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import type { FakeFault, FakeVerb } from "#test/support/fake-cloud/fake-faults.ts";
import {
  HandWrittenCloud,
  type HandWrittenCloudOptions,
} from "#test/support/fake-cloud/hand-written-cloud.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import { mistakesIn } from "./description.ts";
import { type Kind, kinds } from "./kinds.ts";
import {
  API_KEY,
  API_KEY_ID,
  apiPublicKey,
  mistakeInSignature,
  publicKeyOf,
} from "./signatures.ts";

export const REGION = "eu-frankfurt-1";
export const COMPARTMENT = "ocid1.compartment.oc1..shop";
export const NAMESPACE = "shopspace";
export const DOMAIN = "https://idcs-0123abcd.identity.oraclecloud.com";
export const CLIENT = "0a1b2c3d";
export const VAULT_ENDPOINT = `https://shopvault-management.kms.${REGION}.oraclecloud.com`;
const PAGE = 20;

export interface OracleObject {
  id: string;
  type: string;
  body: JsonMap;
  createdMs: number;
  readyMs: number;
  isDeleted: boolean;
}

interface Distrust {
  code: string;
  says: string;
}

export interface OracleOptions extends HandWrittenCloudOptions {
  listLagMs?: number;
  /** The OAuth client is confidential, and has this secret. */
  clientSecret?: string;
  /** Why a token of another issuer is refused; undefined: it is trusted. */
  distrusts?: (token: string) => Distrust | undefined | Promise<Distrust | undefined>;
}

interface WorkRequest {
  path: string;
  object: OracleObject;
  action: "CREATED" | "UPDATED" | "DELETED";
  readyMs: number;
}

interface Found {
  type: string;
  kind: Kind;
  id?: string;
  /** After the id. */
  action?: string;
}

interface Refusal {
  status: number;
  code: string;
  message: string;
}

const HIDDEN: Refusal = {
  status: 404,
  code: "NotAuthorizedOrNotFound",
  message: "Authorization failed or requested resource not found.",
};

export class OracleCloud extends HandWrittenCloud<OracleOptions> {
  readonly signIns: URLSearchParams[] = [];
  readonly tokens: string[] = [];
  /** Ids and compartments that the identity may not see. */
  readonly hidden = new Set<string>();
  readonly records = new Map<string, Json[]>();
  readonly rules = new Map<string, JsonMap[]>();
  readonly #objects = new Map<string, OracleObject>();
  readonly #workRequests = new Map<string, WorkRequest>();
  readonly #byToken = new Map<string, { body: string; id: string }>();
  readonly #keys = new Map<string, KeyObject>([[API_KEY_ID, apiPublicKey]]);
  #number = 1000;

  constructor(options: OracleOptions = {}) {
    super(options);
  }

  living(type?: string): OracleObject[] {
    return [...this.#objects.values()].filter(
      (one) => !one.isDeleted && (type === undefined || one.type === type),
    );
  }

  /** Makes an object as a person would. */
  put(type: string, body: JsonMap, id?: string): OracleObject {
    return this.#store(type, { compartmentId: COMPARTMENT, ...body }, id);
  }

  /** Deletes it as a person would. Afterwards it cannot even be read. */
  remove(object: OracleObject): void {
    this.#objects.delete(object.id);
    this.#record("delete", object.type, object.id, object.body);
  }

  /** What was deleted is forgotten. */
  forget(): void {
    for (const [id, { isDeleted }] of this.#objects) if (isDeleted) this.#objects.delete(id);
  }

  finish(): void {
    for (const one of this.#objects.values()) one.readyMs = 0;
    for (const one of this.#workRequests.values()) one.readyMs = 0;
  }

  revokeTokens(): void {
    for (const token of this.tokens.splice(0)) this.#keys.delete(`ST$${token}`);
  }

  context(more: Partial<ProviderContext> = {}): ProviderContext {
    return {
      targetId: crypto.randomUUID(),
      region: REGION,
      config: { compartmentId: COMPARTMENT, namespace: NAMESPACE },
      credential: API_KEY,
      ownAccount: true,
      fetch: this.fetch,
      now: this.now,
      ...more,
    };
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const isOwn = url.hostname.endsWith(".oraclecloud.com");
    const [first = ""] = url.hostname.split(".");
    const host = isOwn
      ? (serviceOf[first] ??
        (first.startsWith("idcs-")
          ? "domain"
          : first.endsWith("-management")
            ? "vaultKeys"
            : first))
      : (url.pathname.split("/")[1] ?? "");
    const path = decodeURIComponent(isOwn ? url.pathname : url.pathname.slice(host.length + 1));
    this.requests.push(`${request.method} ${host}${path}${url.search}`);
    const text = new TextDecoder().decode(await request.clone().arrayBuffer());
    if (host === "domain")
      return this.#signIn(new URLSearchParams(text), request.headers.get("authorization"));
    const mistake = mistakeInSignature(request, text, this.#keys, this.now());
    if (mistake !== undefined)
      return this.#refuse({ status: 401, code: "NotAuthenticated", message: mistake });
    if (isOwn && !url.hostname.includes(`.${REGION}.`)) return this.#refuse(HIDDEN);
    const body = text === "" ? {} : (JSON.parse(text) as JsonMap);
    return this.#serve(request, host, path, url.searchParams, body);
  };

  async #serve(
    request: Request,
    host: string,
    path: string,
    query: URLSearchParams,
    body: JsonMap,
  ): Promise<Response> {
    if (path === `/20160918/compartments/${COMPARTMENT}` && !this.hidden.has(COMPARTMENT))
      return this.#answer({ id: COMPARTMENT, lifecycleState: "ACTIVE" });
    if (host === "objectstorage" && path === "/n/")
      return Response.json(NAMESPACE, { headers: this.#headers() });
    const work = this.#workRequests.get(`${host}${path}`);
    if (work !== undefined) return this.#showWork(work);
    const before = this.ledger.length;
    const special =
      this.#recordsAt(request.method, host, path, body) ??
      this.#rulesAt(request.method, host, path, body) ??
      this.#balancerPartAt(request, host, path, body);
    if (special !== undefined) {
      await this.#tell(before);
      return special;
    }
    const found = foundAt(host, path);
    if (found === undefined) return this.#refuse(HIDDEN);
    const verb = verbOf(request.method, found);
    const fault = this.faults.due(verb, found.type);
    if (fault?.effect === "before") return failed(fault);
    const answer = this.#act(verb, found, query, body, request.headers.get("opc-retry-token"));
    await this.#tell(before);
    return fault === undefined ? answer : failed(fault);
  }

  async #tell(before: number): Promise<void> {
    const entry = this.ledger[before];
    if (entry !== undefined) await this.afterChange(entry);
  }

  #act(
    verb: FakeVerb,
    found: Found,
    query: URLSearchParams,
    body: JsonMap,
    token: string | null,
  ): Response {
    if (verb === "list") return this.#list(found, query);
    if (verb === "create") return this.#create(found, body, token);
    const { id = "", kind, type, action } = found;
    const object = this.#objects.get(kind.named === "name" && type === "Bucket" ? `b/${id}` : id);
    if (object === undefined || object.type !== type || this.#isHidden(object))
      return this.#refuse(
        type === "Bucket"
          ? { status: 404, code: "BucketNotFound", message: `The bucket '${id}' does not exist` }
          : HIDDEN,
      );
    if (verb === "read" && action === "connectionDetails")
      return this.#answer({ primaryDbEndpoint: { fqdn: "db.example", port: 5432 } });
    if (verb === "read") return this.#answer(this.#shown(object));
    if (object.isDeleted) return this.#refuse(HIDDEN);
    return verb === "delete" ? this.#delete(object, kind) : this.#update(object, found, body);
  }

  async #signIn(form: URLSearchParams, authorization: string | null): Promise<Response> {
    this.signIns.push(form);
    const no = (error: string, error_description: string): Response =>
      Response.json({ error, error_description }, { status: 400 });
    const { clientSecret } = this.options;
    const isClient =
      clientSecret === undefined
        ? form.get("client_id") === CLIENT
        : authorization === `Basic ${btoa(`${CLIENT}:${clientSecret}`)}`;
    if (!isClient) return no("invalid_client", "Client is not known.");
    const distrust = await this.options.distrusts?.(form.get("subject_token") ?? "");
    if (distrust !== undefined) return no(distrust.code, distrust.says);
    const claims = { exp: Math.floor(this.now() / 1000) + 3600 };
    const token = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.canary-${crypto.randomUUID()}`;
    this.tokens.push(token);
    this.#keys.set(`ST$${token}`, publicKeyOf(form.get("public_key") ?? ""));
    return Response.json({ token });
  }

  #create({ kind, type }: Found, body: JsonMap, token: string | null): Response {
    const known = kind.repeatable && token !== null ? this.#byToken.get(token) : undefined;
    if (known !== undefined) {
      const object = this.#objects.get(known.id);
      if (known.body !== canonicalJson(body) || object === undefined || object.isDeleted)
        return this.#refuse({
          status: 409,
          code: "InvalidatedRetryToken",
          message: "The retry token was used for another request, or its object is gone.",
        });
      return this.#changed(kind, object, "CREATED");
    }
    if (this.hidden.has(textOf(body["compartmentId"]))) return this.#refuse(HIDDEN);
    const wrong = mistakesIn(type, "create", body);
    if (wrong.length > 0) return this.#invalid(type, wrong);
    const missing = this.#missingIn(body);
    if (missing !== undefined) return this.#refuse(HIDDEN);
    const name = kind.named === undefined ? undefined : body[kind.named];
    if (
      kind.named !== undefined &&
      [...this.#objects.values()].some(
        (one) =>
          one.type === type &&
          (!one.isDeleted || kind.scheduled === true) &&
          one.body[kind.named ?? ""] === name,
      )
    )
      return this.#refuse({
        status: 409,
        code: type === "Bucket" ? "BucketAlreadyExists" : `${type}AlreadyExists`,
        message: `${textOf(name)} already exists`,
      });
    const object = this.#store(type, body);
    this.#record("create", type, object.id, body);
    if (token !== null) this.#byToken.set(token, { body: canonicalJson(body), id: object.id });
    return this.#changed(kind, object, "CREATED");
  }

  /** Ids in a body that lead to nothing. */
  #missingIn(body: JsonMap): string | undefined {
    const ids = JSON.stringify(body).match(/ocid1\.[a-z-]+\.oc1\.[a-z0-9-]*\.[a-z0-9]+/g) ?? [];
    const made = new Set(Object.values(kinds).map(({ entity }) => entity));
    return ids.find((id) => made.has(id.split(".")[1] ?? "") && !this.#exists(id));
  }

  #exists(id: string): boolean {
    const object = this.#objects.get(id);
    return object !== undefined && !object.isDeleted;
  }

  #update(object: OracleObject, { kind, type, action }: Found, body: JsonMap): Response {
    if (action === undefined) {
      const wrong = mistakesIn(type, "update", body);
      if (wrong.length > 0) return this.#invalid(type, wrong);
    }
    if (this.#missingIn(body) !== undefined) return this.#refuse(HIDDEN);
    const merged = (kind.merged ?? []).flatMap((name): [string, Json][] => {
      const [had, sent] = [object.body[name], body[name]];
      return isJsonMap(had ?? null) && isJsonMap(sent ?? null)
        ? [[name, { ...(had as JsonMap), ...(sent as JsonMap) }]]
        : [];
    });
    object.body = { ...object.body, ...body, ...Object.fromEntries(merged) };
    this.#record("update", type, object.id, object.body);
    return kind.updates === "work request" || action !== undefined
      ? this.#changed(kind, object, "UPDATED")
      : this.#answer(this.#shown(object));
  }

  #delete(object: OracleObject, kind: Kind): Response {
    const isUsed = this.living().some(
      (one) => one !== object && canonicalJson(one.body).includes(`"${object.id}"`),
    );
    if (isUsed)
      return this.#refuse({
        status: 409,
        code: "Conflict",
        message: `The ${object.type} ${object.id} is in use by other resources.`,
      });
    if (kind.lingers === true) object.isDeleted = true;
    else this.#objects.delete(object.id);
    this.#record("delete", object.type, object.id, object.body);
    const work = kind.workRequests === undefined ? {} : this.#started(kind, object, "DELETED");
    if (kind.scheduled === true) return this.#answer(this.#shown(object));
    return new Response(null, { status: 204, headers: this.#headers(work) });
  }

  #changed(kind: Kind, object: OracleObject, action: WorkRequest["action"]): Response {
    const work = kind.workRequests === undefined ? {} : this.#started(kind, object, action);
    const alone =
      (action === "CREATED" ? kind.answers === "work request" : true) &&
      kind.workRequests !== undefined;
    return alone
      ? new Response(null, { status: 202, headers: this.#headers(work) })
      : this.#answer(this.#shown(object), work);
  }

  #started(
    kind: Kind,
    object: OracleObject,
    action: WorkRequest["action"],
  ): Record<string, string> {
    const id = `ocid1.workrequest.oc1.${REGION}.w${(this.#number += 1)}`;
    const waits = action === "CREATED" ? object.readyMs : this.now();
    this.#workRequests.set(`${kind.host}${kind.workRequests ?? ""}${id}`, {
      path: kind.workRequests ?? "",
      object,
      action,
      readyMs: waits,
    });
    return { "opc-work-request-id": id };
  }

  #showWork({ path, object, action, readyMs }: WorkRequest): Response {
    const isOver = readyMs <= this.now();
    const fails = this.options.endsFailed === true && action === "CREATED";
    const status = fails ? "FAILED" : isOver ? "SUCCEEDED" : "IN_PROGRESS";
    if (path.includes("loadBalancer"))
      return this.#answer({
        lifecycleState: status,
        loadBalancerId: object.id,
        errorDetails: fails ? [{ errorCode: "BAD_INPUT", message: "No address is left." }] : [],
      });
    const actionType = isOver || fails ? action : "IN_PROGRESS";
    const entityType = kinds[object.type]?.entity ?? "";
    return this.#answer({
      status,
      resources: [{ entityType, actionType, identifier: object.id }],
    });
  }

  #list({ kind, type }: Found, query: URLSearchParams): Response {
    const compartmentId = query.get("compartmentId") ?? "";
    if (compartmentId === "" || this.hidden.has(compartmentId)) return this.#refuse(HIDDEN);
    const from = Number(query.get("page") ?? 0);
    const lag = this.options.listLagMs ?? 0;
    const all = [...this.#objects.values()].filter(
      (one) =>
        one.type === type &&
        one.body["compartmentId"] === compartmentId &&
        one.createdMs <= this.now() - lag,
    );
    const page = all.slice(from, from + PAGE).map((one) => this.#shown(one));
    const next =
      from + PAGE < all.length ? { "opc-next-page": String(from + PAGE) } : ({} as const);
    return this.#answer(kind.list === "items" ? { items: page } : page, next);
  }

  /** As a request or a person does. */
  removeRecords(key: string): void {
    this.records.delete(key);
    this.#record("delete", "DnsRecords", key, {});
  }

  #recordsAt(method: string, host: string, path: string, body: JsonMap): Response | undefined {
    const at = /^\/20180115\/zones\/([^/]+)\/records\/([^/]+)\/([^/]+)$/.exec(path);
    if (host !== "dns" || at === null) return undefined;
    const [key, zone = ""] = at;
    if (!this.#exists(zone) || this.hidden.has(zone)) return this.#refuse(HIDDEN);
    const had = this.records.get(key) ?? [];
    if (method === "PUT") {
      const wrong = mistakesIn("DnsRecords", "update", body);
      if (wrong.length > 0) return this.#invalid("DnsRecords", wrong);
      this.records.set(key, body["items"] as Json[]);
      this.#record(had.length === 0 ? "create" : "update", "DnsRecords", key, {});
    }
    if (method === "DELETE") {
      this.removeRecords(key);
      return new Response(null, { status: 204, headers: this.#headers() });
    }
    return this.#answer({ items: this.records.get(key) ?? [] });
  }

  #rulesAt(method: string, host: string, path: string, body: JsonMap): Response | undefined {
    const at =
      /^\/20160918\/networkSecurityGroups\/([^/]+)\/(securityRules|actions\/(add|remove)SecurityRules)$/.exec(
        path,
      );
    const [, id = "", , action] = at ?? [];
    if (host !== "iaas" || at === null) return undefined;
    if (!this.#exists(id) || this.hidden.has(id)) return this.#refuse(HIDDEN);
    const had = this.rules.get(id) ?? [];
    if (method === "GET") return this.#answer(had);
    const added = (body["securityRules"] as JsonMap[] | undefined) ?? [];
    const removed = (body["securityRuleIds"] as string[] | undefined) ?? [];
    if (added.length > 25 || removed.length > 25)
      return this.#invalid("NetworkSecurityGroupRules", ["too many rules in one request"]);
    const made = added.map((rule) => ({
      isStateless: false,
      sourceType: null,
      ...rule,
      id: `R${(this.#number += 1)}`,
      isValid: true,
      timeCreated: new Date(this.now()).toISOString(),
    }));
    this.rules.set(id, [...had.filter((one) => !removed.includes(textOf(one["id"]))), ...made]);
    this.#record("update", "NetworkSecurityGroupRules", id, {});
    return action === "add"
      ? this.#answer({ securityRules: made })
      : new Response(null, { status: 204, headers: this.#headers() });
  }

  /** Listeners and sets of backends: parts of a load balancer, which have names and no ids. */
  #balancerPartAt(
    request: Request,
    host: string,
    path: string,
    body: JsonMap,
  ): Response | undefined {
    const at = /^\/20170115\/loadBalancers\/([^/]+)\/(listeners|backendSets)(?:\/([^/]+))?$/.exec(
      path,
    );
    const [, id = "", collection = "", given] = at ?? [];
    const balancer = this.#objects.get(id);
    const kind = kinds["LoadBalancer"];
    if (host !== "iaas" || at === null || kind === undefined) return undefined;
    if (balancer === undefined || balancer.isDeleted) return this.#refuse(HIDDEN);
    const type = collection === "listeners" ? "LoadBalancerListener" : "LoadBalancerBackendSet";
    const had = balancer.body[collection];
    const parts: JsonMap = had !== undefined && isJsonMap(had) ? { ...had } : {};
    const { name: _, ...sent } = body;
    const name = given ?? textOf(body["name"]);
    const verb = given === undefined ? "create" : request.method === "DELETE" ? "delete" : "update";
    const token = request.headers.get("opc-retry-token");
    const again = verb === "create" && token !== null && this.#byToken.get(token)?.id === name;
    if (verb !== "create" && !Object.hasOwn(parts, name)) return this.#refuse(HIDDEN);
    if (verb !== "delete" && !again) {
      const wrong = mistakesIn(type, verb, body);
      if (wrong.length > 0) return this.#invalid(type, wrong);
    }
    if (verb === "create" && Object.hasOwn(parts, name) && !again)
      return this.#refuse({
        status: 409,
        code: `${type}AlreadyExists`,
        message: `${name} already exists`,
      });
    if (verb === "delete") delete parts[name];
    else parts[name] = sent;
    balancer.body = { ...balancer.body, [collection]: parts };
    if (token !== null && verb === "create")
      this.#byToken.set(token, { body: canonicalJson(body), id: name });
    if (!again) this.#record(verb, type, `${id}/${name}`, { name });
    const headers = this.#headers(this.#started(kind, balancer, "UPDATED"));
    return new Response(null, { status: 204, headers });
  }

  #store(type: string, body: JsonMap, given?: string): OracleObject {
    const nowMs = this.now();
    const entity = kinds[type]?.entity ?? "";
    const id =
      given ??
      (type === "Bucket"
        ? `b/${textOf(body["name"])}`
        : `ocid1.${entity}.oc1.${REGION}.o${(this.#number += 1)}`);
    const object: OracleObject = {
      id,
      type,
      body,
      createdMs: nowMs,
      readyMs: nowMs + (this.options.readyAfterMs ?? 0),
      isDeleted: false,
    };
    this.#objects.set(id, object);
    return object;
  }

  #isHidden({ id, body }: OracleObject): boolean {
    return this.hidden.has(id) || this.hidden.has(textOf(body["compartmentId"]));
  }

  #shown({ id, type, body, createdMs, readyMs, isDeleted }: OracleObject): JsonMap {
    const { states, hidden = [] } = kinds[type] ?? {};
    const [ready = "", slow = "", broken = "", deleted = ""] = states ?? [];
    const living = this.options.endsFailed === true ? broken : ready;
    const isReady = readyMs <= this.now() || this.options.endsFailed === true;
    const kept = Object.entries(body).filter(([name]) => !hidden.includes(name));
    return {
      freeformTags: {},
      definedTags: { "Oracle-Tags": { CreatedBy: "deployer" } },
      ...Object.fromEntries(kept),
      id: type === "Bucket" ? `ocid1.bucket.oc1.${REGION}.${id.slice(2)}` : id,
      timeCreated: new Date(createdMs).toISOString(),
      ...(type === "LoadBalancer"
        ? {
            ipAddresses: [{ ipAddress: "192.0.2.10" }],
            ...named(body, "listeners"),
            ...named(body, "backendSets"),
          }
        : {}),
      ...(type === "Vault" ? { managementEndpoint: VAULT_ENDPOINT } : {}),
      ...(states === undefined
        ? {}
        : { lifecycleState: isDeleted ? deleted : isReady ? living : slow }),
    };
  }

  #record(verb: FakeLedgerEntry["verb"], collection: string, key: string, body: JsonMap): void {
    const name = body["displayName"] ?? body["name"];
    const by = this.requests.at(-1) ?? "";
    this.ledger.push({ verb, collection, key, name: typeof name === "string" ? name : key, by });
  }

  #invalid(type: string, wrong: readonly string[]): Response {
    this.violations.push(...wrong.map((one) => `${type}: ${one}`));
    return this.#refuse({ status: 400, code: "InvalidParameter", message: wrong.join(" ") });
  }

  #headers(more: Record<string, string> = {}): Record<string, string> {
    return { "opc-request-id": crypto.randomUUID(), ...more };
  }

  #answer(body: JsonMap | Json[], more: Record<string, string> = {}): Response {
    return Response.json(body, { headers: this.#headers(more) });
  }

  #refuse({ status, code, message }: Refusal): Response {
    return Response.json({ code, message }, { status, headers: this.#headers() });
  }
}

/** By the first label of a host, where the definition calls the service otherwise. */
const serviceOf: Readonly<Record<string, string>> = {
  "compute-containers": "containerinstances",
  postgresql: "psql",
};

function foundAt(host: string, path: string): Found | undefined {
  for (const [type, kind] of Object.entries(kinds)) {
    if (kind.host !== host) continue;
    if (path === kind.at) return { type, kind };
    if (!path.startsWith(`${kind.at}/`)) continue;
    const [id = "", ...rest] = path.slice(kind.at.length + 1).split("/");
    return { type, kind, id, ...(rest.length > 0 && { action: rest.join("/") }) };
  }
  return undefined;
}

/** The parts of a load balancer as it shows them: with their names. */
function named(body: JsonMap, collection: string): JsonMap {
  const parts = body[collection];
  if (parts === undefined || !isJsonMap(parts)) return {};
  const shown = Object.entries(parts).map(([name, part]): [string, Json] => [
    name,
    isJsonMap(part) ? { ...part, name } : part,
  ]);
  return { [collection]: Object.fromEntries(shown) };
}

function verbOf(method: string, { id, action }: Found): FakeVerb {
  if (method === "GET") return id === undefined ? "list" : "read";
  if (method === "DELETE" || action === "actions/scheduleDeletion") return "delete";
  return id === undefined ? "create" : "update";
}

function failed({ status, body, headers }: FakeFault): Response {
  if (status === "dropped") throw new Error("The connection ended without an answer.");
  const more = { ...(status === 429 ? { "retry-after": "2" } : {}), ...headers };
  return isJsonMap(body ?? null)
    ? Response.json(body, { status, headers: more })
    : new Response(null, { status, headers: more });
}
