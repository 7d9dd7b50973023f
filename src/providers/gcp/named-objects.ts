/**
 * What the properties of an object name, for targets that tenants share. Google takes names of objects in hundreds of
 * properties, and most services run as the project's own account where none is named. So every text that looks like a
 * name counts, whichever property has it; and short names where properties of that name take them.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { NamedObject, ProviderContext, ResourceCall } from "#providers/provider.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { parseTypeName } from "#providers/type-name.ts";
import { isMemberType } from "./iam-members.ts";
import { relativeName, typesOfId } from "./resource-id.ts";
import { gcpTypes } from "./types.ts";

/** Texts for people and programs, and rights of others on an own object: Google follows nothing in them. */
const isText =
  /^(?:description|displayName|labels|userLabels|resourceLabels|annotations|metadata|value|args|command|payload|password|rootPassword|rrdatas|oauthScopes|scopes)$/;
const isAccount = /^(?:serviceAccount|serviceAccountEmail|gcpServiceAccount|email)$/;
/** Short names and addresses that can be of anybody. */
const isAnybodys =
  /^(?:natIP|natIp|externalIpv6|allocatedIpRange|sourceImage|sourceSnapshot|sourceInstantSnapshot|sourceMachineImage)$/;
const typeOf: Readonly<Record<string, string>> = {
  bucket: "storage/Bucket",
  network: "compute/Network",
  subnetwork: "compute/Subnetwork",
};

/** What Google offers to everybody. */
const offered =
  /^(?:projects\/[^/]+\/)?(?:(?:zones|regions)\/[^/]+|roles\/[^/]+|(?:(?:global|zones\/[^/]+|regions\/[^/]+)\/)?(?:machineTypes|diskTypes|acceleratorTypes|nodeTypes|licenses)\/[^/]+)$/;
const publicImage =
  /^projects\/(?:centos-cloud|cos-cloud|debian-cloud|fedora-coreos-cloud|opensuse-cloud|rhel-cloud|rhel-sap-cloud|rocky-linux-cloud|suse-cloud|suse-sap-cloud|ubuntu-os-cloud|ubuntu-os-pro-cloud|windows-cloud|windows-sql-cloud)\/global\/images\/(?:family\/)?[^/]+$/;
/** Compute Engine takes these of the target's project. */
const partial = /^(?:global|zones\/[^/]+|regions\/[^/]+)\/[A-Za-z]+\/[^\s]+$/;
const bare =
  /^(?:addresses|backendBuckets|backendServices|disks|images|instances|instanceTemplates|machineImages|networks|secrets|serviceAccounts|snapshots|subnetworks|subscriptions|topics|urlMaps)\/[^\s]+$/;
/** A name in whatever form a service may still understand. */
const likeName =
  /projects(?:\/|%2f)+[^/\s]+(?:\/|%2f)|googleapis\.com(?:\/|%2f)|gserviceaccount\.com|^gs:\/\//i;
/** What services may read as another name. */
const odd = /(?:^|\/)\.{0,2}(?:\/|$)|[%?#\\\s]/;
const ADDRESS = /^[a-z0-9-]+@([a-z0-9.:-]+)\.iam\.gserviceaccount\.com$/;

/** Where a service runs as the project's own account unless the template names another. */
const runsAs: Readonly<Record<string, (properties: JsonMap) => string[]>> = {
  "run/Service": () => ["template.serviceAccount"],
  "run/Job": () => ["template.template.serviceAccount"],
  "cloudfunctions/Function": (properties) => [
    "buildConfig.serviceAccount",
    "serviceConfig.serviceAccountEmail",
    ...(isSet(properties, "eventTrigger") ? ["eventTrigger.serviceAccountEmail"] : []),
  ],
  "container/NodePool": () => ["config.serviceAccount"],
  "container/Cluster": (properties) => [
    ...(isSet(properties, "autopilot") ? [] : ["nodeConfig.serviceAccount"]),
    ...(isSet(properties, "autopilot") || isSet(properties, "autoscaling")
      ? ["autoscaling.autoprovisioningNodePoolDefaults.serviceAccount"]
      : []),
  ],
  "compute/Instance": (properties) => accountsIn(properties, "serviceAccounts"),
  "compute/InstanceTemplate": (properties) => accountsIn(properties, "properties.serviceAccounts"),
};

/** The objects that these properties name, each once. */
export function namedObjects(
  { config }: Pick<ProviderContext, "config">,
  { type, properties }: Pick<ResourceCall, "type" | "properties">,
): NamedObject[] {
  const name = parseTypeName(type)?.name ?? "";
  if (name === "cloudresourcemanager/ProjectIamMember")
    return [{ what: "everything in the project", owners: [] }];
  if (isMemberType(type)) return [];
  const project = typeof config["project"] === "string" ? config["project"] : "";
  const named = new Map<string, NamedObject>();
  const add = (path: string, owners: NamedObject["owners"]): void => {
    named.set(`${path} ${JSON.stringify(owners)}`, { what: `what ${path} names`, owners });
  };
  const walk = (value: Json, path: string, key: string): void => {
    if (isJsonMap(value))
      for (const [member, below] of Object.entries(value)) {
        const at = path === "" ? member : `${path}.${member.slice(0, 100)}`;
        const ofKey = ownersOf(member, "", project);
        if (ofKey !== undefined) add(path, ofKey);
        if (!isText.test(member)) walk(below, at, member);
      }
    else if (Array.isArray(value)) for (const item of value) walk(item, path, key);
    else {
      const owners = value === null ? undefined : ownersOf(String(value), key, project);
      // What has the name may be a secret.
      if (owners !== undefined) add(path, owners);
    }
  };
  walk(properties, "", "");
  const listed = gcpTypes.rowOf(type)?.takes?.properties ?? {};
  for (const key of Object.keys(properties))
    if (!Object.hasOwn(listed, key)) add(`the unlisted property ${key.slice(0, 100)}`, []);
  for (const path of runsAs[name]?.(properties) ?? [])
    if (!isSet(properties, path))
      named.set(path, {
        what: `the project's own service account, as ${path} is not set`,
        owners: [],
      });
  return [...named.values()];
}

/** Who may name what the text names; undefined: it names nothing. */
function ownersOf(text: string, key: string, project: string): NamedObject["owners"] | undefined {
  if (text === "") return undefined;
  const of = relativeName(text);
  if (offered.test(of) || publicImage.test(of)) return undefined;
  if (isAccount.test(key) || ADDRESS.test(of)) return accountOf(of, project);
  if (isAnybodys.test(key)) return [];
  if (key === "reservedPeeringRanges")
    return [
      { type: "gcp:compute/GlobalAddress", id: `projects/${project}/global/addresses/${of}` },
    ];
  const known = typeOf[key];
  if (known !== undefined) return [{ type: `gcp:${known}`, id: of }];
  const image = imageOwners(text, project);
  if (image !== undefined) return image;
  if (partial.test(of)) return objectsIn(`projects/${project}/${of}`);
  if (of.startsWith(`projects/${project}/`)) return objectsIn(of);
  return likeName.test(text) || bare.test(of) ? [] : undefined;
}

function accountOf(text: string, project: string): NamedObject["owners"] {
  const address = text.split("/").at(-1) ?? "";
  if (ADDRESS.exec(address)?.[1] !== project) return [];
  const id = `projects/${project}/serviceAccounts/${address}`;
  return text === address || text === id ? [{ type: "gcp:iam/ServiceAccount", id }] : [];
}

/** The object with this id and all that it is in. */
function objectsIn(id: string): NamedObject["owners"] {
  if (odd.test(id)) return [];
  const segments = id.split("/");
  return segments.flatMap((_, at) => {
    const one = segments.slice(0, at + 1).join("/");
    return typesOfId(one).map((type) => ({ type, id: one }));
  });
}

/** Of a container image in a repository of the project. */
function imageOwners(text: string, project: string): NamedObject["owners"] | undefined {
  const found = /^([a-z0-9-]+-docker\.pkg\.dev|(?:[a-z]+\.)?gcr\.io)\/(.+)$/i.exec(text);
  if (found === null) return undefined;
  const [, host = "", path = ""] = found;
  const own = `${project.replace(":", "/")}/`;
  if (!path.startsWith(own)) return undefined;
  const repository = path.slice(own.length).split(/[/:@]/)[0] ?? "";
  const location = /^(.+)-docker\.pkg\.dev$/.exec(host)?.[1];
  if (location === undefined) return [];
  const id = `projects/${project}/locations/${location}/repositories/${repository}`;
  return [{ type: "gcp:artifactregistry/Repository", id }];
}

function isSet(properties: JsonMap, path: string): boolean {
  const value = valueAt(properties, path);
  return value !== undefined && value !== null && value !== "";
}

/** The addresses that the accounts of a machine have. A machine without accounts has no rights. */
function accountsIn(properties: JsonMap, path: string): string[] {
  const accounts = valueAt(properties, path);
  return Array.isArray(accounts) ? accounts.map((_, at) => `${path}.${at}.email`) : [];
}
