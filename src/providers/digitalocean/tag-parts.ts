import type { JsonMap } from "#platform/json.ts";
import { marksOn } from "#providers/rest/changes/mark.ts";
import type { RequestSpec } from "#providers/rest/definition.ts";
import type { RestPart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

/**
 * Tags have calls of their own. A tag has to exist before it is attached; creating one that exists changes nothing,
 * and tells how it is written: letter case tells no tags apart.
 * `kind` is the cloud's word for what is tagged.
 */
export function tagParts(kind: "droplet" | "volume" | "database"): readonly RestPart[] {
  const body = { resources: [{ resource_id: "{id}", resource_type: kind }] };
  const path = "/v2/tags/{item}/resources";
  const first = {
    method: "POST",
    path: "/v2/tags",
    body: { name: "{item}" },
    item: "tag.name",
  } as const;
  return [
    { properties: ["tags"], each: "added", first, method: "POST", path, body },
    { properties: ["tags"], each: "removed", method: "DELETE", path, body },
  ];
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
