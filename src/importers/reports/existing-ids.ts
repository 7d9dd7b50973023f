import { holdsSecret } from "#importers/hidden-values.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { mapAt, mapsAt, textAt, textsAt } from "./json-parts.ts";
import { planActionOf } from "./plan-report.ts";
import { reportKindOf } from "./report-kind.ts";
import { isMarked, stateResources, valueResources, type StateResource } from "./state-resources.ts";

/** The existing managed resources by full address: `module.net.aws_subnet.this["a"]`. */
export type ExistingIds = ReadonlyMap<string, ExistingObject>;

/** The identity of an existing object. */
export interface ExistingObject {
  /** In the form of the source's tool. */
  id: string;
  /** Attributes from which our id is made where it differs from `id`; see {@link identityAttributes}. */
  names: ReadonlyMap<string, string>;
}

/** Names, addresses and ids of other objects, from which the mapping tables make ids. */
export const identityAttributes = [
  "addon_name",
  "api_id",
  "arn",
  "cluster",
  "cluster_id",
  "cluster_name",
  "database_id",
  "destination_cidr_block",
  "firewall_group_id",
  "fqdn",
  "function_name",
  "identifier",
  "instance",
  "instance_id",
  "load_balancer_id",
  "log_group_name",
  "member",
  "name",
  "node_group_name",
  "project",
  "public_ip",
  "region",
  "resource_id",
  "resource_manager_id",
  "resource_versionless_id",
  "rest_api_id",
  "role",
  "route_table_id",
  "scalable_dimension",
  "scope",
  "service_account_id",
  "service_namespace",
  "statement_id",
  "type",
  "user_pool_id",
  "uuid",
  "volume_id",
  "vpc_id",
  "zone_id",
] as const;

const MAX_ID = 2_048;

/** Types whose id contains the secret, or is the generated value. */
const typesWithSecretId = new Set([
  "bcrypt_hash",
  "htpasswd_password",
  "local_file",
  "local_sensitive_file",
  "random_bytes",
  "random_id",
  "random_password",
  "random_string",
  "random_uuid",
  "tls_private_key",
]);

/** The ids of existing objects in a plan, a state's JSON or a raw state; empty for any other report. */
export function existingIds(report: JsonMap): ExistingIds {
  const ids = new Map<string, ExistingObject>();
  const kind = reportKindOf(report);
  if (kind === "terraform-plan") {
    takeIds(ids, valueResources(mapAt(mapAt(report, "prior_state"), "values")));
    takeChanged(ids, report);
  } else if (kind === "terraform-state" || kind === "terraform-raw-state")
    takeIds(ids, stateResources(report));
  return ids;
}

/** The identity of one instance; undefined for a data source, a secret and an instance without an id. */
function objectOf({
  mode,
  type,
  attributes,
  isSensitive,
}: StateResource): ExistingObject | undefined {
  return mode === "managed" && attributes !== undefined
    ? objectIn(attributes, type, isSensitive)
    : undefined;
}

function objectIn(
  attributes: JsonMap,
  type: string,
  isSensitive: (attribute: string) => boolean,
): ExistingObject | undefined {
  const told = (name: string): string | undefined =>
    isSensitive(name) ? undefined : usableId(type, attributes[name]);
  const id = told("id");
  if (id === undefined) return undefined;
  const names = new Map<string, string>();
  for (const name of identityAttributes) {
    const value = Object.hasOwn(attributes, name) ? told(name) : undefined;
    if (value !== undefined) names.set(name, value);
  }
  return { id, names };
}

function takeIds(ids: Map<string, ExistingObject>, resources: Iterable<StateResource>): void {
  for (const resource of resources) {
    const object = objectOf(resource);
    if (object !== undefined) ids.set(resource.address, object);
  }
}

/** A changed resource has its id in `before`, unless the plan creates it. */
function takeChanged(ids: Map<string, ExistingObject>, plan: JsonMap): void {
  for (const planned of mapsAt(plan, "resource_changes")) {
    const address = textAt(planned, "address");
    const change = mapAt(planned, "change");
    const action = planActionOf(textsAt(change, "actions"));
    if (address === undefined || action === undefined || action === "create") continue;
    if (textAt(planned, "mode") === "data" || textAt(planned, "deposed") !== undefined) continue;
    const before = change?.["before"];
    if (!isJsonMap(before)) continue;
    const isSensitive = (attribute: string) => isMarked(change?.["before_sensitive"], attribute);
    const object = objectIn(before, textAt(planned, "type") ?? "", isSensitive);
    if (object !== undefined) ids.set(address, object);
  }
}

function usableId(type: string, id: unknown): string | undefined {
  if (typeof id !== "string" || id === "" || id.length > MAX_ID) return undefined;
  if (typesWithSecretId.has(type) || hasControl(id) || holdsSecret(id)) return undefined;
  return id;
}

/** An id is one line. A key has several. */
function hasControl(id: string): boolean {
  // oxlint-disable-next-line no-control-regex -- an id has none of them
  return /[\u0000-\u001f\u007f]/.test(id);
}
