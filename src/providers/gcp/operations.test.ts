import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { Answer } from "#providers/transport.ts";
import { gcpPoller } from "./operations.ts";

const answer = (json: Json): Answer => ({ ok: true, status: 200, headers: new Headers(), json });
const row = (path: string): RestType => ({ path, update: "none" });
const PATH = "/compute/v1/projects/p/global/operations/operation-1";
const older = {
  kind: "compute#operation",
  name: "operation-1",
  id: "123",
  targetId: "987",
  selfLink: `https://www.googleapis.com${PATH}`,
};

describe("an operation", () => {
  it.each<[string, Json, string, string | undefined]>([
    ["of Compute Engine", older, "/compute/v1/projects/{project}/global/networks", PATH],
    [
      "of GKE, which has no kind",
      {
        name: "operation-1",
        operationType: "CREATE_CLUSTER",
        status: "RUNNING",
        selfLink:
          "https://container.googleapis.com/v1/projects/1/locations/l/operations/operation-1",
      },
      "/v1/projects",
      "/v1/projects/1/locations/l/operations/operation-1",
    ],
    [
      "by its name, at the version of the row",
      { name: "projects/p/locations/l/operations/abc", metadata: {} },
      "/v2/projects/{project}/locations/{location}/services",
      "/v2/projects/p/locations/l/operations/abc",
    ],
    [
      "of Cloud DNS, which is done",
      { kind: "dns#operation", id: "1", status: "done" },
      "/dns/v1/x",
      undefined,
    ],
    ["that is an object", { name: "projects/p/topics/operations" }, "/v1/projects", undefined],
    [
      "that is an object with a status",
      { name: "disk", status: "READY" },
      "/compute/v1/x",
      undefined,
    ],
  ])("%s", (_, json, path, expected) => {
    const operation = gcpPoller.started(answer(json), "create", row(path));
    if (expected === undefined) expect(operation).toBeUndefined();
    else expect(gcpPoller.path(operation ?? null)).toBe(expected);
  });

  it("never names the object", () => {
    expect(Object.hasOwn(gcpPoller, "objectId")).toBe(false);
    const operation = { path: PATH, verb: "create" };
    expect(gcpPoller.read(answer({ ...older, status: "DONE" }), operation)).toEqual({
      state: "done",
    });
  });

  it.each<[Json, object]>([
    [{ ...older, status: "PENDING" }, { state: "running" }],
    [{ ...older, status: "RUNNING" }, { state: "running" }],
    [{ name: "x/operations/1" }, { state: "running" }],
    [{ name: "x/operations/1", done: true, response: {} }, { state: "done" }],
    [
      { name: "x/operations/1", done: true, error: { code: 6, message: "exists" } },
      { state: "failed", code: "6", message: "exists", means: "exists" },
    ],
    [
      { ...older, status: "DONE", error: { errors: [{ code: "QUOTA_EXCEEDED", message: "no" }] } },
      { state: "failed", code: "QUOTA_EXCEEDED", message: "no", means: "quota" },
    ],
    [
      { operationType: "x", status: "ABORTING", statusMessage: "stopped" },
      { state: "failed", code: "ABORTED", message: "stopped", means: "stale" },
    ],
  ])("%j is %o", (json, state) => {
    expect(gcpPoller.read(answer(json), { path: PATH, verb: "create" })).toEqual(state);
  });
});
