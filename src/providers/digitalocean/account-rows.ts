import {
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  text,
  texts,
} from "#providers/rest/fields.ts";
import { envelope } from "./envelope.ts";
import { aContent, aLabel, amount, choice, label, someLabels } from "./fields.ts";
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

    MonitoringAlert: {
      description: "An alert policy: who is told when a metric of some objects passes a value.",
      path: "/v2/monitoring/alerts",
      envelope: { create: "policy", read: "policy", update: "policy", list: "policies" },
      id: { at: "uuid" },
      // Without entities and tags a policy is about all objects of the account.
      refers: { type: "any" },
      takes: fields(
        {
          description: label("What it is for. A lost create is looked for by it."),
          type: choice("The metric, for example `v1/insights/droplet/cpu`."),
          compare: text("When it alerts.", "GreaterThan", "LessThan"),
          value: amount("The value that the metric is compared with."),
          window: text("Over how long the metric is taken.", "5m", "10m", "30m", "1h"),
          entities: texts("The ids of the objects, of the kind that `type` names."),
          tags: texts("The tags of the objects."),
          alerts: field(
            "Who is told: addresses of the team's members, and Slack channels by their webhooks.",
            group(
              {
                email: someLabels,
                slack: listOf(group({ channel: aLabel, url: aContent }, ["channel", "url"])),
              },
              ["email", "slack"],
            ),
          ),
          enabled: flag("Whether it alerts."),
        },
        [
          "description",
          "type",
          "compare",
          "value",
          "window",
          "entities",
          "tags",
          "alerts",
          "enabled",
        ],
      ),
      outputs: ["id", "uuid"],
      update: "PUT",
      compare: { sets: ["entities", "tags", "alerts.email", "alerts.slack"] },
      // Like a record, a policy does not say when it was made.
      find: { by: "properties", properties: ["description", "type"], createdAt: "created_at" },
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
