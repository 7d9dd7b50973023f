/**
 * Work requests: changes that go on after their answer, which names one in `opc-work-request-id`. Services that have
 * their own keep them below their own version; those of Compute and networks are at a host for all.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { OperationState, Poller } from "#providers/rest/definition.ts";
import { ociMeans } from "./meaning.ts";

type Verb = "create" | "update" | "delete";

const ID = /^ocid1\.[\w.-]{1,250}$/;

const actions: Readonly<Record<Verb, readonly string[]>> = {
  create: ["CREATED", "IN_PROGRESS"],
  update: ["UPDATED"],
  delete: ["DELETED"],
};

function createdIn(json: JsonMap): string | undefined {
  const { resources } = json;
  const created = Array.isArray(resources)
    ? resources.filter(isJsonMap).filter(({ actionType }) => actionType === "CREATED")
    : [];
  // What is made beside the object itself is of another work request; two leave open which it is.
  const ids = created.flatMap(({ identifier }) =>
    typeof identifier === "string" && ID.test(identifier) ? [identifier] : [],
  );
  return ids.length === 1 ? ids[0] : undefined;
}

export function workRequestState(json: Json | undefined, afterMs?: number): OperationState {
  const request = isJsonMap(json) ? json : {};
  // Load balancers call the state `lifecycleState` and the object `loadBalancerId`.
  const { status = request["lifecycleState"], loadBalancerId } = request;
  const id = typeof loadBalancerId === "string" ? loadBalancerId : createdIn(request);
  const known = id === undefined ? {} : { id };
  if (status === "SUCCEEDED") return { state: "done", ...known };
  if (status !== "FAILED" && status !== "CANCELED")
    return { state: "running", ...known, ...(afterMs === undefined ? {} : { afterMs }) };
  const details = request["errorDetails"];
  const [first] = Array.isArray(details) ? details.filter(isJsonMap) : [];
  const { errorCode, message } = first ?? {};
  const code = typeof errorCode === "string" ? errorCode : `work_request_${status.toLowerCase()}`;
  const said = [message, request["message"]].find((text) => typeof text === "string");
  const told =
    typeof said === "string"
      ? said
      : "The work request failed. Its errors are in the console, under work requests.";
  const means = ociMeans(code, told, "poll");
  return { state: "failed", code, message: told, ...known, ...(means ? { means } : {}) };
}
