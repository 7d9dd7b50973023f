import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { DialectCall } from "#providers/rest/definition.ts";
import { serverSideApply } from "./apply.ts";
import { coreweaveTypes } from "./types.ts";

const type = "coreweave:Deployment";

function shownOf(properties: JsonMap, object: JsonMap): JsonMap {
  const row = coreweaveTypes.rowOf(type);
  if (row === undefined) throw new Error("There is no such type");
  const call = { type, row, properties } as DialectCall;
  const answer = { ok: true, status: 200, headers: new Headers(), json: object } as const;
  const read = serverSideApply.read(answer, "read", call);
  if (read.kind !== "object") throw new Error("No object was read");
  return read.object;
}

it("an object is shown with its cluster, which the cluster does not say", () => {
  const metadata = { name: "web", namespace: "shop" };
  expect(shownOf({ clusterId: "c-1" }, { metadata })).toMatchObject({
    clusterId: "c-1",
    name: "web",
    namespace: "shop",
  });
  expect(shownOf({}, { metadata })).not.toHaveProperty("clusterId");
  expect(shownOf({ clusterId: "c-1" }, { metadata, clusterId: "shown" })).toMatchObject({
    clusterId: "shown",
  });
});
