import type { ItemQuestion } from "#providers/rest/definition.ts";
import { type Field, fields, text } from "#providers/rest/fields.ts";
import type { DueItem } from "#providers/rest/rest-part.ts";
import type { Paging, RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";

/** The regions, which are the first segment of every path: `api.magalu.cloud/br-se1`. */
export const regions = ["br-se1", "br-ne1", "br-mgl1"] as const;

/** The paths of a service in the region of the object. */
export const COMPUTE = "/{region}/compute/v1";
export const VOLUMES = "/{region}/volume/v1/volumes";
export const SNAPSHOTS = "/{region}/volume/v1/snapshots";
export const NETWORK = "/{region}/network";
export const DATABASE = "/{region}/database/v2";
export const CLUSTERS = "/{region}/kubernetes/v0/clusters";
export const REGISTRIES = "/{region}/container-registry/v0/registries";
export const BALANCERS = "/{region}/load-balancer/v0beta1/network-load-balancers";

/** A row with the version of the API that its calls name, if they name one. */
export interface MagaluType extends RestType {
  apiVersion?: string;
}

/** The headers of every call for an object of the row. */
export function headersOf({ apiVersion }: MagaluType): Readonly<Record<string, string>> {
  return apiVersion === undefined ? {} : { "x-api-version": apiVersion };
}

/**
 * The properties of an object, its region among them, which is the target's where the template leaves it out. A create
 * answers the id alone, so the object is read after it.
 */
export function regional(
  named: Readonly<Record<string, Field>>,
  required: readonly string[] = [],
): Pick<RestType, "defaults" | "name" | "read" | "region" | "takes"> {
  const region = text("The region. Without one, the target's.", ...regions);
  return {
    takes: fields({ region, ...named }, required),
    region: { property: "region" },
    defaults: { region: { region: true } },
    read: { back: true },
    ...(named["name"] === undefined ? {} : { name: { property: "name" } }),
  };
}

/** Lists come in pages that are counted by items. */
export function paged(count: number): { paging: Paging } {
  const size = { query: "_limit", count };
  return { paging: { by: "offset", query: "_offset", size, total: "meta.page.total" } };
}

/** A volume alone shows its machine. One that is attached already, or no longer, needs no call. */
export function beforeItem({ part }: DueItem, id: string): ItemQuestion | undefined {
  if (part.properties[0] !== "volumes") return undefined;
  const removes = part.each === "removed";
  return {
    request: { method: "GET", path: `${VOLUMES}/{item}?expand=attachment` },
    told: (json) => ((valueAt(json, "attachment.instance.id") === id) === removes ? "due" : "done"),
    ...(removes && { gone: "done" }),
  };
}

/** The name alone proves nothing. It counts for the only object with it that was made since the create was sent. */
export function foundBy(...properties: readonly string[]): Pick<RestType, "find"> {
  return { find: { by: "properties", properties, createdAt: "created_at" } };
}
