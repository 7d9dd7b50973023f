import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { Answer } from "#providers/transport.ts";
import { workRequests } from "./work-requests.ts";

const answer = (json?: Json, id?: string): Answer => ({
  ok: true,
  status: 202,
  headers: new Headers(id === undefined ? {} : { "opc-work-request-id": id }),
  ...(json === undefined ? {} : { json }),
});

const rowAt = (host: string, path: string): RestType => ({ host, path, update: "PUT" });
const ID = "ocid1.coreservicesworkrequest.oc1.eu-frankfurt-1.aaaa";

describe("a change that names a work request", () => {
  it.each([
    ["iaas", "/20160918/instances", ID, `/20160918/workRequests/${ID}`],
    ["iaas", "/20170115/loadBalancers", ID, `/20170115/loadBalancerWorkRequests/${ID}`],
    ["containerengine", "/20180222/clusters", ID, `/20180222/workRequests/${ID}`],
    ["database", "/20160918/autonomousDatabases", ID, undefined],
    ["dns", "/20180115/zones", ID, undefined],
    ["objectstorage", "/n/{namespace}/b", ID, undefined],
    [
      "containerengine",
      "/20180222/clusters",
      "ocid1.clustersworkrequest.oc1.evil.example/x.aaaa",
      undefined,
    ],
    ["containerengine", "/20180222/clusters", "../clusters/ocid1.cluster.oc1..victim", undefined],
  ])("of %s%s, %s, is polled at %s", (host, path, id, place) => {
    const operation = workRequests.started(answer(undefined, id), "create", rowAt(host, path));
    expect(operation === undefined ? undefined : workRequests.path(operation)).toBe(place);
  });

  it("for a part of a load balancer is not asked for the part's id", () => {
    const row: RestType = {
      ...rowAt("iaas", "/20170115/loadBalancers/{loadBalancerId}/listeners"),
      id: { at: "name", within: "{loadBalancerId}" },
    };
    const operation = workRequests.started(answer(undefined, ID), "create", row) ?? null;
    const ended = answer({ lifecycleState: "SUCCEEDED", loadBalancerId: "ocid1.l.oc1..l" });
    expect(workRequests.read(ended, operation)).toEqual({ state: "done" });
  });

  it("and has the object in its body is not polled", () => {
    const body = answer({ id: "ocid1.vcn.oc1..v" }, ID);
    expect(workRequests.started(body, "create", rowAt("iaas", "/20160918/vcns"))).toBeUndefined();
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
    const read = workRequests.read(answer(json), { creates: true });
    expect(read).toMatchObject(state);
    expect("id" in read).toBe("id" in state);
  });

  it("of an update or a delete names no id: the object's is known", () => {
    const read = workRequests.read(answer({ status: "SUCCEEDED", resources: [created] }), {
      creates: false,
    });
    expect(read).toEqual({ state: "done" });
  });
});
