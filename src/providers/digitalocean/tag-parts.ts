import type { JsonMap } from "#platform/json.ts";
import { marksOn } from "#providers/rest/changes/mark.ts";
import type { ItemQuestion, RequestSpec } from "#providers/rest/definition.ts";
import type { DueItem, RestPart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";

/** `kind` is the cloud's word for what is tagged. */
export function tagParts(
  kind: "droplet" | "volume" | "volume_snapshot" | "database",
): readonly RestPart[] {
  const body = { resources: [{ resource_id: "{id}", resource_type: kind }] };
  const path = "/v2/tags/{item}/resources";
  return [
    { properties: ["tags"], each: "added", method: "POST", path, body },
    { properties: ["tags"], each: "removed", method: "DELETE", path, body },
  ];
}

/**
 * A tag has to exist before it is attached. The create of an existing one changes nothing, and its answer has the
 * spelling: letter case tells no tags apart.
 */
export function beforeItem({ part, item }: DueItem): ItemQuestion | undefined {
  if (part.each !== "added" || part.properties[0] !== "tags") return undefined;
  return {
    request: { method: "POST", path: "/v2/tags", body: { name: item } },
    told: (json) => {
      const name = valueAt(json, "tag.name");
      return { item: typeof name === "string" && name !== "" ? name : item };
    },
  };
}

/** By a tag of its own. */
export const byMark = { by: "tag", property: "tags" } as const;

/** The marks of an object, which DigitalOcean would keep as tags when it is gone. */
export function leftovers(row: RestType): ((object: JsonMap) => RequestSpec[]) | undefined {
  if (row.find?.by !== "tag") return undefined;
  return (object) =>
    marksOn(row, object).map((mark) => ({
      method: "DELETE",
      path: `/v2/tags/${encodeURIComponent(mark)}`,
      filled: true,
    }));
}
