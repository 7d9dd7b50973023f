import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { Answered } from "#providers/rest/definition.ts";
import { objectSpreads } from "#providers/rest/spreading.ts";
import type { Answer } from "#providers/transport.ts";
import { clusterError, managementError } from "./meaning.ts";
import { readinessOf } from "./readiness.ts";

const answer = (status: number, json?: Json): Answer => ({
  ok: true,
  status,
  headers: new Headers(),
  ...(json === undefined ? {} : { json }),
});
const said = (message: string): Json => ({ code: 9, message });

describe("a refusal by CoreWeave's own API", () => {
  it.each<[number, Json | undefined, Answered["verb"], string | undefined]>([
    [404, said("VPC not found"), "read", undefined],
    [404, undefined, "read", "busy"],
    [404, said("VPC not found"), "create", "invalid"],
    [404, said("cluster not found"), "session", "invalid"],
    [409, said("a VPC with this name already exists"), "create", "exists"],
    [409, said("the cluster is being updated"), "update", "busy"],
    [400, said("VPC is still in use by a cluster"), "delete", "busy"],
    [429, said("quota exceeded for zone"), "create", "quota"],
    [429, said("rate limit exceeded"), "read", "throttled"],
    [400, said("version is not supported"), "create", undefined],
  ])("%i %j of a %s is %s", (status, json, verb, means) => {
    expect(managementError(answer(status, json), { verb }).means).toBe(means);
  });
});

describe("a refusal by a cluster", () => {
  const status = (reason: string, more: Record<string, Json> = {}): Json => ({
    kind: "Status",
    reason,
    message: `said ${reason}`,
    ...more,
  });
  it.each<[number, Json | undefined, Answered["verb"], string | undefined]>([
    [404, status("NotFound", { details: { name: "web", kind: "deployments" } }), "read", "gone"],
    [404, status("NotFound"), "read", "invalid"],
    [404, undefined, "read", "busy"],
    [409, status("Conflict"), "update", "busy"],
    [409, status("AlreadyExists"), "create", "exists"],
    [403, status("Forbidden", { message: "exceeded quota: compute" }), "create", "quota"],
  ])("%i %j of a %s is %s", (code, json, verb, means) => {
    expect(clusterError(answer(code, json), { verb }).means).toBe(means);
  });

  it("of a create waits for the kind or the place that it does not find", () => {
    const error = clusterError(answer(404, status("NotFound")), { verb: "create" });
    expect(error.spreads).toEqual(objectSpreads);
  });

  it("names the right that is missing", () => {
    const message = 'User "a" cannot patch resource "deployments" in API group "apps"';
    const error = clusterError(answer(403, status("Forbidden", { message })), { verb: "create" });
    expect(error).toMatchObject({ means: "denied", permission: "patch deployments" });
  });
});

describe("the readiness of an object", () => {
  const at = (type: string, state: string, more: Record<string, Json> = {}): Json => [
    { type, status: state, ...more },
  ];
  it.each<[string, Record<string, Json>, string]>([
    ["Namespace", { status: { phase: "Active" } }, "ready"],
    ["Namespace", { metadata: { deletionTimestamp: "now" }, status: {} }, "deleting"],
    ["Deployment", { metadata: { generation: 2 }, status: { observedGeneration: 1 } }, "waiting"],
    [
      "Deployment",
      {
        spec: { replicas: 2 },
        status: { updatedReplicas: 1, conditions: at("Available", "True") },
      },
      "waiting",
    ],
    [
      "Deployment",
      {
        status: { conditions: at("Progressing", "False", { reason: "ProgressDeadlineExceeded" }) },
      },
      "failed",
    ],
    ["StatefulSet", { metadata: { generation: 2 }, status: { observedGeneration: 1 } }, "waiting"],
    [
      "StatefulSet",
      { spec: { replicas: 2 }, status: { readyReplicas: 2, updatedReplicas: 1 } },
      "waiting",
    ],
    [
      "StatefulSet",
      { spec: { replicas: 2 }, status: { readyReplicas: 1, updatedReplicas: 2 } },
      "waiting",
    ],
    [
      "StatefulSet",
      { spec: { replicas: 2 }, status: { readyReplicas: 2, updatedReplicas: 2 } },
      "ready",
    ],
    [
      "StatefulSet",
      {
        spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
        status: { readyReplicas: 3, updatedReplicas: 1 },
      },
      "ready",
    ],
    [
      "StatefulSet",
      {
        spec: { updateStrategy: { type: "OnDelete" } },
        status: { readyReplicas: 1 },
      },
      "ready",
    ],
    ["StatefulSet", { spec: { replicas: 0 }, status: {} }, "ready"],
    ["Job", { status: {} }, "waiting"],
    ["Job", { spec: { suspend: true }, status: {} }, "ready"],
    ["Job", { status: { conditions: at("Complete", "True") } }, "ready"],
    ["Job", { status: { conditions: at("Failed", "True") } }, "failed"],
    ["ConfigMap", {}, "ready"],
    ["Service", { spec: { type: "LoadBalancer" }, status: { loadBalancer: {} } }, "waiting"],
    ["Service", { spec: { type: "ClusterIP" } }, "ready"],
    ["PersistentVolumeClaim", { status: { phase: "Pending" } }, "ready"],
    ["PersistentVolumeClaim", { status: { phase: "Lost" } }, "failed"],
    ["NodePool", { status: { conditions: at("Validated", "False") } }, "failed"],
    ["NodePool", { status: { conditions: at("AtTarget", "True") } }, "ready"],
    ["NodePool", {}, "waiting"],
    ["Secret", {}, "ready"],
  ])("%s %j is %s", (kind, object, readiness) => {
    expect(readinessOf(kind, object)).toBe(readiness);
  });
});
