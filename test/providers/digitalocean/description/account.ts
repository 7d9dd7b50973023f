import {
  aFlag,
  aMap,
  anInteger,
  aNumber,
  aText,
  aTime,
  aUuid,
  choice,
  listOf,
  object,
  type WrittenCall,
  type WrittenCollection,
} from "#test/support/fake-cloud/write-description.ts";
import { someTexts } from "./shared.ts";

const project = {
  "name!": aText,
  description: aText,
  "purpose!": aText,
  environment: choice("Development", "Staging", "Production"),
};

const alert = {
  "description!": aText,
  "type!": aText,
  "compare!": choice("GreaterThan", "LessThan"),
  "value!": aNumber,
  "window!": choice("5m", "10m", "30m", "1h"),
  "entities!": someTexts,
  "tags!": someTexts,
  "alerts!": object({
    "email!": someTexts,
    "slack!": listOf(object({ "channel!": aText, "url!": aText })),
  }),
  "enabled!": aFlag,
};

const grants = listOf(object({ "bucket!": aText, "permission!": aText }));

const spacesKey = { name: aText, grants };

const shownSpacesKey = { ...spacesKey, access_key: aText, created_at: aTime };

const tagResources = object({
  "resources!": listOf(object({ resource_id: aText, resource_type: aText })),
});

export const accountCollections: readonly WrittenCollection[] = [
  {
    path: "/v2/projects",
    param: "project_id",
    one: "project",
    many: "projects",
    shown: object({
      ...project,
      id: aUuid,
      owner_uuid: aText,
      owner_id: anInteger,
      is_default: aFlag,
      created_at: aTime,
      updated_at: aTime,
    }),
    create: object(project),
    // A change has to send everything.
    update: {
      method: "put",
      body: object({
        "name!": aText,
        "description!": aText,
        "purpose!": aText,
        "environment!": choice("Development", "Staging", "Production"),
        "is_default!": aFlag,
      }),
    },
    paged: true,
  },
  {
    path: "/v2/monitoring/alerts",
    param: "alert_uuid",
    one: "policy",
    many: "policies",
    shown: object({ ...alert, "uuid!": aText }),
    create: object(alert),
    created: 200,
    update: { method: "put", body: object(alert) },
    paged: true,
  },
  {
    path: "/v2/spaces/keys",
    param: "access_key",
    one: "key",
    many: "keys",
    shown: object(shownSpacesKey),
    shownOnce: object({ ...shownSpacesKey, secret_key: aText }),
    create: object(spacesKey),
    paged: true,
    filters: ["name"],
  },
];

export const accountCalls: readonly WrittenCall[] = [
  {
    method: "get",
    path: "/v2/account",
    status: 200,
    answer: object({ account: object({ "email!": aText, "uuid!": aText, "status!": aText }) }),
  },
  {
    method: "post",
    path: "/v2/tags",
    body: object({ name: aText }),
    status: 201,
    answer: object({ tag: object({ name: aText, resources: aMap }) }),
  },
  { method: "delete", path: "/v2/tags/{tag_id}", status: 204 },
  { method: "post", path: "/v2/tags/{tag_id}/resources", body: tagResources, status: 204 },
  { method: "delete", path: "/v2/tags/{tag_id}/resources", body: tagResources, status: 204 },
];
