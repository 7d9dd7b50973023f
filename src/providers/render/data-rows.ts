import {
  aMap,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  text,
  whole,
} from "#providers/rest/fields.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { environmentPart, listedAs, patchOf, type RenderRows } from "./row-parts.ts";

export function dataRows(): RenderRows {
  const ipAllowList = field(
    "Who may connect from outside; by default everybody.",
    listOf(group({ cidrBlock: aText, description: aText }, ["cidrBlock", "description"])),
  );
  const environmentId = text("The id of its environment.");
  const region = text("The region.", "frankfurt", "oregon", "ohio", "singapore", "virginia");
  const shared: Omit<RestType, "path"> = {
    region: { property: "region" },
    defaults: { region: { region: true } },
    refers: { environmentId: "Environment" },
    name: { property: "name" },
    update: "none",
    state: {
      path: "status",
      ready: ["available", "maintenance_scheduled"],
      fail: ["recovery_failed", "suspended"],
    },
    find: { by: "properties", properties: ["name", "plan"], createdAt: "createdAt" },
    timing: { pollMs: 5_000, createMinutes: 60, updateMinutes: 60 },
  };

  return {
    Postgres: {
      ...shared,
      description: "A PostgreSQL database.",
      path: "/v1/postgres",
      paths: { list: "/v1/postgres?ownerId={ownerId}&name={name}" },
      ...listedAs("postgres"),
      takes: fields(
        {
          name: text("The name."),
          plan: text("The plan."),
          version: text("The major version of PostgreSQL."),
          region,
          databaseName: text("The name of the database in it."),
          databaseUser: text("The name of its user."),
          diskSizeGB: whole("The size of its storage in GB. It can only grow."),
          enableDiskAutoscaling: flag("Whether its storage grows by itself."),
          enableHighAvailability: flag("Whether there is a second one that stands in."),
          ipAllowList,
          parameterOverrides: field("Parameters of PostgreSQL.", aMap),
          readReplicas: field(
            "Copies for reading.",
            listOf(group({ name: aText, parameterOverrides: aMap }, ["name"])),
          ),
          datadogAPIKey: text("The key by which it reports to Datadog."),
          datadogSite: text("The site of Datadog."),
          environmentId,
        },
        ["plan", "version"],
      ),
      parts: [
        patchOf(
          "/v1/postgres/{id}",
          "name",
          "plan",
          "diskSizeGB",
          "enableDiskAutoscaling",
          "enableHighAvailability",
          "ipAllowList",
          "parameterOverrides",
          "datadogAPIKey",
          "datadogSite",
        ),
        { properties: ["readReplicas"], method: "PATCH", path: "/v1/postgres/{id}" },
        environmentPart,
      ],
      writeOnly: ["datadogAPIKey", "datadogSite"],
      readOnly: ["readReplicas[*].id"],
      compare: {
        at: {
          enableDiskAutoscaling: "diskAutoscalingEnabled",
          enableHighAvailability: "highAvailabilityEnabled",
        },
        sets: ["ipAllowList", "readReplicas"],
      },
      read: { further: [{ path: "/v1/postgres/{id}/connection-info", to: "connectionInfo" }] },
      secretOutputs: [
        "connectionInfo.password",
        "connectionInfo.internalConnectionString",
        "connectionInfo.externalConnectionString",
        "connectionInfo.psqlCommand",
      ],
    },

    KeyValue: {
      ...shared,
      description: "A key-value store that speaks as Redis does.",
      path: "/v1/key-value",
      paths: { list: "/v1/key-value?ownerId={ownerId}&name={name}" },
      ...listedAs("keyValue"),
      takes: fields(
        {
          name: text("The name."),
          plan: text("The plan.", "free", "starter", "standard", "pro", "pro_plus", "custom"),
          region,
          maxmemoryPolicy: text(
            "What goes first when its memory is full.",
            "noeviction",
            "allkeys_lfu",
            "allkeys_lru",
            "allkeys_random",
            "volatile_lfu",
            "volatile_lru",
            "volatile_random",
            "volatile_ttl",
          ),
          ipAllowList,
          environmentId,
        },
        ["plan"],
      ),
      parts: [
        patchOf("/v1/key-value/{id}", "name", "plan", "maxmemoryPolicy", "ipAllowList"),
        environmentPart,
      ],
      // It is shown in a spelling of its own, among `options`.
      writeOnly: ["maxmemoryPolicy"],
      compare: { sets: ["ipAllowList"] },
      read: { further: [{ path: "/v1/key-value/{id}/connection-info", to: "connectionInfo" }] },
      secretOutputs: [
        "connectionInfo.internalConnectionString",
        "connectionInfo.externalConnectionString",
        "connectionInfo.cliCommand",
      ],
    },
  };
}
