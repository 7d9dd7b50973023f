import {
  aFlag,
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
import {
  type RenderRows,
  environmentPart,
  fileParts,
  listedAs,
  patchOf,
  variableParts,
} from "./row-parts.ts";

const NOTIFICATIONS = "/v1/notification-settings/overrides/services";
const GROUP = "/v1/env-groups/{id}";

export function workspaceRows(): RenderRows {
  const ipAllowList = field(
    "Who may connect from outside.",
    listOf(group({ cidrBlock: aText, description: aText }, ["cidrBlock", "description"])),
  );
  const byDefault = { notificationsToSend: "default", previewNotificationsEnabled: "default" };
  const protectedStatus = oneOf("unprotected", "protected");
  const found = { by: "properties", properties: ["name"], createdAt: "createdAt" } as const;

  return {
    EnvGroup: {
      description: "Environment variables and secret files that services share.",
      path: "/v1/env-groups",
      paths: { list: "/v1/env-groups?ownerId={ownerId}&name={name}" },
      refers: { "serviceIds[*]": "Service", environmentId: "Environment" },
      takes: fields(
        {
          name: text("The name."),
          envVars: field(
            "The variables.",
            listOf(group({ key: aText, value: aText, generateValue: aFlag }, ["key"])),
          ),
          secretFiles: field(
            "The secret files.",
            listOf(group({ name: aText, content: aText }, ["name", "content"])),
          ),
          serviceIds: texts("The ids of the services that have it."),
          environmentId: text("The id of its environment."),
        },
        ["envVars"],
      ),
      name: { property: "name" },
      update: "none",
      parts: [
        patchOf(GROUP, "name"),
        ...variableParts(GROUP),
        ...fileParts(GROUP),
        {
          properties: ["serviceIds"],
          each: "added",
          method: "POST",
          path: `${GROUP}/services/{item}`,
        },
        {
          properties: ["serviceIds"],
          each: "removed",
          method: "DELETE",
          path: `${GROUP}/services/{item}`,
        },
        environmentPart,
      ],
      // The answer shows the services themselves in place of their ids.
      writeOnly: ["envVars[*].generateValue", "serviceIds"],
      secretOutputs: ["envVars[*].value", "secretFiles[*].content"],
      compare: { sets: ["envVars", "secretFiles"] },
      find: found,
    },

    // The settings of the workspace itself are every tenant's.
    ServiceNotifications: {
      description: "What the team is told of a service. A delete sets it back to the workspace's.",
      path: `${NOTIFICATIONS}/{serviceId}`,
      paths: { item: `${NOTIFICATIONS}/{id}` },
      id: { known: "{serviceId}" },
      singleton: { reset: byDefault },
      refers: { serviceId: "Service" },
      takes: fields(
        {
          serviceId: text("The id of its service."),
          notificationsToSend: text("What it tells.", "default", "none", "failure", "all"),
          previewNotificationsEnabled: text("Whether previews tell.", "default", "false", "true"),
        },
        ["serviceId"],
      ),
      outputs: ["id"],
      update: "PATCH",
      fallback: byDefault,
    },

    Project: {
      description: "A project: environments that belong together.",
      path: "/v1/projects",
      paths: { list: "/v1/projects?ownerId={ownerId}&name={name}" },
      ...listedAs("project"),
      takes: fields(
        {
          name: text("The name."),
          environments: field(
            "The environments that it is made with, at least one.",
            listOf(
              group(
                {
                  name: aText,
                  protectedStatus,
                  networkIsolationEnabled: aFlag,
                  ipAllowList: ipAllowList.is,
                },
                ["name"],
              ),
            ),
          ),
        },
        ["environments"],
      ),
      name: { property: "name" },
      update: "none",
      parts: [patchOf("/v1/projects/{id}", "name")],
      onlyAtCreate: {
        environments: "Write environments that change as resources of the type render:Environment.",
      },
      writeOnly: ["environments"],
      find: found,
    },

    Environment: {
      description: "An environment of a project.",
      path: "/v1/environments",
      paths: { list: "/v1/environments?projectId={projectId}&name={name}" },
      ...listedAs("environment"),
      refers: { projectId: "Project" },
      location: ["projectId"],
      takes: fields(
        {
          projectId: text("The id of its project."),
          name: text("The name."),
          protectedStatus: field("Whether only admins change what is in it.", protectedStatus),
          networkIsolationEnabled: flag("Whether others cannot reach it by the private network."),
          ipAllowList,
        },
        ["projectId"],
      ),
      name: { property: "name" },
      update: "none",
      parts: [
        patchOf(
          "/v1/environments/{id}",
          "name",
          "protectedStatus",
          "networkIsolationEnabled",
          "ipAllowList",
        ),
      ],
      compare: { sets: ["ipAllowList"] },
      // It does not say when it was made.
      find: { by: "name" },
    },

    RegistryCredential: {
      description: "The credential of a container registry.",
      path: "/v1/registrycredentials",
      paths: { list: "/v1/registrycredentials?ownerId={ownerId}&name={name}" },
      takes: fields(
        {
          registry: text(
            "The registry.",
            "GITHUB",
            "GITLAB",
            "DOCKER",
            "GOOGLE_ARTIFACT",
            "AWS_ECR",
          ),
          name: text("The name."),
          username: text("The name of the user there."),
          authToken: text("The token or password."),
        },
        ["registry", "username", "authToken"],
      ),
      outputs: ["id", "updatedAt"],
      name: { property: "name" },
      update: "none",
      parts: [patchOf("/v1/registrycredentials/{id}", "registry", "name", "username", "authToken")],
      writeOnly: ["authToken"],
      find: { by: "name" },
    },

    Webhook: {
      description: "A URL that is told of events of the workspace.",
      path: "/v1/webhooks",
      paths: { list: "/v1/webhooks?ownerId={ownerId}" },
      ...listedAs("webhook"),
      takes: fields(
        {
          name: text("The name."),
          url: text("The URL."),
          enabled: flag("Whether it is told."),
          eventFilter: texts("The events; none: all of them."),
        },
        ["url", "enabled", "eventFilter"],
      ),
      outputs: ["id", "secret"],
      name: { property: "name" },
      update: "none",
      parts: [patchOf("/v1/webhooks/{id}", "name", "url", "enabled", "eventFilter")],
      secretOutputs: ["secret"],
      compare: { sets: ["eventFilter"] },
      find: { by: "name" },
    },
  };
}
