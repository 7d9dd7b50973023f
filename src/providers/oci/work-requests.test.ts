import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { Answer } from "#providers/transport.ts";
import { workRequests } from "./work-requests.ts";

const answer = (json?: Json, id?: string): Answer => ({
  ok: true,
  status: 202,
  headers: new Headers(id === undefined ? {} : { "opc-work-request-id": id }),
  ...(json === undefined ? {} : { json }),
});

describe("a change that names a work request", () => {
  it.each([
    [
      "ocid1.loadbalancerworkrequest.oc1.eu-frankfurt-1.aaaa",
      "/20170115/loadBalancerWorkRequests/ocid1.loadbalancerworkrequest.oc1.eu-frankfurt-1.aaaa",
    ],
    [
      "ocid1.clustersworkrequest.oc1.eu-frankfurt-1.aaaa",
      "https://containerengine.eu-frankfurt-1.oci.oraclecloud.com/20180222/workRequests/ocid1.clustersworkrequest.oc1.eu-frankfurt-1.aaaa",
    ],
    ["ocid1.unknownworkrequest.oc1.eu-frankfurt-1.aaaa", undefined],
    ["ocid1.clustersworkrequest.oc1.evil.example/x.aaaa", undefined],
  ])("%s is polled at %s", (id, path) => {
    const operation = workRequests.started(answer(undefined, id), "create");
    expect(operation).toBe(path);
    if (operation !== undefined) expect(workRequests.path(operation)).toBe(path);
  });

  it("and has the object in its body is not polled", () => {
    const id = "ocid1.coreservicesworkrequest.oc1.eu-frankfurt-1.aaaa";
    expect(workRequests.started(answer({ id: "ocid1.vcn.oc1..v" }, id), "create")).toBeUndefined();
  });
});

describe("a work request", () => {
  const created = {
    entityType: "cluster",
    actionType: "CREATED",
    identifier: "ocid1.cluster.oc1..c",
  };
  it.each<[Json, object]>([
    [{ status: "IN_PROGRESS", resources: [] }, { state: "running" }],
    [
      { status: "SUCCEEDED", resources: [created] },
      { state: "done", id: "ocid1.cluster.oc1..c" },
    ],
    [
      { status: "SUCCEEDED", resources: [created, { ...created, identifier: "ocid1.x.oc1..d" }] },
      { state: "done" },
    ],
    [
      { lifecycleState: "SUCCEEDED", loadBalancerId: "ocid1.loadbalancer.oc1..l" },
      { state: "done", id: "ocid1.loadbalancer.oc1..l" },
    ],
    [
      { lifecycleState: "FAILED", errorDetails: [{ errorCode: "LimitExceeded", message: "full" }] },
      { state: "failed", code: "LimitExceeded", message: "full", means: "quota" },
    ],
    [{ status: "CANCELED" }, { state: "failed", code: "work_request_canceled" }],
  ])("%j is %j", (json, state) => {
    const read = workRequests.read(answer(json));
    expect(read).toMatchObject(state);
    expect("id" in read).toBe("id" in state);
  });
});
