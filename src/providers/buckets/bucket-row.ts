import { type Field, field, fields } from "#providers/rest/fields.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { BucketSetting } from "./bucket-settings.ts";

/** The row of a type of buckets, whose calls `with-buckets.ts` makes. `outputs`: those besides the id. */
export function bucketRow({
  description,
  region,
  settings,
  outputs,
}: {
  description: string;
  region: Field;
  settings: readonly BucketSetting[];
  outputs: readonly string[];
}): RestType {
  return {
    description,
    path: "/",
    id: { known: "{name}", within: "{region}" },
    region: { property: "region" },
    defaults: { region: { region: true } },
    takes: fields({
      name: field("The name, unique among all customers of the cloud.", {
        type: "string",
        names: "label",
      }),
      region,
      ...Object.fromEntries(settings.map((one) => [one.property, one.field])),
    }),
    outputs: ["id", ...outputs],
    name: { property: "name", rule: { maxLength: 63 }, unique: true },
    immutable: ["name", "region"],
    update: "PUT",
    // Buckets show no mark. Only their list says when they were made.
    find: { by: "place", createdAt: "CreationDate" },
    timing: { createMinutes: 10, updateMinutes: 10, deleteMinutes: 10 },
  };
}
