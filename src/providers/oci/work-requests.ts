/** Work requests: changes that go on after their answer, which names one in `opc-work-request-id`. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { OperationState, Poller } from "#providers/rest/definition.ts";
import { ociMeans } from "./meaning.ts";

const ID =
  /^ocid1\.(?<kind>[a-z]{1,60})\.[a-z0-9]{1,10}\.(?<region>[a-z0-9-]{0,30})\.[\w.-]{1,200}$/;

/** By the kind of the work request: its path, at the base URL or at a host of the region that its id names. */
const places: Readonly<Record<string, { path: string; service?: string }>> = {
  coreservicesworkrequest: { path: "/20160918/workRequests/" },
  loadbalancerworkrequest: { path: "/20170115/loadBalancerWorkRequests/" },
  clustersworkrequest: { path: "/20180222/workRequests/", service: "containerengine" },
};

function placeOf(id: string): string | undefined {
  const { kind = "", region = "" } = ID.exec(id)?.groups ?? {};
  const place = Object.hasOwn(places, kind) ? places[kind] : undefined;
  if (place === undefined) return undefined;
  const { path, service } = place;
  if (service === undefined) return path + id;
  return region === "" ? undefined : `https://${service}.${region}.oci.oraclecloud.com${path}${id}`;
}

function createdIn(json: JsonMap): string | undefined {
  const { resources } = json;
  const created = Array.isArray(resources)
    ? resources.filter(isJsonMap).filter(({ actionType }) => actionType === "CREATED")
    : [];
  // Two leave open which one is the object.
  const ids = created.flatMap(({ identifier }) =>
    typeof identifier === "string" && ID.test(identifier) ? [identifier] : [],
  );
  return ids.length === 1 ? ids[0] : undefined;
}

function stateOf(json: Json | undefined): OperationState {
  const request = isJsonMap(json) ? json : {};
  // Load balancers call the state `lifecycleState` and the object `loadBalancerId`.
  const { status = request["lifecycleState"], loadBalancerId } = request;
  const id = typeof loadBalancerId === "string" ? loadBalancerId : createdIn(request);
  const known = id === undefined ? {} : { id };
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

/** An answer with a body is the object, which shows its own state. */
export const workRequests: Poller = {
  started: ({ json, headers }) => {
    if (isJsonMap(json)) return undefined;
    return placeOf(headers.get("opc-work-request-id") ?? "");
  },
  path: (operation) => (typeof operation === "string" ? operation : ""),
  read: ({ json }) => stateOf(json),
};
