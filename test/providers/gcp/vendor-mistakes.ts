/** The mistakes of bodies at all levels, by Google's own descriptions: discovery documents, or OpenAPI made of them. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

const run = "GoogleCloudRunV2";
/** Where a type's body is described: `service schema`. */
const schemas: Readonly<Record<string, string>> = {
  "run/Service": `run ${run}Service`,
  "run/Job": `run ${run}Job`,
  "cloudfunctions/Function": "cloudfunctions Function",
  "redis/Instance": "redis Instance",
  "servicenetworking/Connection": "servicenetworking Connection",
  "storage/Bucket": "storage Bucket",
  "secretmanager/Secret": "secretmanager Secret",
  "secretmanager/SecretVersion": "secretmanager AddSecretVersionRequest",
  "pubsub/Topic": "pubsub Topic",
  "pubsub/Subscription": "pubsub Subscription",
  "dns/ManagedZone": "dns ManagedZone",
  "dns/ResourceRecordSet": "dns ResourceRecordSet",
  "iam/ServiceAccount": "iam ServiceAccount",
  "artifactregistry/Repository": "artifactregistry Repository",
  "sql/Instance": "sqladmin DatabaseInstance",
  "sql/Database": "sqladmin Database",
  "sql/User": "sqladmin User",
  "container/Cluster": "container Cluster",
  "container/NodePool": "container NodePool",
  "compute/GlobalAddress": "compute Address",
  "compute/RegionNetworkEndpointGroup": "compute NetworkEndpointGroup",
  "compute/ManagedSslCertificate": "compute SslCertificate",
  "compute/GlobalForwardingRule": "compute ForwardingRule",
  "compute/RegionInstanceGroupManager": "compute InstanceGroupManager",
};

type Schemas = ReadonlyMap<string, JsonMap>;

export function mapAt(value: Json | undefined, ...path: string[]): JsonMap {
  let at = value;
  for (const key of path) at = at !== undefined && isJsonMap(at) ? at[key] : undefined;
  return at !== undefined && isJsonMap(at) ? at : {};
}

export function serviceOf(file: Json): string {
  const { name, servers } = mapAt(file);
  if (typeof name === "string") return name;
  const [first] = Array.isArray(servers) ? servers : [];
  const { url } = mapAt(first);
  return typeof url === "string" ? (/^https:\/\/([a-z]+)\./.exec(url)?.[1] ?? "") : "";
}

/** `undefined` where the files do not describe the type. */
export function vendorMistakes(
  files: readonly Json[],
): (type: string, body: JsonMap) => string[] | undefined {
  const services = new Map<string, Schemas>(
    files.map((file) => {
      const described = { ...mapAt(file, "schemas"), ...mapAt(file, "components", "schemas") };
      return [serviceOf(file), new Map(Object.entries(described).map(([n, s]) => [n, mapAt(s)]))];
    }),
  );
  return (type, body) => {
    const [service = "", schema = ""] = (
      schemas[type] ?? `compute ${type.replace("compute/", "")}`
    ).split(" ");
    const known = services.get(service);
    const root = known?.get(schema);
    return known === undefined || root === undefined
      ? undefined
      : mistakesAt(known, root, body, "");
  };
}

function resolved(known: Schemas, schema: JsonMap): JsonMap {
  const { $ref, allOf } = schema;
  if (typeof $ref === "string") {
    const named = known.get($ref.split("/").at(-1) ?? "");
    return named === undefined ? {} : resolved(known, named);
  }
  const [only] = Array.isArray(allOf) ? allOf : [];
  return only === undefined ? schema : resolved(known, mapAt(only));
}

function mistakesAt(known: Schemas, given: JsonMap, value: Json, path: string): string[] {
  const schema = resolved(known, given);
  const { type, format, items, additionalProperties, enum: choices } = schema;
  if (value === null) return [];
  if (Array.isArray(value))
    return type === "array"
      ? value.flatMap((one, at) => mistakesAt(known, mapAt(items), one, `${path}[${at}]`))
      : [`${path}: no list is expected`];
  if (isJsonMap(value)) {
    const properties = mapAt(schema["properties"]);
    const open = additionalProperties;
    return Object.entries(value).flatMap(([name, one]) => {
      const member = Object.hasOwn(properties, name) ? mapAt(properties[name]) : undefined;
      const at = path === "" ? name : `${path}.${name}`;
      if (member !== undefined) return mistakesAt(known, member, one, at);
      if (open !== undefined && isJsonMap(open)) return mistakesAt(known, open, one, at);
      return open === true || type === undefined || type === "any" ? [] : [`${at} is unknown`];
    });
  }
  if (Array.isArray(choices) && !choices.includes(value)) return [`${path}: no such choice`];
  const isWhole = /int|uint/.test(typeof format === "string" ? format : "");
  const fits =
    type === undefined ||
    typeof value === type ||
    (type === "integer" && typeof value === "number") ||
    (type === "string" && isWhole && typeof value === "number");
  return fits ? [] : [`${path}: not of the type ${JSON.stringify(type)}`];
}
