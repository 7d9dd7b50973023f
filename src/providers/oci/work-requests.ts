/** Work requests: changes that go on after their answer, which names one in `opc-work-request-id`. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { OperationState, Poller } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { ociMeans } from "./meaning.ts";

const OCID = /^ocid1\.[a-z]{1,60}\.[a-z0-9]{1,10}\.[a-z0-9-]{0,30}\.[\w.-]{1,200}$/;

/**
 * By the service and the version of its API. Others have no work requests, or at another host, and their objects show
 * their own state.
 */
const places: Readonly<Record<string, string>> = {
  "iaas/20160918": "workRequests",
  "iaas/20170115": "loadBalancerWorkRequests",
  "containerengine/20180222": "workRequests",
  "containerinstances/20210415": "workRequests",
  "psql/20220915": "workRequests",
};

/** Below the host of the row. */
function placeOf(id: string, { path, host }: RestType): string | undefined {
  const [, version = ""] = path.split("/");
  const service = `${host}/${version}`;
  const name = Object.hasOwn(places, service) ? places[service] : undefined;
  return name === undefined || !OCID.test(id) ? undefined : `/${version}/${name}/${id}`;
}

/** The object of a create: while the work request runs, Oracle says `IN_PROGRESS` of it. */
function createdIn(json: JsonMap): string | undefined {
  const { resources } = json;
  const created = Array.isArray(resources)
    ? resources
        .filter(isJsonMap)
        .filter(({ actionType }) => actionType === "CREATED" || actionType === "IN_PROGRESS")
    : [];
  // Two leave open which one is the object.
  const ids = created.flatMap(({ identifier }) =>
    typeof identifier === "string" && OCID.test(identifier) ? [identifier] : [],
  );
  return ids.length === 1 ? ids[0] : undefined;
}

function stateOf(json: Json | undefined, creates: boolean): OperationState {
  const request = isJsonMap(json) ? json : {};
  // Load balancers call the state `lifecycleState` and the object `loadBalancerId`.
  const { status = request["lifecycleState"], loadBalancerId } = request;
  const id = typeof loadBalancerId === "string" ? loadBalancerId : createdIn(request);
  const known = id === undefined || !creates ? {} : { id };
  if (status === "SUCCEEDED") return { state: "done", ...known };
  if (status !== "FAILED" && status !== "CANCELED") return { state: "running", ...known };
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

export const workRequests: Poller = {
  // An answer with a body is the object, which shows its own state.
  started: ({ json, headers }, verb, row) => {
    if (isJsonMap(json)) return undefined;
    const at = placeOf(headers.get("opc-work-request-id") ?? "", row);
    // That of a part of a load balancer names the load balancer.
    const creates = verb === "create" && row.id?.within === undefined;
    return at === undefined ? undefined : { at, creates };
  },
  path: (operation) =>
    isJsonMap(operation) && typeof operation["at"] === "string" ? operation["at"] : "",
  read: ({ json }, operation) =>
    stateOf(json, isJsonMap(operation) && operation["creates"] === true),
};
