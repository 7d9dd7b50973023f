/**
 * An Azure Resource Manager in memory, written by hand. It keeps objects by their ids in any letter case, holds every
 * body to its description, answers changes in ARM's three ways, and shows ids and regions as carelessly as Azure does.
 * It signs nobody in but who proves it. It remembers every change in a ledger, and fails as a test scripts it.
 */
import { changedAt, jsonAt } from "#platform/at-path.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import type { FakeFault, FakeVerb } from "#test/support/fake-cloud/fake-faults.ts";
import {
  HandWrittenCloud,
  type HandWrittenCloudOptions,
} from "#test/support/fake-cloud/hand-written-cloud.ts";
import type { DescribedType } from "./described-parts.ts";
import { azureDescription } from "./description.ts";
import { problemsOf, type Shape, shapeOf, shownOf } from "./shape.ts";

export const SUBSCRIPTION = "11111111-1111-4111-8111-111111111111";
export const TENANT_ID = "22222222-2222-4222-8222-222222222222";
export const CLIENT_ID = "33333333-3333-4333-8333-333333333333";
export const CLIENT_SECRET = "canary~client-secret.0123456789abcdefghijk";
export const GROUP = "Shop";
export const REGION = "westeurope";
/** What `westeurope` is called where people read it. */
const REGION_NAME = "West Europe";

const GROUPS = "Microsoft.Resources/resourceGroups";
const OPERATIONS = "/providers/Microsoft.Fake/operations/";
const TOKEN_LIFE_S = 3_600;

export interface ArmObject {
  /** In lower case. */
  key: string;
  /** As it was first written. */
  id: string;
  collection: string;
  name: string;
  body: JsonMap;
  createdMs: number;
  /** Done from then on. */
  readyMs: number;
  /** Gone from then on. */
  deletedMs?: number;
}

export interface ArmOptions extends HandWrittenCloudOptions {
  /** The shapes of bodies by type and version; absent: those of the description. */
  shapes?: ReadonlyMap<string, Shape>;
  /** Types besides those described. */
  types?: Readonly<Record<string, DescribedType>>;
  /** Why a token of another issuer is refused: a number and words; undefined: it is trusted. */
  trusts?: (assertion: string) => Promise<string | undefined> | string | undefined;
}

interface Refused {
  status: number;
  code: string;
  message: string;
}
interface Answered {
  status: number;
  body?: Json;
  headers?: Record<string, string>;
  entry?: FakeLedgerEntry;
}

interface Target {
  key: string;
  id: string;
  type: string;
  name: string;
  /** The key of what it stands in; absent: the subscription. */
  above?: string;
  action?: string;
}

interface Operation {
  readyMs: number;
  failed: boolean;
  style: "operation" | "location";
}

export class ArmCloud extends HandWrittenCloud<ArmOptions> {
  /** The bodies of requests for tokens. */
  readonly signIns: URLSearchParams[] = [];
  readonly tokens: string[] = [];
  /** Names of workspaces that were deleted, which a PUT recovers. */
  readonly deletedWorkspaces: string[] = [];
  /** The resource providers that the subscription has not registered. */
  readonly unregistered = new Set<string>();
  /** The used quotas of a region, by namespace. */
  readonly usages = new Map<string, { name: string; currentValue: number; limit: number }[]>();
  /** What the identity may do. */
  rights: readonly JsonMap[] = [{ actions: ["*"], notActions: [] }];
  readonly #objects = new Map<string, ArmObject>();
  readonly #deleted = new Map<string, ArmObject>();
  readonly #operations = new Map<string, Operation>();
  readonly #types: Readonly<Record<string, DescribedType>>;
  #number = 0;

  constructor(options: ArmOptions = {}) {
    super(options);
    this.#types = { ...azureDescription, ...options.types };
    this.put(`/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`, { location: REGION });
  }

  /** What exists, of one type or all, but for the group that was there before. */
  living(type?: string): ArmObject[] {
    return [...this.#objects.values()].filter(
      (one) =>
        !this.#isGone(one) &&
        (type === undefined ? one.id !== this.#groupId() : one.collection === type) &&
        this.#types[one.collection]?.given === undefined,
    );
  }

  /** Makes an object as a person would at Azure. */
  put(id: string, body: JsonMap): ArmObject {
    const target = this.#targetOf(id);
    if (target === undefined) throw new Error(`${id} is no id`);
    return this.#store(target, body, this.now());
  }

  remove(object: ArmObject): void {
    this.#objects.delete(object.key);
    this.#record("delete", object, "a person");
  }

  /** Ends every wait. */
  finish(): void {
    for (const object of this.#objects.values()) {
      object.readyMs = 0;
      if (object.deletedMs !== undefined) object.deletedMs = 0;
    }
    for (const operation of this.#operations.values()) operation.readyMs = 0;
  }

  /** Tokens that were given are accepted no more. */
  revokeTokens(): void {
    this.tokens.length = 0;
  }

  context(more: Partial<ProviderContext> = {}): ProviderContext {
    return {
      targetId: crypto.randomUUID(),
      region: REGION,
      config: {
        subscriptionId: SUBSCRIPTION,
        resourceGroup: GROUP,
        tenantId: TENANT_ID,
        clientId: CLIENT_ID,
      },
      credential: CLIENT_SECRET,
      ownAccount: true,
      fetch: this.fetch,
      now: this.now,
      ...more,
    };
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    if (url.pathname.endsWith("/oauth2/v2.0/token")) return this.#signIn(request, url);
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
    if (!this.tokens.includes(token))
      return refusal({
        status: 401,
        code: "InvalidAuthenticationToken",
        message: "The access token is invalid.",
      });
    if (url.pathname.startsWith(OPERATIONS)) return this.#operation(url);
    const text = await request.text();
    const body = text === "" ? undefined : (JSON.parse(text) as Json);
    const group = /^(\/subscriptions\/[^/]+\/resourcegroups\/[^/]+)\/resources$/i.exec(
      url.pathname,
    );
    if (group !== null) return this.#contents(group[1] ?? "");
    if (url.pathname.endsWith("/deletedWorkspaces"))
      return Response.json({ value: this.deletedWorkspaces.map((name) => ({ name })) });
    if (url.pathname.endsWith("/Microsoft.Authorization/permissions"))
      return Response.json({ value: this.rights });
    const counted = /\/providers\/([^/]+)\/locations\/[^/]+\/usages$/.exec(url.pathname)?.[1];
    if (counted !== undefined) {
      const value = this.usages
        .get(counted)
        ?.map(({ name, ...rest }) => ({ ...rest, unit: "Count", name: { value: name } }));
      return Response.json({ value: value ?? [] });
    }
    const namespace = /^\/subscriptions\/[^/]+\/providers\/([^/]+)$/.exec(url.pathname)?.[1];
    if (namespace !== undefined) {
      const registrationState = this.unregistered.has(namespace) ? "NotRegistered" : "Registered";
      return Response.json({ namespace, registrationState, resourceTypes: [] });
    }
    const target = this.#targetOf(decodeURIComponent(url.pathname));
    if (/^\/subscriptions\/[^/]+$/.test(url.pathname))
      return Response.json({ id: url.pathname, subscriptionId: SUBSCRIPTION, state: "Enabled" });
    if (target === undefined)
      return refusal({ status: 404, code: "InvalidResourceType", message: "No such type." });
    const verb = this.#verbOf(request.method, target);
    const fault = this.faults.due(verb, target.type);
    if (fault?.effect === "before") return failed(fault);
    const answer = this.#answer(request, url, verb, target, body);
    if ("code" in answer) return refusal(answer);
    if (answer.entry !== undefined) await this.afterChange(answer.entry);
    if (fault !== undefined) return failed(fault);
    const headers = { "x-ms-request-id": crypto.randomUUID(), ...answer.headers };
    return answer.body === undefined
      ? new Response(null, { status: answer.status, headers })
      : Response.json(answer.body, { status: answer.status, headers });
  };

  async #signIn(request: Request, { pathname }: URL): Promise<Response> {
    const form = new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));
    this.signIns.push(form);
    const refuse = (code: number, text: string): Response =>
      Response.json(
        {
          error: "invalid_client",
          error_description: `AADSTS${code}: ${text} Trace ID: ${crypto.randomUUID()} Timestamp: now`,
          error_codes: [code],
        },
        { status: code === 90002 ? 400 : 401 },
      );
    if (pathname !== `/${TENANT_ID}/oauth2/v2.0/token`)
      return refuse(90002, "Tenant 'other' not found.");
    if (form.get("client_id") !== CLIENT_ID)
      return refuse(700016, "Application with identifier 'other' was not found in the directory.");
    const assertion = form.get("client_assertion");
    if (assertion !== null) {
      const distrust = (await this.options.trusts?.(assertion)) ?? "";
      const [, code, words] = /^(\d+) (.*)$/.exec(distrust) ?? [];
      if (code !== undefined) return refuse(Number(code), words ?? "");
      if (this.options.trusts === undefined) return refuse(70021, "No matching record found.");
    } else if (form.get("client_secret") !== CLIENT_SECRET)
      return refuse(7000215, "Invalid client secret provided.");
    const token = `canary-access-${crypto.randomUUID()}`;
    this.tokens.push(token);
    return Response.json({ token_type: "Bearer", expires_in: TOKEN_LIFE_S, access_token: token });
  }

  #verbOf(method: string, { key, action }: Target): FakeVerb {
    if (method === "GET" || action !== undefined) return "read";
    if (method === "DELETE") return "delete";
    const there = this.#objects.get(key);
    return there === undefined || this.#isGone(there) ? "create" : "update";
  }

  #answer(
    request: Request,
    url: URL,
    verb: FakeVerb,
    target: Target,
    body: Json | undefined,
  ): Answered | Refused {
    const described = this.#types[target.type];
    if (described === undefined)
      return { status: 404, code: "InvalidResourceType", message: "No such type." };
    const version = url.searchParams.get("api-version");
    if (version !== described.version)
      return {
        status: 400,
        code: "NoRegisteredProviderFound",
        message: `No registered resource provider found for API version '${version}'.`,
      };
    const missing = this.#missingAbove(target);
    if (missing !== undefined) return missing;
    const object = this.#living(target.key);
    if (verb === "delete")
      return object === undefined ? { status: 204 } : this.#delete(object, described, request, url);
    if (verb !== "read") return this.#put(object, target, described, request, url, body ?? {});
    if (object === undefined) return notFound(target);
    if (target.action === undefined) return { status: 200, body: this.#shown(object) };
    return { status: 200, body: described.actions?.[target.action] ?? {} };
  }

  #put(
    object: ArmObject | undefined,
    target: Target,
    described: DescribedType,
    request: Request,
    url: URL,
    sent: Json,
  ): Answered | Refused {
    const by = `PUT ${url.pathname}`;
    const problems = problemsOf(this.#shapeOf(target.type), sent, "request");
    if (problems.length > 0 || !isJsonMap(sent)) {
      this.violations.push(...problems.map((problem) => `${by}: ${problem}`));
      return { status: 400, code: "InvalidRequestContent", message: problems.join("; ") };
    }
    if (
      described.conditional &&
      request.headers.get("if-none-match") === "*" &&
      object !== undefined
    )
      return { status: 412, code: "PreconditionFailed", message: "The object exists already." };
    const refused = this.#conflict(object, target, described, sent);
    if (refused !== undefined) return refused;
    const recovered = this.#deleted.get(target.key);
    if (recovered !== undefined) this.#deleted.delete(target.key);
    const nowMs = this.now();
    const stored = this.#store(target, sent, nowMs, object ?? recovered);
    const entry = this.#record(object === undefined ? "create" : "update", stored, by);
    return { ...this.#accepted(stored, described, url, object === undefined), entry };
  }

  #conflict(
    object: ArmObject | undefined,
    target: Target,
    described: DescribedType,
    sent: JsonMap,
  ): Refused | undefined {
    for (const path of object === undefined ? [] : (described.immutable ?? [])) {
      const [before, after] = [jsonAt(object?.body ?? {}, path), jsonAt(sent, path)];
      if (after !== undefined && canonicalJson(before ?? null) !== canonicalJson(after))
        return {
          status: 409,
          code: "PropertyChangeNotAllowed",
          message: `Changing property '${path}' is not allowed.`,
        };
    }
    const recovers = jsonAt(sent, "properties.createMode") === "recover";
    if (this.#deleted.has(target.key) && !recovers)
      return {
        status: 409,
        code: "ConflictError",
        message: `A vault with the same name already exists in deleted state. You need to either recover or purge existing key vault.`,
      };
    if (described.global && object === undefined && this.#isTaken(target))
      return {
        status: 409,
        code: "Conflict",
        message: `The name '${target.name}' is already taken.`,
      };
    if (target.type === "Microsoft.Authorization/roleAssignments" && object === undefined) {
      const grant = (body: JsonMap): string =>
        JSON.stringify([
          jsonAt(body, "properties.principalId"),
          jsonAt(body, "properties.roleDefinitionId"),
        ]);
      const same = this.living(target.type).some(
        (one) => one.key.startsWith(`${target.above ?? ""}/`) && grant(one.body) === grant(sent),
      );
      if (same) return { status: 409, code: "RoleAssignmentExists", message: "It exists already." };
    }
    return undefined;
  }

  #isTaken({ type, name }: Target): boolean {
    return this.living(type).some((one) => one.name.toLowerCase() === name.toLowerCase());
  }

  #store(target: Target, sent: JsonMap, nowMs: number, before?: ArmObject): ArmObject {
    const waitMs = this.options.readyAfterMs ?? 0;
    const body = { ...sent };
    // A virtual network that is sent without its subnets keeps them: they are objects of their own here.
    const object: ArmObject = {
      key: target.key,
      id: before?.id ?? target.id,
      collection: target.type,
      name: before?.name ?? target.name,
      body,
      createdMs: before?.createdMs ?? nowMs,
      readyMs: nowMs + waitMs,
    };
    this.#objects.set(target.key, object);
    return object;
  }

  #accepted(object: ArmObject, described: DescribedType, url: URL, isNew: boolean): Answered {
    const { style } = described;
    if (style === "at once" || style === "state") {
      if (style === "at once") object.readyMs = 0;
      return { status: isNew ? 201 : 200, body: this.#shown(object) };
    }
    const at = this.#start(url, object.readyMs, style, this.options.endsFailed === true);
    if (style === "location") return { status: 202, headers: { location: at, "retry-after": "0" } };
    return {
      status: isNew ? 201 : 200,
      body: this.#shown(object),
      headers: { "azure-asyncoperation": at, "retry-after": "0" },
    };
  }

  #start(url: URL, readyMs: number, style: Operation["style"], fails: boolean): string {
    const name = `op-${(this.#number += 1)}`;
    this.#operations.set(name, { readyMs, failed: fails, style });
    return `${url.origin}${OPERATIONS}${name}?api-version=2020-01-01`;
  }

  #operation({ pathname }: URL): Response {
    const operation = this.#operations.get(pathname.slice(OPERATIONS.length));
    if (operation === undefined)
      return refusal({ status: 404, code: "NotFound", message: "There is no such operation." });
    const { readyMs, failed: fails, style } = operation;
    const isDone = this.now() >= readyMs;
    if (style === "location")
      return isDone
        ? Response.json({ name: "the result" })
        : new Response(null, { status: 202, headers: { "retry-after": "0" } });
    if (!isDone)
      return Response.json({ status: "InProgress" }, { headers: { "retry-after": "0" } });
    return Response.json(
      fails
        ? { status: "Failed", error: { code: "ProvisioningFailed", message: "It did not work." } }
        : { status: "Succeeded" },
    );
  }

  #delete(
    object: ArmObject,
    described: DescribedType,
    { method }: Request,
    url: URL,
  ): Answered | Refused {
    if (described.stays)
      return { status: 405, code: "MethodNotAllowed", message: "It cannot be deleted." };
    const user = this.#userOf(object);
    if (user !== undefined)
      return {
        status: 400,
        code: "InUseSubnetCannotBeDeleted",
        message: `It is in use by ${user.id} and cannot be deleted.`,
      };
    if (object.deletedMs === undefined) {
      const isSlow = described.style === "operation" || described.style === "location";
      const waitMs = isSlow ? (this.options.readyAfterMs ?? 0) : 0;
      object.deletedMs = this.now() + waitMs;
      for (const inside of this.#objects.values())
        if (inside.key.startsWith(`${object.key}/`)) inside.deletedMs ??= object.deletedMs;
      if (object.collection === "Microsoft.OperationalInsights/workspaces")
        this.deletedWorkspaces.push(object.name);
      if (described.softDelete) this.#deleted.set(object.key, object);
    }
    const entry = this.#record("delete", object, `${method} ${url.pathname}`);
    if (described.style === "operation") {
      const at = this.#start(url, object.deletedMs, "operation", false);
      return { status: 202, headers: { "azure-asyncoperation": at }, entry };
    }
    if (described.style === "location") {
      const at = this.#start(url, object.deletedMs, "location", false);
      return { status: 202, headers: { location: at, "retry-after": "0" }, entry };
    }
    return { status: 200, entry };
  }

  /** Who uses a subnet. */
  #userOf({ key, collection }: ArmObject): ArmObject | undefined {
    if (collection !== "Microsoft.Network/virtualNetworks/subnets") return undefined;
    return this.living("Microsoft.Network/networkInterfaces").find((one) =>
      canonicalJson(one.body).toLowerCase().includes(`"${key}"`),
    );
  }

  #contents(group: string): Response {
    const inside = this.living().filter(
      ({ key, collection }) =>
        key.startsWith(`${group.toLowerCase()}/`) && collection.split("/").length === 2,
    );
    return Response.json({ value: inside.map(({ id, name }) => ({ id, name })) });
  }

  /** An object as ARM shows it. */
  #shown(object: ArmObject): JsonMap {
    const { collection, body, name } = object;
    const described = this.#types[collection];
    const shape = this.#shapeOf(collection);
    const members = shape.is === "object" ? shape.members() : {};
    const now = new Date(object.createdMs).toISOString();
    const has = (path: string): boolean => hasPath(shape, path);
    let shown = shownOf(shape, body) as JsonMap;
    shown = {
      ...shown,
      id: shownId(object),
      name,
      type: collection,
      ...(Object.hasOwn(members, "etag") ? { etag: `W/"${object.createdMs}"` } : {}),
    };
    if (shown["location"] === REGION && collection.startsWith("Microsoft.Web/"))
      shown["location"] = REGION_NAME;
    for (const [path, value] of Object.entries(described?.set ?? {})) {
      if (!has(path) || jsonAt(shown, path) !== undefined) continue;
      if (
        path.includes("ingress") &&
        jsonAt(shown, "properties.configuration.ingress") === undefined
      )
        continue;
      const filled = JSON.stringify(value)
        .replaceAll("{now}", now)
        .replaceAll("{uuid}", uuidFor(object.key + path));
      shown = changedAt(shown, path, () => JSON.parse(filled) as Json);
    }
    const state = described?.state ?? {
      path: "properties.provisioningState",
      working: "Updating",
      ready: "Succeeded",
      failed: "Failed",
    };
    if (has(state.path)) {
      const isReady = this.now() >= object.readyMs;
      const end = this.options.endsFailed === true ? state.failed : state.ready;
      const value = object.deletedMs !== undefined ? "Deleting" : isReady ? end : state.working;
      shown = changedAt(shown, state.path, () => value);
    }
    const problems = problemsOf(shape, shown, "answer");
    this.violations.push(
      ...problems
        .filter((problem) => !problem.includes("Deleting") && !problem.includes("is none of"))
        .map((problem) => `an answer of ${collection}: ${problem}`),
    );
    return shown;
  }

  #shapeOf(type: string): Shape {
    const described = this.#types[type];
    const vendor = this.options.shapes?.get(`${type}@${described?.version}`);
    return vendor ?? shapeOf(described?.body ?? "*");
  }

  #groupId(): string {
    return `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`;
  }

  #living(key: string): ArmObject | undefined {
    const object = this.#objects.get(key);
    if (object !== undefined) return this.#isGone(object) ? undefined : object;
    const target = this.#targetOf(key);
    if (target === undefined || this.#types[target.type]?.given !== true) return undefined;
    return this.#living(target.above ?? "") === undefined
      ? undefined
      : this.#store(target, { properties: { value: "100", source: "system-default" } }, 0);
  }

  #isGone({ deletedMs }: ArmObject): boolean {
    return deletedMs !== undefined && this.now() >= deletedMs;
  }

  #missingAbove({ above = "", type }: Target): Refused | undefined {
    if (above === "" || this.#living(above) !== undefined) return undefined;
    // A blob service is part of its account.
    if (
      above.endsWith("/blobservices/default") &&
      this.#living(above.replace(/\/blobservices.*/, ""))
    )
      return undefined;
    return /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+$/.test(above)
      ? {
          status: 404,
          code: "ResourceGroupNotFound",
          message: `Resource group '${above.split("/").at(-1)}' could not be found.`,
        }
      : {
          status: 404,
          code: "ParentResourceNotFound",
          message: `The parent of the ${type} was not found.`,
        };
  }

  /** Takes an id apart in ARM's way, in any letter case. Undefined: it names no known type. */
  #targetOf(path: string): Target | undefined {
    const segments = path.split("/").slice(1);
    if (segments.length % 2 === 1) {
      const actions = [1, 3].flatMap((length): Target[] => {
        const target = this.#targetOf(`/${segments.slice(0, -length).join("/")}`);
        return target ? [{ ...target, action: segments.slice(-length).join("/") }] : [];
      });
      return actions[0];
    }
    const lower = segments.map((one) => one.toLowerCase());
    const name = segments.at(-1) ?? "";
    const key = `/${lower.join("/")}`;
    const above = `/${lower.slice(0, -2).join("/")}`;
    if (lower.length === 4 && lower[2] === "resourcegroups")
      return { key, id: path, type: GROUPS, name };
    const at = lower.lastIndexOf("providers");
    if (at === -1) return undefined;
    const kinds = lower.slice(at + 2).filter((_, index) => index % 2 === 0);
    const wanted = [lower[at + 1], ...kinds].join("/");
    const type = Object.keys(this.#types).find((one) => one.toLowerCase() === wanted);
    if (type === undefined) return undefined;
    const outside = `/${lower.slice(0, at).join("/")}`;
    const stands = kinds.length > 1 ? above : outside;
    return {
      key,
      id: path,
      type,
      name,
      ...(/^\/subscriptions\/[^/]+$/.test(stands) ? {} : { above: stands }),
    };
  }

  #record(verb: FakeLedgerEntry["verb"], object: ArmObject, by: string): FakeLedgerEntry {
    const { collection, key } = object;
    const entry = { verb, collection, key, name: key, by };
    this.ledger.push(entry);
    return entry;
  }
}

function hasPath(shape: Shape, path: string): boolean {
  let at: Shape | undefined = shape;
  for (const name of path.split(".")) {
    if (at?.is === "any" || at?.is === "map") return true;
    at = at?.is === "object" ? at.members()[name]?.shape() : undefined;
  }
  return at !== undefined;
}

/** Azure shows the group of compute's objects in upper case, and its own words as it likes. */
function shownId({ id, collection }: ArmObject): string {
  return collection.startsWith("Microsoft.Compute/")
    ? id.replace(/\/resourceGroups\/[^/]+/i, (group) => group.toUpperCase())
    : id.replace("/resourceGroups/", "/resourcegroups/");
}

/** The same for each text. */
function uuidFor(text: string): string {
  let number = 0;
  for (const character of text) number = (number * 31 + character.charCodeAt(0)) >>> 0;
  return `${number.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

function notFound({ type, name }: Target): Refused {
  return {
    status: 404,
    code: "ResourceNotFound",
    message: `The Resource '${type}/${name}' was not found.`,
  };
}

function refusal({ status, code, message }: Refused): Response {
  return Response.json(
    { error: { code, message } },
    { status, headers: { "x-ms-request-id": crypto.randomUUID() } },
  );
}

function failed({ status, body, headers = {} }: FakeFault): Response {
  if (status === "dropped") throw new TypeError("The connection was lost");
  const after = status === 429 ? { "retry-after": "7" } : {};
  return Response.json(body ?? { error: { code: "Planted", message: "planted" } }, {
    status,
    headers: { ...after, ...headers },
  });
}
