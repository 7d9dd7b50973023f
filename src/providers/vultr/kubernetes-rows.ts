import {
  aFlag,
  aMap,
  aNumber,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  text,
  whole,
} from "#providers/rest/fields.ts";
import { kubernetesLeftovers } from "#providers/rest/kubernetes-leftovers.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { envelope, inRegion, since } from "./row-parts.ts";

const CLUSTERS = "/v2/kubernetes/clusters";

export function kubernetesRows(): RestRows {
  const taints = listOf(
    group({
      key: aText,
      value: aText,
      effect: oneOf("NoSchedule", "PreferNoSchedule", "NoExecute"),
    }),
  );

  const pool = group(
    {
      node_quantity: aNumber,
      label: aText,
      plan: aText,
      tag: aText,
      auto_scaler: aFlag,
      min_nodes: aNumber,
      max_nodes: aNumber,
      labels: aMap,
      taints,
    },
    ["node_quantity", "label", "plan"],
  );

  return {
    Kubernetes: {
      description: "A Kubernetes cluster, with the node pools that it is created with.",
      facts: {
        leaves: kubernetesLeftovers,
      },
      path: CLUSTERS,
      ...envelope("vke_cluster"),
      ...inRegion,
      refers: { vpc_id: "Vpc" },
      takes: fields(
        {
          label: text("What it is called."),
          region: text("The region's id."),
          version: text("The version, for example v1.33.0+1. A newer one upgrades the cluster."),
          node_pools: field(
            "The first node pools, as the cluster is created with them: use NodePool for what changes.",
            listOf(pool),
          ),
          vpc_id: text("The id of its VPC."),
          ha_controlplanes: flag("Whether the control plane is highly available."),
          enable_firewall: flag("Whether a firewall group is made for its nodes."),
        },
        ["version"],
      ),
      name: { property: "label" },
      update: "PUT",
      fallback: { label: "" },
      parts: [
        {
          properties: ["version"],
          method: "POST",
          path: `${CLUSTERS}/{id}/upgrades`,
          body: { upgrade_version: "{version}" },
        },
      ],
      createOnly: ["region", "vpc_id", "ha_controlplanes", "enable_firewall"],
      // A replacement would end everything that runs on the cluster.
      onlyAtCreate: {
        node_pools: "Pools that change are resources of the type vultr:NodePool.",
      },
      writeOnly: ["node_pools", "vpc_id", "enable_firewall"],
      read: {
        further: [{ path: `${CLUSTERS}/{id}/config`, from: "kube_config", to: "kube_config" }],
      },
      secretOutputs: ["kube_config"],
      state: { path: "status", ready: ["active"] },
      ...since("label", "region"),
      delete: { asynchronous: true },
      timing: { pollMs: 10_000, createMinutes: 45, updateMinutes: 90, deleteMinutes: 30 },
    },

    NodePool: {
      description: "A node pool of a Kubernetes cluster.",
      path: `${CLUSTERS}/{cluster_id}/node-pools`,
      ...envelope("node_pool"),
      refers: { cluster_id: "Kubernetes" },
      takes: fields(
        {
          cluster_id: text("The id of its cluster."),
          label: text("What it is called; unique in the cluster."),
          plan: text("The plan's id of its nodes."),
          node_quantity: whole("How many nodes. With `auto_scaler` name it in `ignoreChanges`."),
          tag: text("The tag of its nodes."),
          auto_scaler: flag("Whether the count is scaled by load."),
          min_nodes: whole("The smallest count when scaled."),
          max_nodes: whole("The largest count when scaled."),
          labels: field("Kubernetes labels of the nodes.", aMap),
          taints: field("Kubernetes taints of the nodes.", taints),
        },
        ["cluster_id", "plan", "node_quantity"],
      ),
      name: { property: "label", unique: true },
      update: "PATCH",
      fallback: { tag: "", auto_scaler: false, min_nodes: 1, max_nodes: 1, labels: {}, taints: [] },
      createOnly: ["label", "plan"],
      compare: { sets: ["taints"] },
      state: { path: "status", ready: ["active"] },
      ...since("label", "plan"),
      delete: { asynchronous: true },
      timing: { pollMs: 10_000, createMinutes: 30, updateMinutes: 30, deleteMinutes: 30 },
    },
  };
}
