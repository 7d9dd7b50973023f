import { aNumber, field, flag, group, oneOf, text, texts, whole } from "#providers/rest/fields.ts";
import type { RestPart } from "#providers/rest/rest-part.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { DATABASE, foundBy, paged, regional } from "./place.ts";

export function databaseRows(): RestRows {
  const volume = field(
    "Its storage: the size in GiB, which can grow, and the type.",
    group(
      {
        size: aNumber,
        type: oneOf(
          "CLOUD_NVME15K",
          "CLOUD_NVME20K",
          "CLOUD_NVME30K",
          "CLOUD_NVME40K",
          "CLOUD_NVME50K",
        ),
      },
      ["size"],
    ),
  );
  /** The common properties of single databases and clusters. */
  const database = {
    name: text("The name."),
    engine_id: text("The id of the engine in its version."),
    instance_type_id: text("The id of the machines' type. A change resizes them."),
    user: text("The name of the first user."),
    password: text("The password of the first user."),
    volume,
    parameter_group_id: text("The id of its parameter group."),
    backup_retention_days: whole("For how many days backups are kept."),
    backup_start_at: text("When backups are made, for example 04:00:00."),
    deletion_protected: flag("Whether it cannot be deleted."),
  };
  const required = ["engine_id", "instance_type_id", "user", "password", "volume"];

  const inPlace = [
    "parameter_group_id",
    "backup_retention_days",
    "backup_start_at",
    "deletion_protected",
  ];
  /** A resize takes one of the two, and the next call waits for it. */
  const resized = (path: string): RestPart[] => [
    { properties: ["instance_type_id"], method: "POST", path: `${path}/resize` },
    {
      properties: ["volume.size"],
      method: "POST",
      path: `${path}/resize`,
      body: { volume: { size: "{volume.size}" } },
    },
  ];
  const parts = (path: string): RestPart[] => [
    { properties: inPlace, method: "PATCH", path, absent: "keep" },
    ...resized(path),
  ];
  const said = "Change it in the database, and name it in `ignoreChanges`.";
  const instances = {
    name: { property: "name", rule: { maxLength: 63, letterFirst: true } },
    envelope: { list: "results" },
    ...paged(25),
    update: "none",
    state: {
      path: "status",
      ready: ["ACTIVE"],
      fail: ["ERROR", "ERROR_RESIZING"],
      gone: ["DELETED"],
    },
    ...foundBy("name"),
    delete: { asynchronous: true },
    timing: { createMinutes: 90, updateMinutes: 120, deleteMinutes: 45 },
  } as const;
  /** For types with a first user, whom no call changes. */
  const withUser = {
    immutable: ["volume.type"],
    onlyAtCreate: { user: said, password: said },
  } as const;

  return {
    Database: {
      description: "A managed database.",
      path: `${DATABASE}/instances`,
      refers: { "security_groups[*]": "SecurityGroup", parameter_group_id: "ParameterGroup" },
      ...regional(
        {
          ...database,
          security_groups: texts("The ids of its security groups."),
          availability_zone: text("The zone, for example br-se1-a."),
        },
        required,
      ),
      ...instances,
      ...withUser,
      parts: parts(`${DATABASE}/instances/{id}`),
      writeOnly: ["user", "password", "security_groups"],
    },

    DatabaseCluster: {
      description: "A managed database of several machines.",
      path: `${DATABASE}/clusters`,
      refers: { parameter_group_id: "ParameterGroup" },
      ...regional(database, required),
      ...instances,
      ...withUser,
      parts: parts(`${DATABASE}/clusters/{id}`),
      writeOnly: ["user", "password"],
    },

    DatabaseReplica: {
      description: "A copy of a database, for reading.",
      path: `${DATABASE}/replicas`,
      refers: { source_id: "Database", "security_groups[*]": "SecurityGroup" },
      ...regional(
        {
          source_id: text("The id of its database."),
          name: text("The name."),
          instance_type_id: text("The id of the machine's type. A change resizes it."),
          security_groups: texts("The ids of its security groups."),
        },
        ["source_id"],
      ),
      ...instances,
      location: ["source_id"],
      parts: [
        {
          properties: ["instance_type_id"],
          method: "POST",
          path: `${DATABASE}/replicas/{id}/resize`,
          absent: "keep",
        },
      ],
      writeOnly: ["security_groups"],
    },

    ParameterGroup: {
      description: "A group of engine parameters.",
      path: `${DATABASE}/parameter-groups`,
      envelope: { list: "results" },
      ...paged(25),
      ...regional(
        {
          name: text("The name."),
          description: text("A description."),
          engine_id: text("The id of the engine in its version."),
        },
        ["engine_id"],
      ),
      name: { property: "name", rule: { maxLength: 100, letterFirst: true } },
      update: "none",
      parts: [
        {
          properties: ["name"],
          method: "PATCH",
          path: `${DATABASE}/parameter-groups/{id}`,
        },
        {
          properties: ["description"],
          method: "PATCH",
          path: `${DATABASE}/parameter-groups/{id}`,
          absent: { description: "" },
        },
      ],
      // Nothing says when they were made.
      find: { by: "name" },
    },
  };
}
