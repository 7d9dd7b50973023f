import { aText, field, fields, group, listOf, oneOf, text } from "#providers/rest/fields.ts";
import { envelope } from "./envelope.ts";
import { label } from "./fields.ts";
import type { DigitalOceanRows } from "./prepare-request.ts";

export function accountRows(): DigitalOceanRows {
  return {
    Project: {
      description: "A project, in which other objects are grouped by their `project_id`.",
      path: "/v2/projects",
      ...envelope("project"),
      takes: fields(
        {
          name: label("The name, unique in the account."),
          description: label("A description."),
          purpose: label("What it is for."),
          environment: text("The environment.", "Development", "Staging", "Production"),
        },
        ["purpose"],
      ),
      outputs: ["id", "owner_uuid", "owner_id", "is_default", "created_at", "updated_at"],
      name: { property: "name", rule: { maxLength: 175 }, unique: true },
      // An update has to send everything.
      update: "PUT",
      mergesCurrent: true,
      fallback: { description: "", environment: "Development" },
      readOnly: ["id", "owner_uuid", "owner_id", "created_at", "updated_at"],
      find: { by: "properties", properties: ["name"], createdAt: "created_at" },
    },

    SpacesKey: {
      description: "An access key for Spaces. The secret key is shown once.",
      path: "/v2/spaces/keys",
      ...envelope("key"),
      id: { at: "access_key" },
      refers: { "grants[*].permission": "any" },
      takes: fields({
        name: label("The name."),
        grants: field(
          "What it may do; `fullaccess` has an empty bucket.",
          listOf(
            group({ bucket: aText, permission: oneOf("read", "readwrite", "fullaccess", "") }, [
              "bucket",
              "permission",
            ]),
          ),
        ),
      }),
      outputs: ["id", "access_key", "secret_key", "created_at"],
      name: { property: "name" },
      // A later answer lacks the secret key, which others have as an output: a changed key is a new one.
      update: "none",
      secretOutputs: ["secret_key"],
      compare: { sets: ["grants"] },
    },
  };
}
