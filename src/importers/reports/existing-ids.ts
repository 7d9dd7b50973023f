import { holdsSecret } from "#importers/hidden-values.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { mapAt, mapsAt, textAt, textsAt } from "./json-parts.ts";
import { planActionOf } from "./plan-report.ts";
import { reportKindOf } from "./report-kind.ts";
import { isMarked, stateResources, valueResources, type StateResource } from "./state-resources.ts";

/** The vendor's ids of the managed resources that exist, by full address: `module.net.aws_subnet.this["a"]`. */
export type ExistingIds = ReadonlyMap<string, string>;

const MAX_ID = 2_048;

/** Types whose id is made of the secret itself, or is the value that they generate. */
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

/** The ids of what exists already, of a plan, a state's JSON or a raw state; none of any other report. */
export function existingIds(report: JsonMap): ExistingIds {
  const ids = new Map<string, string>();
  const kind = reportKindOf(report);
  if (kind === "terraform-plan") {
    takeIds(ids, valueResources(mapAt(mapAt(report, "prior_state"), "values")));
    takeChanged(ids, report);
  } else if (kind === "terraform-state" || kind === "terraform-raw-state")
    takeIds(ids, stateResources(report));
  return ids;
}

/** The id of one instance; undefined for a data source, a secret and what is no id. */
export function idOf(resource: StateResource): string | undefined {
  if (resource.mode !== "managed" || resource.isSensitive("id")) return undefined;
  return usableId(resource.type, resource.attributes?.["id"]);
}

function takeIds(ids: Map<string, string>, resources: Iterable<StateResource>): void {
  for (const resource of resources) {
    const id = idOf(resource);
    if (id !== undefined) ids.set(resource.address, id);
  }
}

/** What a plan changes has its id before the change, unless the change creates it. */
function takeChanged(ids: Map<string, string>, plan: JsonMap): void {
  for (const planned of mapsAt(plan, "resource_changes")) {
    const address = textAt(planned, "address");
    const change = mapAt(planned, "change");
    const action = planActionOf(textsAt(change, "actions"));
    if (address === undefined || action === undefined || action === "create") continue;
    if (textAt(planned, "mode") === "data" || textAt(planned, "deposed") !== undefined) continue;
    const before = change?.["before"];
    if (!isJsonMap(before) || isMarked(change?.["before_sensitive"], "id")) continue;
    const id = usableId(textAt(planned, "type") ?? "", before["id"]);
    if (id !== undefined) ids.set(address, id);
  }
}

function usableId(type: string, id: unknown): string | undefined {
  if (typeof id !== "string" || id === "" || id.length > MAX_ID) return undefined;
  if (typesWithSecretId.has(type) || hasControl(id) || holdsSecret(id)) return undefined;
  return id;
}

/** An id is one line: a key has several. */
function hasControl(id: string): boolean {
  // oxlint-disable-next-line no-control-regex -- an id has none of them
  return /[\u0000-\u001f\u007f]/.test(id);
}
