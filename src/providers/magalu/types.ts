import { jsonAt } from "#platform/at-path.ts";
import type { JsonMap } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { restTypes } from "#providers/rest/rest-types.ts";
import { computeRows } from "./compute-rows.ts";
import { databaseRows } from "./database-rows.ts";
import { networkRows } from "./network-rows.ts";
import { objectStorageRows } from "./object-storage.ts";

export const magaluTypes = restTypes("magalu", () => ({
  ...networkRows(),
  ...computeRows(),
  ...databaseRows(),
  ...objectStorageRows(),
}));

/** The row for an object with these properties: some of them are said in the query of a call alone. */
export function rowInUse(row: RestType, properties: JsonMap): RestType {
  if (ownsAddress(properties))
    return { ...row, paths: { ...row.paths, delete: `${row.path}/{id}?delete_public_ip=true` } };
  if (properties["skip_default_rules"] === true) {
    const create = `${row.paths?.create ?? row.path}&skip_default_rules=true`;
    return { ...row, paths: { ...row.paths, create } };
  }
  return row;
}

/** Whether the cloud makes a public address for the object, which it would keep when the object is gone. */
function ownsAddress(properties: JsonMap): boolean {
  if (jsonAt(properties, "network.associate_public_ip") === true) return true;
  return properties["visibility"] === "external" && properties["public_ip_id"] === undefined;
}
