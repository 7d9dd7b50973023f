/**
 * A CoreWeave written by hand: its own API for networks, clusters and keys, and clusters that take server-side applies.
 * It takes the members that the vendor's pages name and no others, knows who set which field of an applied object, and
 * deletes by finalizers.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import type { FakeFault, FakeVerb } from "#test/support/fake-cloud/fake-faults.ts";
import {
  HandWrittenCloud,
  type HandWrittenCloudOptions,
} from "#test/support/fake-cloud/hand-written-cloud.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";

export const TOKEN = "CW-SECRET-canary0123456789";
export const ZONE = "US-EAST-04A";
export const CANARY = "canary-of-the-cloud";

/** Members of a body: a name that ends with `!` has to be there, `?` cannot be changed later. */
const vpc = "name!? zone!? vpcPrefixes hostPrefix? hostPrefixes? ingress egress dhcp";
const cluster =
  "name!? zone!? vpcId!? version! public network! oidc authnWebhook authzWebhook auditPolicy kubelet additionalServerSans sharedStorageClusterId?";
const managed: Readonly<Record<string, { one: string; takes: string; ready: string }>> = {
  "/v1beta1/networking/vpcs": { one: "vpc", takes: vpc, ready: "STATUS_READY" },
  "/v1beta1/cks/clusters": { one: "cluster", takes: cluster, ready: "STATUS_RUNNING" },
};
const KEYS = "/v1/cwobject/access-key";

/** What each kind has besides its metadata. */
const kinds: Readonly<Record<string, { kind: string; members: readonly string[] }>> = {
  nodepools: { kind: "NodePool", members: ["spec"] },
  namespaces: { kind: "Namespace", members: ["spec"] },
  deployments: { kind: "Deployment", members: ["spec"] },
  statefulsets: { kind: "StatefulSet", members: ["spec"] },
  jobs: { kind: "Job", members: ["spec"] },
  configmaps: { kind: "ConfigMap", members: ["data", "binaryData", "immutable"] },
  services: { kind: "Service", members: ["spec"] },
  ingresses: { kind: "Ingress", members: ["spec"] },
  secrets: { kind: "Secret", members: ["type", "data", "stringData", "immutable"] },
  persistentvolumeclaims: { kind: "PersistentVolumeClaim", members: ["spec"] },
};

export interface CoreweaveOptions extends HandWrittenCloudOptions {
  /** The token that it takes, in place of `TOKEN`. */
  token?: string;
  /** How long CoreWeave's own lists lack what is new. */
  listLagMs?: number;
  /** The address that a cluster shows, in place of one of CoreWeave's. */
  address?: string;
}

interface Thing {
  path: string;
  body: JsonMap;
  /** Who set each of the leaves. */
  managers: Map<string, string>;
  readyMs: number;
  deletedMs?: number;
}

/** Stands for a dot within a key. */
const DOT = "\u0001";

const leavesOf = (value: Json, at = ""): [string, Json][] =>
  isJsonMap(value)
    ? Object.entries(value).flatMap(([key, one]) =>
        leavesOf(one, `${at}.${key.replaceAll(".", DOT)}`),
      )
    : [[at, value]];

function setLeaf(body: JsonMap, leaf: string, value: Json | undefined): void {
  const keys = leaf
    .slice(1)
    .split(".")
    .map((key) => key.replaceAll(DOT, "."));
  const last = keys.pop() ?? "";
  let inner = body;
  for (const key of keys) inner = inner[key] = isJsonMap(inner[key]) ? inner[key] : {};
  if (value === undefined) delete inner[last];
  else inner[last] = value;
}

export class CoreweaveCloud extends HandWrittenCloud<CoreweaveOptions> {
  readonly #things: Thing[] = [];

  constructor(options: CoreweaveOptions = {}) {
    super(options);
  }

  /** What exists, by the end of its collection's path. */
  living(collection = ""): { path: string; body: JsonMap }[] {
    return this.#things.filter(
      ({ path, deletedMs }) =>
        (deletedMs === undefined || deletedMs > this.now()) &&
        (collection === "" || path.slice(0, path.lastIndexOf("/")).endsWith(collection)),
    );
  }

  /** Makes one of CoreWeave's own objects, as a person would. */
  put(collection: string, body: JsonMap): Thing {
    const id = crypto.randomUUID();
    const host = `acme-${id.slice(0, 8)}.k8s.${ZONE.toLowerCase()}.coreweave.com`;
    return this.#add(`${collection}/${id}`, {
      ...body,
      id,
      createdAt: new Date(this.now()).toISOString(),
      ...(collection.endsWith("/clusters")
        ? { apiServerEndpoint: this.options.address ?? host }
        : {}),
    });
  }

  /** Applies an object as another manager would. */
  applyAs(manager: string, path: string, body: JsonMap): void {
    this.#apply(path, body, manager);
  }

  remove(path: string): void {
    this.#things.splice(
      this.#things.findIndex((one) => one.path === path),
      1,
    );
  }

  finish(): void {
    for (const thing of this.#things) {
      thing.readyMs = 0;
      if (thing.deletedMs !== undefined) thing.deletedMs = 0;
    }
  }

  context(more: Partial<ProviderContext> = {}): ProviderContext {
    return {
      targetId: crypto.randomUUID(),
      region: ZONE,
      config: {},
      credential: TOKEN,
      fetch: this.fetch,
      now: this.now,
      ...more,
    };
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    this.requests.push(`${request.method} ${url.host} ${url.pathname}${url.search}`);
    if (request.headers.get("authorization") !== `Bearer ${this.options.token ?? TOKEN}`)
      return Response.json({ code: 16, message: "unauthenticated" }, { status: 401 });
    // `text()` of workerd warns of bodies like those of applies.
    const text = new TextDecoder().decode(await request.arrayBuffer());
    const body = text === "" ? {} : (JSON.parse(text) as JsonMap);
    const isApplied = url.pathname.startsWith("/api");
    const verb = this.#verbOf(request.method, url.pathname);
    const last = url.pathname.split("/").at(verb === "create" && !isApplied ? -1 : -2);
    const fault = this.faults.due(verb, last);
    if (fault?.effect === "before") return failed(fault);
    const count = this.ledger.length;
    const answer = isApplied
      ? this.#kubernetes(request, url, body)
      : this.#management(request, url, body);
    const entry = this.ledger[count];
    if (entry !== undefined) await this.afterChange(entry);
    return fault === undefined ? answer : failed(fault);
  };

  #verbOf(method: string, pathname: string): FakeVerb {
    if (method === "PATCH" && pathname.startsWith("/api"))
      return this.#find(pathname) === undefined ? "create" : "update";
    if (pathname.includes("/revoke-access-key/")) return "delete";
    const isItem = this.#find(pathname) !== undefined || !Object.hasOwn(managed, pathname);
    if (method === "GET") return isItem && pathname !== KEYS ? "read" : "list";
    return method === "POST" ? "create" : method === "DELETE" ? "delete" : "update";
  }

  #find(path: string): Thing | undefined {
    return this.living().find((one) => one.path === path) as Thing | undefined;
  }

  #record(verb: FakeLedgerEntry["verb"], { path }: Thing, request: Request): void {
    const { pathname } = new URL(request.url);
    const [name = ""] = path.split("/").slice(-1);
    const collection = path.slice(0, path.lastIndexOf("/"));
    this.ledger.push({ verb, collection, key: name, name, by: `${request.method} ${pathname}` });
  }

  #add(path: string, body: JsonMap): Thing {
    const readyMs = this.now() + (this.options.readyAfterMs ?? 0);
    const thing: Thing = { path, body, managers: new Map(), readyMs };
    this.#things.push(thing);
    return thing;
  }

  #delete(thing: Thing, request: Request): void {
    thing.deletedMs ??= this.now() + (this.options.readyAfterMs ?? 0);
    this.#record("delete", thing, request);
    for (const one of this.#things)
      if (one !== thing && one.path.startsWith(`${thing.path}/`)) one.deletedMs = thing.deletedMs;
  }

  #management(request: Request, url: URL, body: JsonMap): Response {
    const { method } = request;
    const path = url.pathname;
    if (path === KEYS || path.startsWith(`${KEYS}/`) || path.includes("revoke-access-key"))
      return this.#keys(request, path, body);
    const isCollection = Object.hasOwn(managed, path);
    const collection = isCollection ? path : path.slice(0, path.lastIndexOf("/"));
    const kind = managed[collection];
    if (kind === undefined) return says(404, "");
    const shown = (thing: Thing): JsonMap => ({
      ...thing.body,
      status: this.#statusOf(thing, kind.ready),
    });
    const shownSince = this.now() - (this.options.listLagMs ?? 0);
    const isListed = ({ body: { createdAt } }: Thing) =>
      Date.parse(textOf(createdAt)) <= shownSince;
    if (isCollection && method === "GET")
      return Response.json(
        { items: (this.living(collection) as Thing[]).filter(isListed).map(shown) },
        { headers: { date: new Date(this.now()).toUTCString() } },
      );
    const problem =
      method === "GET" || method === "DELETE" ? undefined : this.#unfit(kind, method, body);
    if (problem !== undefined) return says(400, problem);
    if (isCollection) {
      const { name } = body;
      if (this.living(collection).some((one) => one.body["name"] === name))
        return says(409, `${textOf(name)} already exists`);
      const thing = this.put(collection, body);
      this.#record("create", thing, request);
      return Response.json({ [kind.one]: shown(thing) });
    }
    const thing = this.#find(path);
    if (thing === undefined) return says(404, `${kind.one} not found`);
    if (method === "DELETE") {
      const { id = "" } = thing.body;
      if (this.living("/clusters").some((one) => one.body["vpcId"] === id))
        return says(400, "the VPC is still in use");
      this.#delete(thing, request);
    }
    if (method === "PATCH") {
      const { id = "", createdAt = "", apiServerEndpoint } = thing.body;
      const kept = Object.entries(thing.body).filter(
        ([key]) => kind.takes.includes(`${key}!?`) || kind.takes.includes(`${key}?`),
      );
      thing.body = {
        ...Object.fromEntries(kept),
        ...body,
        id,
        createdAt,
        ...(apiServerEndpoint === undefined ? {} : { apiServerEndpoint }),
      };
      this.#record("update", thing, request);
    }
    return Response.json({ [kind.one]: shown(thing) });
  }

  #statusOf({ deletedMs, readyMs }: Thing, ready: string): string {
    if (deletedMs !== undefined) return "STATUS_DELETING";
    if (readyMs > this.now()) return "STATUS_CREATING";
    return this.options.endsFailed === true ? "STATUS_FAILED" : ready;
  }

  /** What is wrong with a body, by the names of its members. */
  #unfit({ takes }: { takes: string }, method: string, body: JsonMap): string | undefined {
    const members = takes.split(/\s+/).map((one) => ({
      name: one.replace(/[!?]+$/, ""),
      needed: one.includes("!"),
      fixed: one.endsWith("?"),
    }));
    const fit = members.filter(({ fixed }) => method === "POST" || !fixed);
    const unknown = Object.keys(body).find((name) => !fit.some((one) => one.name === name));
    const missing = fit.find(({ name, needed }) => needed && body[name] === undefined)?.name;
    const problem =
      unknown === undefined
        ? missing && `the member ${missing} is missing`
        : `there is no member ${unknown} in a ${method}`;
    if (problem) this.violations.push(problem);
    return problem || undefined;
  }

  #keys(request: Request, path: string, body: JsonMap): Response {
    if (path.includes("revoke-access-key")) {
      const thing = this.#find(`${KEYS}/${textOf(body["accessKey"])}`);
      if (thing === undefined) return says(404, "access key not found");
      this.#delete(thing, request);
      return Response.json({});
    }
    if (request.method === "POST") {
      if (typeof body["durationSeconds"] !== "number") return says(400, "durationSeconds");
      const accessKeyId = `CW${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
      const shown = {
        accessKeyId,
        principalName: "acme/someone",
        status: "ACCESS_KEY_STATUS_ACTIVE",
      };
      this.#record("create", this.#add(`${KEYS}/${accessKeyId}`, shown), request);
      return Response.json({ ...shown, secretKey: `${CANARY}-key` });
    }
    const thing = this.#find(path);
    return thing ? Response.json({ info: thing.body }) : says(404, "access key not found");
  }

  #kubernetes(request: Request, url: URL, body: JsonMap): Response {
    const path = url.pathname;
    const [plural = "", name = ""] = path.split("/").slice(-2);
    const kind = kinds[plural];
    const status = (code: number, reason: string, message: string, more: JsonMap = {}): Response =>
      Response.json(
        { kind: "Status", status: "Failure", code, reason, message, ...more },
        { status: code },
      );
    if (kind === undefined) return status(404, "NotFound", "the server could not find it");
    const thing = this.#find(path);
    const parent = /^\/apis?\/.*\/namespaces\/([^/]+)\/[a-z]+\/[^/]+$/.exec(path)?.[1];
    const home = parent === undefined ? undefined : this.#find(`/api/v1/namespaces/${parent}`);
    const missing = (of: string, which: string): Response =>
      status(404, "NotFound", `${of} "${which}" not found`, { details: { name: which, kind: of } });
    if (request.method === "PATCH") {
      if (request.headers.get("content-type") !== "application/apply-patch+yaml")
        return status(415, "UnsupportedMediaType", "not an apply");
      if (url.searchParams.has("force")) this.violations.push("an apply was forced");
      if (parent !== undefined && home === undefined) return missing("namespaces", parent);
      if (home?.deletedMs !== undefined)
        return status(403, "Forbidden", "the namespace is being terminated", {
          details: { causes: [{ reason: "NamespaceTerminating" }] },
        });
      const allowed = new Set(["apiVersion", "kind", "metadata", ...kind.members]);
      const unknown = Object.keys(body).find((one) => !allowed.has(one));
      const metadata = isJsonMap(body["metadata"]) ? body["metadata"] : {};
      if (unknown !== undefined || body["kind"] !== kind.kind || metadata["name"] !== name) {
        this.violations.push(`an apply of ${path} has ${unknown ?? "another kind or name"}`);
        return status(422, "Invalid", `unknown field "${unknown ?? "name"}"`);
      }
      const conflicts = this.#conflicts(thing, body);
      if (conflicts.length > 0)
        return status(409, "Conflict", `Apply failed with ${conflicts.length} conflicts`, {
          details: {
            causes: conflicts.map(([field, manager]) => ({
              reason: "FieldManagerConflict",
              message: `conflict with "${manager}" using v1`,
              field,
            })),
          },
        });
      const applied = this.#apply(path, body, url.searchParams.get("fieldManager") ?? "");
      this.#record(thing === undefined ? "create" : "update", applied, request);
      return Response.json(this.#shown(applied, kind.kind), { status: thing ? 200 : 201 });
    }
    if (thing === undefined) return missing(plural, name);
    if (request.method === "DELETE") {
      if (thing.deletedMs === undefined) this.#delete(thing, request);
      return Response.json(this.#shown(thing, kind.kind), { status: 202 });
    }
    return Response.json(this.#shown(thing, kind.kind));
  }

  #conflicts(thing: Thing | undefined, body: JsonMap): [string, string][] {
    return leavesOf(body).flatMap(([leaf, value]): [string, string][] => {
      const manager = thing?.managers.get(leaf);
      const had = leavesOf(thing?.body ?? {}).find(([one]) => one === leaf)?.[1];
      const differs = JSON.stringify(had) !== JSON.stringify(value);
      return manager !== undefined && manager !== "control-api" && differs ? [[leaf, manager]] : [];
    });
  }

  /** Sets the manager's fields, and takes away those that it set before and gives up. */
  #apply(path: string, body: JsonMap, manager: string): Thing {
    const thing = this.#find(path) ?? this.#add(path, {});
    const isOwn = (leaf: string) => !/^\.(apiVersion|kind|metadata\.(name|namespace))$/.test(leaf);
    const sent = leavesOf(body);
    for (const [leaf, owner] of thing.managers)
      if (owner === manager && !sent.some(([one]) => one === leaf)) {
        setLeaf(thing.body, leaf, undefined);
        thing.managers.delete(leaf);
      }
    for (const [leaf, value] of sent) {
      setLeaf(thing.body, leaf, value);
      if (isOwn(leaf)) thing.managers.set(leaf, manager);
    }
    const { stringData, ...rest } = thing.body;
    if (isJsonMap(stringData)) {
      const data = Object.entries(stringData).map(([key, value]) => [key, btoa(textOf(value))]);
      thing.body = {
        ...rest,
        data: { ...(isJsonMap(rest["data"]) ? rest["data"] : {}), ...Object.fromEntries(data) },
      };
    }
    return thing;
  }

  #shown({ body, readyMs, deletedMs, managers }: Thing, kind: string): JsonMap {
    const isReady = readyMs <= this.now();
    const condition = (type: string): JsonMap => ({ type, status: isReady ? "True" : "False" });
    const replicas = isJsonMap(body["spec"]) ? (body["spec"]["replicas"] ?? 1) : 1;
    const states: Readonly<Record<string, JsonMap>> = {
      Namespace: { phase: deletedMs === undefined ? "Active" : "Terminating" },
      Deployment: {
        observedGeneration: 1,
        updatedReplicas: replicas,
        conditions: [condition("Available")],
      },
      StatefulSet: {
        observedGeneration: 1,
        readyReplicas: isReady ? replicas : 0,
        updatedReplicas: replicas,
      },
      Job: { conditions: isReady ? [condition("Complete")] : [] },
      NodePool: { conditions: [{ type: "Validated", status: "True" }, condition("AtTarget")] },
      Service: { loadBalancer: isReady ? { ingress: [{ ip: "192.0.2.10" }] } : {} },
      PersistentVolumeClaim: { phase: "Pending" },
    };
    return {
      ...body,
      metadata: {
        ...(isJsonMap(body["metadata"]) ? body["metadata"] : {}),
        uid: "0000",
        generation: 1,
        managedFields: [...managers.values()].map((manager) => ({ manager })),
        ...(deletedMs === undefined
          ? {}
          : { deletionTimestamp: new Date(deletedMs).toISOString() }),
      },
      ...(states[kind] === undefined ? {} : { status: states[kind] }),
    };
  }
}

function says(status: number, message: string): Response {
  return Response.json(message === "" ? "no" : { code: 5, message }, { status });
}

function failed({ status, body, headers }: FakeFault): Response {
  if (status === "dropped") throw new Error("The connection was dropped by a fault.");
  return Response.json(body ?? { message: "a scripted fault" }, {
    status,
    headers: { ...(status === 429 ? { "retry-after": "1" } : {}), ...headers },
  });
}
