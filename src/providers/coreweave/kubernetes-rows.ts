/** Objects of Kubernetes that are applied to a cluster, each by its path there. */
import {
  aMap,
  aText,
  type Field,
  field,
  fields,
  flag,
  group,
  text,
} from "#providers/rest/fields.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";

/** The annotation that names the create of an object. */
export const MARK = "control-api/step";

const texts = { type: "object", items: aText } as const;

/** Properties that stand in the path of every object, and not in its body. */
const above = ["clusterId", "namespace", "name"];

interface Applied extends Partial<RestType> {
  about: string;
  members?: Readonly<Record<string, Field>>;
  needs?: readonly string[];
}

/** The row of a kind, whose name is the type's. `path`: its collection, by which its API version is known. */
function applied(path: string, { about, members = {}, needs = [], ...more }: Applied): RestType {
  const isPlaced = path.includes("{namespace}");
  return {
    description: `${about} (preview).`,
    path,
    id: {
      within: isPlaced ? "{clusterId}/{namespace}" : "{clusterId}",
      known: "{name}",
      at: "name",
    },
    name: { property: "name", rule: { maxLength: 63, letterFirst: true }, unique: true },
    location: ["clusterId"],
    unsent: above,
    refers: { clusterId: "Cluster", ...(isPlaced ? { namespace: "any" } : {}) },
    takes: fields(
      {
        clusterId: text("The id of its cluster."),
        ...(isPlaced ? { namespace: text("The name of its namespace.") } : {}),
        name: text("The name."),
        metadata: field("Labels and annotations.", group({ labels: texts, annotations: texts })),
        ...members,
      },
      ["clusterId", ...(isPlaced ? ["namespace"] : []), ...needs],
    ),
    create: { method: "PUT", guard: "read" },
    find: { by: "label", property: "metadata.annotations", key: MARK, as: "uuid" },
    update: "PUT",
    state: { path: "readiness", ready: ["ready"], fail: ["failed"], mendable: true },
    ...more,
    immutable: ["clusterId", "name", ...(more.immutable ?? [])],
  };
}

export function kubernetesRows(): RestRows {
  const spec = { spec: field("As Kubernetes describes it.", aMap) };
  const core = "/api/v1/namespaces";
  return {
    NodePool: applied("/apis/compute.coreweave.com/v1alpha1/nodepools", {
      about: "Nodes of a cluster",
      members: spec,
      needs: ["spec"],
      immutable: ["spec.instanceType"],
      timing: { pollMs: 15_000, createMinutes: 60, updateMinutes: 60, deleteMinutes: 60 },
      deleteFirst: true,
    }),
    Namespace: applied(core, { about: "A namespace of a cluster" }),
    Deployment: applied("/apis/apps/v1/namespaces/{namespace}/deployments", {
      about: "Containers that run",
      members: spec,
      needs: ["spec"],
      immutable: ["spec.selector"],
      deleteFirst: true,
    }),
    StatefulSet: applied("/apis/apps/v1/namespaces/{namespace}/statefulsets", {
      about: "Containers that run, each with a name and storage of its own",
      members: spec,
      needs: ["spec"],
      immutable: [
        "spec.selector",
        "spec.serviceName",
        "spec.podManagementPolicy",
        "spec.volumeClaimTemplates",
      ],
      timing: { createMinutes: 60, updateMinutes: 60 },
      deleteFirst: true,
    }),
    Job: applied("/apis/batch/v1/namespaces/{namespace}/jobs", {
      about:
        "Containers that run until they succeed, for which a deployment waits. One that goes by its `ttlSecondsAfterFinished` is run again",
      members: spec,
      needs: ["spec"],
      immutable: [
        "spec.template",
        "spec.selector",
        "spec.manualSelector",
        "spec.completions",
        "spec.completionMode",
        "spec.podFailurePolicy",
        "spec.backoffLimitPerIndex",
      ],
      timing: { createMinutes: 60 },
      deleteFirst: true,
    }),
    Service: applied(`${core}/{namespace}/services`, {
      about: "An address of containers",
      members: spec,
      needs: ["spec"],
      immutable: ["spec.clusterIP"],
      deleteFirst: true,
    }),
    Ingress: applied("/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses", {
      about: "How requests from outside reach services",
      members: spec,
      needs: ["spec"],
      deleteFirst: true,
    }),
    ConfigMap: applied(`${core}/{namespace}/configmaps`, {
      about: "Settings of containers",
      members: {
        data: field("Texts by their names.", texts),
        binaryData: field("Values in base64.", texts),
        immutable: flag("Whether it can be changed."),
      },
      facts: { oneWay: ["immutable"] },
    }),
    Secret: applied(`${core}/{namespace}/secrets`, {
      about: "A secret of a cluster",
      members: {
        type: text("The kind of secret."),
        data: field("Values in base64.", texts),
        stringData: field("Values as they are.", texts),
        immutable: flag("Whether it can be changed."),
      },
      immutable: ["type"],
      writeOnly: ["data", "stringData"],
      secretOutputs: ["data", "stringData"],
      facts: { oneWay: ["immutable"] },
    }),
    PersistentVolumeClaim: applied(`${core}/{namespace}/persistentvolumeclaims`, {
      about: "Storage",
      members: spec,
      needs: ["spec"],
      immutable: ["spec.accessModes", "spec.storageClassName", "spec.volumeMode"],
    }),
  };
}
