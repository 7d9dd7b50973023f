import { jsonAt } from "#platform/at-path.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";

export type Readiness = "ready" | "waiting" | "failed" | "deleting";

function conditionOf(object: JsonMap, type: string): JsonMap | undefined {
  const conditions = jsonAt(object, "status.conditions");
  const found = Array.isArray(conditions)
    ? conditions.find((one) => isJsonMap(one) && one["type"] === type)
    : undefined;
  return isJsonMap(found) ? found : undefined;
}

const readyIf = (is: boolean): Readiness => (is ? "ready" : "waiting");

/** Whether an object of Kubernetes can be used, by its conditions. What its controller has not seen yet waits. */
export function readinessOf(kind: string, object: JsonMap): Readiness {
  if (jsonAt(object, "metadata.deletionTimestamp") !== undefined) return "deleting";
  const generation = jsonAt(object, "metadata.generation");
  const seen = jsonAt(object, "status.observedGeneration");
  const isSeen = typeof generation !== "number" || seen === generation;
  const is = (type: string, status: string): boolean =>
    conditionOf(object, type)?.["status"] === status;
  switch (kind) {
    case "Namespace":
      return readyIf(jsonAt(object, "status.phase") === "Active");
    case "Deployment":
      if (!isSeen) return "waiting";
      if (conditionOf(object, "Progressing")?.["reason"] === "ProgressDeadlineExceeded")
        return "failed";
      return readyIf(is("Available", "True") && isRolledOut(object));
    case "StatefulSet":
      return readyIf(isSeen && isSetRolledOut(object));
    case "Job":
      if (is("Failed", "True")) return "failed";
      return readyIf(is("Complete", "True") || jsonAt(object, "spec.suspend") === true);
    case "Service": {
      const isBalanced = jsonAt(object, "spec.type") === "LoadBalancer";
      const addresses = jsonAt(object, "status.loadBalancer.ingress");
      return readyIf(!isBalanced || (Array.isArray(addresses) && addresses.length > 0));
    }
    case "PersistentVolumeClaim":
      // One without a pod may stay `Pending` for ever.
      return jsonAt(object, "status.phase") === "Lost" ? "failed" : "ready";
    case "NodePool":
      if (is("Validated", "False")) return "failed";
      return readyIf(is("AtTarget", "True"));
    default:
      return "ready";
  }
}

/** Every replica is of the latest template. */
function isRolledOut(object: JsonMap): boolean {
  const wanted = jsonAt(object, "spec.replicas") ?? 1;
  return jsonAt(object, "status.updatedReplicas") === wanted || wanted === 0;
}

/** Every replica is up, and of the latest template, save those that a partition or `OnDelete` leaves alone. */
function isSetRolledOut(object: JsonMap): boolean {
  const count = (path: string, otherwise = 0): number => Number(jsonAt(object, path) ?? otherwise);
  const wanted = count("spec.replicas", 1);
  if (count("status.readyReplicas") < wanted) return false;
  if (jsonAt(object, "spec.updateStrategy.type") === "OnDelete") return true;
  const due = wanted - count("spec.updateStrategy.rollingUpdate.partition");
  return count("status.updatedReplicas") >= due;
}
