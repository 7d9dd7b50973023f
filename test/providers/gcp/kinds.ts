/** How the services of the fake Google differ: where objects stand, how they are named, answered and changed. */
export interface Kind {
  host: string;
  /** Before an id in a path. */
  base: string;
  /** The collection, with `*` for any segment. */
  at: string;
  /** What a change is answered with. */
  answers: "compute" | "sql" | "container" | "lro" | "object" | "dns";
  /** Where the name of a new object stands: in the body, in a query parameter, in the path, or as an account. */
  named: "body" | "path" | "account" | "version" | "record" | { query: string };
  /** The member of a create's body that has the object. */
  key?: string;
  /** The key of a list; default `items`. */
  list?: string;
  /** How PATCH changes it. */
  patch?: "merge" | "mask" | { maskKey: string };
  /** Only with the fingerprint that it shows. */
  fingerprint?: "fingerprint" | "metageneration";
  /** The state when it is usable, and the one before. */
  states?: { at: string; ready: string; slow: string; failed: string };
  /** A create leaves labels out: only `setLabels` takes them. */
  labelledLater?: true;
}

const LOCATION = "projects/*/locations/*/";

const compute = (at: string, more: Partial<Kind> = {}): Kind => ({
  host: "compute",
  base: "/compute/v1/",
  at: `projects/*/${at}`,
  answers: "compute",
  named: "body",
  ...more,
});
const run = (name: string): Kind => ({
  host: "run",
  base: "/v2/",
  at: `${LOCATION}${name}s`,
  answers: "lro",
  named: { query: `${name}Id` },
  list: `${name}s`,
  patch: "mask",
  states: {
    at: "terminalCondition.state",
    ready: "CONDITION_SUCCEEDED",
    slow: "CONDITION_PENDING",
    failed: "CONDITION_FAILED",
  },
});
const located = (host: string, version: string, name: string, ready: string): Kind => ({
  host,
  base: `/${version}/`,
  at: `${LOCATION}${name}s`,
  answers: "lro",
  named: { query: `${name}Id` },
  list: `${name}s`,
  patch: "mask",
  states: { at: "state", ready, slow: "DEPLOYING", failed: "FAILED" },
});
const pubsub = (name: string): Kind => ({
  host: "pubsub",
  base: "/v1/",
  at: `projects/*/${name}s`,
  answers: "object",
  named: "path",
  list: `${name}s`,
  patch: { maskKey: name },
});
const sql = (at: string, more: Partial<Kind> = {}): Kind => ({
  host: "sqladmin",
  base: "/v1/",
  at: `projects/*/${at}`,
  answers: "sql",
  named: "body",
  patch: "merge",
  ...more,
});
const container = (at: string, key: string, list: string): Kind => ({
  host: "container",
  base: "/v1/",
  at: `${LOCATION}${at}`,
  answers: "container",
  named: "body",
  key,
  list,
  states: { at: "status", ready: "RUNNING", slow: "PROVISIONING", failed: "ERROR" },
});

export const kinds: Readonly<Record<string, Kind>> = {
  "run/Service": run("service"),
  "run/Job": run("job"),
  "cloudfunctions/Function": located("cloudfunctions", "v2", "function", "ACTIVE"),
  "redis/Instance": located("redis", "v1", "instance", "READY"),
  "storage/Bucket": {
    host: "storage",
    base: "/storage/v1/",
    at: "b",
    answers: "object",
    named: "body",
    patch: "merge",
    fingerprint: "metageneration",
  },
  "secretmanager/Secret": {
    host: "secretmanager",
    base: "/v1/",
    at: "projects/*/secrets",
    answers: "object",
    named: { query: "secretId" },
    list: "secrets",
    patch: "mask",
  },
  "secretmanager/SecretVersion": {
    host: "secretmanager",
    base: "/v1/",
    at: "projects/*/secrets/*/versions",
    answers: "object",
    named: "version",
    list: "versions",
  },
  "pubsub/Topic": pubsub("topic"),
  "pubsub/Subscription": pubsub("subscription"),
  // As `connections.ts` translates its calls.
  "servicenetworking/Connection": {
    host: "servicenetworking",
    base: "/v1/",
    at: "projects/*/global/networks/*/services",
    answers: "lro",
    named: "path",
    list: "connections",
    patch: "mask",
  },
  "dns/ManagedZone": {
    host: "dns",
    base: "/dns/v1/",
    at: "projects/*/managedZones",
    answers: "dns",
    named: "body",
    list: "managedZones",
    patch: "merge",
  },
  "dns/ResourceRecordSet": {
    host: "dns",
    base: "/dns/v1/",
    at: "projects/*/managedZones/*/rrsets",
    answers: "object",
    named: "record",
    list: "rrsets",
    patch: "merge",
  },
  "iam/ServiceAccount": {
    host: "iam",
    base: "/v1/",
    at: "projects/*/serviceAccounts",
    answers: "object",
    named: "account",
    key: "serviceAccount",
    list: "accounts",
    patch: { maskKey: "serviceAccount" },
  },
  "artifactregistry/Repository": {
    host: "artifactregistry",
    base: "/v1/",
    at: `${LOCATION}repositories`,
    answers: "lro",
    named: { query: "repositoryId" },
    list: "repositories",
    patch: "mask",
  },
  "sql/Instance": sql("instances", {
    states: { at: "state", ready: "RUNNABLE", slow: "PENDING_CREATE", failed: "FAILED" },
  }),
  "sql/Database": sql("instances/*/databases"),
  "sql/User": sql("instances/*/users"),
  "container/Cluster": container("clusters", "cluster", "clusters"),
  "container/NodePool": container("clusters/*/nodePools", "nodePool", "nodePools"),
  "compute/Network": compute("global/networks", { patch: "merge" }),
  "compute/Subnetwork": compute("regions/*/subnetworks", {
    patch: "merge",
    fingerprint: "fingerprint",
  }),
  "compute/Firewall": compute("global/firewalls", { patch: "merge" }),
  "compute/Address": compute("regions/*/addresses", { labelledLater: true }),
  "compute/GlobalAddress": compute("global/addresses", { labelledLater: true }),
  "compute/Router": compute("regions/*/routers", { patch: "merge" }),
  "compute/Disk": compute("zones/*/disks", {
    states: { at: "status", ready: "READY", slow: "CREATING", failed: "FAILED" },
  }),
  "compute/Instance": compute("zones/*/instances", {
    states: { at: "status", ready: "RUNNING", slow: "STAGING", failed: "STAGING" },
  }),
  "compute/InstanceTemplate": compute("global/instanceTemplates"),
  "compute/HealthCheck": compute("global/healthChecks", { patch: "merge" }),
  "compute/RegionNetworkEndpointGroup": compute("regions/*/networkEndpointGroups"),
  "compute/BackendService": compute("global/backendServices", {
    patch: "merge",
    fingerprint: "fingerprint",
  }),
  "compute/UrlMap": compute("global/urlMaps", { patch: "merge", fingerprint: "fingerprint" }),
  "compute/TargetHttpsProxy": compute("global/targetHttpsProxies"),
  "compute/ManagedSslCertificate": compute("global/sslCertificates"),
  "compute/TargetHttpProxy": compute("global/targetHttpProxies"),
  "compute/GlobalForwardingRule": compute("global/forwardingRules", { labelledLater: true }),
  "compute/InstanceGroupManager": compute("zones/*/instanceGroupManagers", {
    patch: "merge",
    fingerprint: "fingerprint",
  }),
  "compute/RegionInstanceGroupManager": compute("regions/*/instanceGroupManagers", {
    patch: "merge",
    fingerprint: "fingerprint",
  }),
};

export interface Found {
  type: string;
  kind: Kind;
  /** Of the collection, without the base. */
  collection: string;
  /** Absent: the collection itself. */
  id?: string;
  /** A method of the object, `setLabels`, `setIamPolicy`. */
  method?: string;
}

/** What a path leads to. */
export function foundAt(host: string, path: string): Found | undefined {
  for (const [type, kind] of Object.entries(kinds)) {
    if (kind.host !== host || !path.startsWith(kind.base)) continue;
    const [plain = "", verb] = path.slice(kind.base.length).split(/:(?=[a-zA-Z]+$)/);
    const segments = plain
      // These methods of proxies stand outside `global`, and no others.
      .replace(
        /(?<!\/global)(?=\/targetHttps?Proxies\/[^/]+\/(?:setUrlMap|setSslCertificates)$)/,
        "/global",
      )
      // The ports of a managed group are set on the group that it manages.
      .replace(/\/instanceGroups\/([^/]+\/setNamedPorts)$/, "/instanceGroupManagers/$1")
      .split("/");
    const form = kind.at.split("/");
    const own = kind.named === "record" ? 2 : 1;
    const fits = form.every((one, at) => one === "*" || one === segments[at]);
    const left = segments.length - form.length;
    if (!fits || left < 0) continue;
    const version = kinds["secretmanager/SecretVersion"];
    if (verb === "addVersion" && version !== undefined)
      return {
        type: "secretmanager/SecretVersion",
        kind: version,
        collection: `${plain}/versions`,
        method: verb,
      };
    const of = { type, kind, collection: segments.slice(0, form.length).join("/") };
    if (left === 0) return { ...of, ...(verb !== undefined && { method: verb }) };
    const id = segments.slice(0, form.length + own).join("/");
    if (left === own) return { ...of, id, ...(verb !== undefined && { method: verb }) };
    const isMethod =
      left === own + 1 && /^(set|expand|resize|iam|add|authString$)/.test(segments.at(-1) ?? "");
    if (isMethod) return { ...of, id, method: segments.at(-1) ?? "" };
  }
  return undefined;
}
