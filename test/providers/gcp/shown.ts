/** An object as Google shows it: with links, numbers as text, the project's number for its id, and without what is empty. */
import { changedAt } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { type Kind, kinds } from "./kinds.ts";

export const PROJECT = "shop-project";
export const NUMBER = "123456789012";
export const REGION = "europe-west1";
export const ZONE = "europe-west1-b";

export interface GoogleObject {
  id: string;
  type: string;
  number: number;
  body: JsonMap;
  createdMs: number;
  readyMs: number;
  version: number;
}

export function isDestroyed({ body }: GoogleObject): boolean {
  return body["destroyed"] === true;
}

export function printOf({ number, version }: GoogleObject): string {
  return btoa(`${number}-${version}`);
}

export function peeringOf(service: string): string {
  return service.replaceAll(".", "-");
}

export function linkOf({ host, base }: Kind, id: string): string {
  return host === "compute"
    ? `https://www.googleapis.com/compute/v1/${id}`
    : `https://${host}.googleapis.com${base}${id}`;
}

/** `state`: where the type has one. */
export function shownObject(object: GoogleObject, state: string | undefined): JsonMap {
  const kind = kinds[object.type];
  if (kind === undefined) throw new Error(object.type);
  const body = withoutEmpty(object.body);
  const shown = byService(kind, object, isJsonMap(body) ? body : {});
  return state === undefined || kind.states === undefined
    ? shown
    : changedAt(shown, kind.states.at, () => state);
}

function byService(kind: Kind, object: GoogleObject, body: JsonMap): JsonMap {
  const { id, number, createdMs } = object;
  const created = new Date(createdMs).toISOString();
  switch (kind.answers) {
    case "compute":
      return ofCompute(kind, object, body, created);
    case "sql":
      return ofSql(kind, object, body, created);
    case "container": {
      const masterAuth = { clientKey: "canary-cluster-client-key-0123456789" };
      return {
        ...body,
        selfLink: linkOf(kind, id),
        endpoint: "198.51.100.9",
        labelFingerprint: printOf(object),
        ...(object.type === "container/Cluster" ? { masterAuth } : {}),
      };
    }
    case "dns":
      return { ...body, id: String(number), creationTime: created, nameServers: ["ns.example."] };
    case "lro":
    case "object":
      return ofOthers(object, body, created);
  }
}

function ofCompute(kind: Kind, object: GoogleObject, body: JsonMap, created: string): JsonMap {
  const { id, type, number } = object;
  const fingerprint = printOf(object);
  const links = linked(body);
  const { machineType, sizeGb } = body;
  const places = ["zone", "region"].flatMap((place): [string, string][] => {
    const at = new RegExp(`/${place}s/([^/]+)/`).exec(id)?.[1];
    return at === undefined ? [] : [[place, computeLink(`${place}s/${at}`)]];
  });
  const member = (name: string): JsonMap => {
    const value = body[name];
    return { [name]: { ...(value !== undefined && isJsonMap(value) ? value : {}), fingerprint } };
  };
  return {
    ...(type.endsWith("Address") ? { address: "203.0.113.7", status: "RESERVED" } : {}),
    ...(isJsonMap(links) ? links : {}),
    ...Object.fromEntries(places),
    id: String(number),
    kind: `compute#${type}`,
    creationTimestamp: created,
    selfLink: linkOf(kind, id),
    fingerprint,
    labelFingerprint: fingerprint,
    ...(typeof machineType === "string"
      ? {
          machineType: computeLink(`zones/${ZONE}/machineTypes/${machineType.split("/").at(-1)}`),
        }
      : {}),
    ...(typeof sizeGb === "number" ? { sizeGb: String(sizeGb) } : {}),
    ...(type === "compute/Instance" ? { ...member("tags"), ...member("metadata") } : {}),
  };
}

function computeLink(rest: string): string {
  return `https://www.googleapis.com/compute/v1/projects/${PROJECT}/${rest}`;
}

function ofSql(kind: Kind, { id, type, version }: GoogleObject, body: JsonMap, created: string) {
  const { rootPassword: _, password: __, ...told } = body;
  const shown = { ...told, selfLink: linkOf(kind, id), project: PROJECT };
  if (type !== "sql/Instance") return shown;
  return {
    ...changedAt(shown, "settings.settingsVersion", () => String(version)),
    createTime: created,
    connectionName: `${PROJECT}:${REGION}:${id.split("/").at(-1)}`,
  };
}

function ofOthers(object: GoogleObject, body: JsonMap, created: string): JsonMap {
  const { id, type, number, version } = object;
  const { payload: _, destroyed: __, ...told } = body;
  switch (type) {
    case "dns/ResourceRecordSet":
      return told;
    case "servicenetworking/Connection": {
      const service = id.split("/").at(-1) ?? "";
      const network = numbered(id.replace(/\/services\/[^/]+$/, ""));
      return { ...told, network, service: `services/${service}`, peering: peeringOf(service) };
    }
    case "storage/Bucket": {
      const { location = "US" } = body;
      return {
        ...told,
        id: id.slice(2),
        name: id.slice(2),
        location: typeof location === "string" ? location.toUpperCase() : location,
        metageneration: String(version),
        timeCreated: created,
      };
    }
    case "iam/ServiceAccount":
      return { ...told, name: id, email: id.split("/").at(-1) ?? "", uniqueId: String(number) };
    case "secretmanager/Secret":
      return { ...told, name: numbered(id), createTime: created };
    case "secretmanager/SecretVersion": {
      const state = isDestroyed(object) ? "DESTROYED" : "ENABLED";
      return { ...told, name: numbered(id), createTime: created, state };
    }
    default:
      return { ...told, name: id, createTime: created, uri: "https://web-x.run.app" };
  }
}

function numbered(id: string): string {
  return id.replace(`projects/${PROJECT}/`, `projects/${NUMBER}/`);
}

/** References as full URLs. */
function linked(value: Json): Json {
  if (typeof value === "string")
    return value.startsWith("projects/") ? `https://www.googleapis.com/compute/v1/${value}` : value;
  if (Array.isArray(value)) return value.map(linked);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, linked(one)]));
}

function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== false && one !== 0 && one !== "" && one !== null)
      .map(([key, one]) => [key, withoutEmpty(one)]),
  );
}
