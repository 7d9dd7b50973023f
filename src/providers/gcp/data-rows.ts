import { kubernetesLeftovers } from "#providers/rest/kubernetes-leftovers.ts";
import type { RestPart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { type GcpRow, gcpRow, methodPart } from "./gcp-row.ts";

const SQL = "/v1/";

function sql(row: GcpRow): RestType {
  return gcpRow("sqladmin", SQL, {
    envelope: { list: "items" },
    timing: { pollMs: 5_000, createMinutes: 60, updateMinutes: 60, deleteMinutes: 30 },
    ...row,
  });
}

/** These objects do not say when they were made: an equal one proves nothing, but a list without one does. */
const alike: RestType["find"] = { by: "properties", properties: ["name"], createdAt: "createTime" };

const K8S = "/v1/";

/** A setting of a cluster. Each call takes one. */
const setting = (property: string, desired: string): RestPart => ({
  properties: [property],
  method: "PUT",
  path: `${K8S}{+id}`,
  body: { update: { [desired]: `{${property}}` } },
});

export function dataRows(): RestRows {
  return {
    "sql/Instance": sql({
      about: "A database server of Cloud SQL.",
      at: "projects/{project}/instances",
      takes:
        "name region databaseVersion settings rootPassword masterInstanceName replicaConfiguration diskEncryptionConfiguration instanceType maintenanceVersion gceZone secondaryGceZone",
      required: ["databaseVersion", "settings"],
      region: { property: "region", more: ["settings.backupConfiguration.location"] },
      defaults: { region: { region: true } },
      refers: {
        masterInstanceName: "any",
        "settings.ipConfiguration.privateNetwork": "compute/Network",
        "diskEncryptionConfiguration.kmsKeyName": "any",
      },
      name: { rule: { maxLength: 80, letterFirst: true } },
      marks: "settings.userLabels",
      update: "MERGE",
      carried: ["settings.settingsVersion"],
      immutable: ["region", "masterInstanceName", "instanceType", "diskEncryptionConfiguration"],
      createOnly: ["rootPassword"],
      writeOnly: ["rootPassword", "gceZone", "secondaryGceZone"],
      state: { path: "state", ready: ["RUNNABLE"], fail: ["FAILED", "SUSPENDED"] },
      read: { back: true },
    }),
    "sql/Database": sql({
      about: "A database on a server of Cloud SQL.",
      at: "{+instance}/databases",
      takes: "name charset collation",
      required: ["instance"],
      refers: { instance: "sql/Instance" },
      name: { rule: { maxLength: 63, letterFirst: true, alphabet: "underscores" } },
      find: alike,
      update: "MERGE",
      read: { back: true },
    }),
    "sql/User": sql({
      about: "A user of a server of Cloud SQL.",
      at: "{+instance}/users",
      takes: "name password type databaseRoles passwordPolicy",
      required: ["instance"],
      refers: { instance: "sql/Instance" },
      name: { rule: { maxLength: 32, letterFirst: true, alphabet: "underscores" } },
      paths: {
        update: `${SQL}{+instance}/users?name={name}`,
        delete: `${SQL}{+instance}/users?name={name}`,
      },
      find: alike,
      update: "PUT",
      immutable: ["type"],
      writeOnly: ["password", "databaseRoles"],
      read: { back: true },
    }),
    "container/Cluster": gcpRow("container", K8S, {
      about: "A Kubernetes cluster.",
      at: "projects/{project}/locations/{location}/clusters",
      takes:
        "name description initialNodeCount nodeConfig network subnetwork ipAllocationPolicy privateClusterConfig autopilot releaseChannel initialClusterVersion locations addonsConfig autoscaling loggingConfig monitoringConfig masterAuthorizedNetworksConfig workloadIdentityConfig verticalPodAutoscaling notificationConfig resourceLabels maintenancePolicy networkConfig shieldedNodes databaseEncryption defaultMaxPodsConstraint networkPolicy",
      refers: {
        network: "compute/Network",
        subnetwork: "compute/Subnetwork",
        "databaseEncryption.keyName": "any",
      },
      facts: { regionShape: "zone", leaves: kubernetesLeftovers },
      name: { rule: { maxLength: 40, letterFirst: true } },
      bodyKey: "cluster",
      envelope: { list: "clusters" },
      marks: "resourceLabels",
      secretOutputs: ["masterAuth.clientKey", "masterAuth.password"],
      writeOnly: ["initialNodeCount", "nodeConfig", "initialClusterVersion"],
      parts: [
        methodPart(K8S, ":setResourceLabels", "resourceLabels", {
          carried: { labelFingerprint: "labelFingerprint" },
        }),
        methodPart(K8S, ":setMaintenancePolicy", "maintenancePolicy"),
        setting("releaseChannel", "desiredReleaseChannel"),
        setting("locations", "desiredLocations"),
        setting("addonsConfig", "desiredAddonsConfig"),
        setting("autoscaling", "desiredClusterAutoscaling"),
        setting("loggingConfig", "desiredLoggingConfig"),
        setting("monitoringConfig", "desiredMonitoringConfig"),
        setting("masterAuthorizedNetworksConfig", "desiredMasterAuthorizedNetworksConfig"),
        setting("workloadIdentityConfig", "desiredWorkloadIdentityConfig"),
        setting("verticalPodAutoscaling", "desiredVerticalPodAutoscaling"),
        setting("notificationConfig", "desiredNotificationConfig"),
      ],
      state: { path: "status", ready: ["RUNNING"], fail: ["ERROR", "DEGRADED"] },
      read: { back: true },
      timing: { pollMs: 10_000, createMinutes: 60, updateMinutes: 60, deleteMinutes: 60 },
    }),
    "container/NodePool": gcpRow("container", K8S, {
      about: "Nodes of a cluster.",
      at: "{+cluster}/nodePools",
      takes:
        "name config initialNodeCount autoscaling management locations upgradeSettings version maxPodsConstraint networkConfig placementPolicy",
      required: ["cluster"],
      refers: { cluster: "container/Cluster" },
      name: { rule: { maxLength: 40, letterFirst: true } },
      bodyKey: "nodePool",
      envelope: { list: "nodePools" },
      marks: "config.resourceLabels",
      writeOnly: ["initialNodeCount"],
      parts: [
        methodPart(K8S, ":setSize", "initialNodeCount", {
          body: { nodeCount: "{initialNodeCount}" },
        }),
        methodPart(K8S, ":setAutoscaling", "autoscaling"),
        methodPart(K8S, ":setManagement", "management"),
        ...["locations", "upgradeSettings"].map((property): RestPart => ({
          properties: [property],
          method: "PUT",
          path: `${K8S}{+id}`,
        })),
        {
          properties: ["version"],
          method: "PUT",
          path: `${K8S}{+id}`,
          body: { nodeVersion: "{version}" },
        },
      ],
      state: { path: "status", ready: ["RUNNING"], fail: ["ERROR", "RUNNING_WITH_ERROR"] },
      read: { back: true },
      timing: { pollMs: 10_000, createMinutes: 60, updateMinutes: 60, deleteMinutes: 60 },
    }),
  };
}
