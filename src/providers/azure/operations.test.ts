import { expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { Answer } from "#providers/transport.ts";
import { armBudget } from "./budget.ts";
import { armPoller } from "./operations.ts";

const answer = (status: number, headers: Record<string, string>, json?: Json): Answer => ({
  ok: true,
  status,
  headers: new Headers(headers),
  ...(json === undefined ? {} : { json }),
});

const URL_A = "https://management.azure.com/subscriptions/s/operations/a";
const row: RestType = { path: "/things", update: "PUT" };
const URL_B = "https://management.azure.com/subscriptions/s/results/b";

it.each([
  [201, { "azure-asyncoperation": URL_A }, URL_A],
  [200, { "azure-asyncoperation": URL_A }, URL_A],
  [202, { "azure-asyncoperation": URL_A, location: URL_B }, URL_A],
  [202, { location: URL_B }, URL_B],
] as const)("%i with %o goes on at a URL", (status, headers, at) => {
  const operation = armPoller.started(answer(status, headers), "create", row);
  expect(armPoller.path(operation ?? null)).toBe(at);
});

it("goes on nowhere but at the object without such a URL", () => {
  expect(armPoller.started(answer(201, { location: URL_B }), "create", row)).toBeUndefined();
  expect(armPoller.started(answer(202, {}), "delete", row)).toBeUndefined();
});

it.each([
  [200, { status: "Succeeded" }, "done"],
  [200, { status: "InProgress" }, "running"],
  [202, { status: "Running" }, "running"],
  [202, undefined, "running"],
  [204, undefined, "done"],
  [200, { id: "/the/result", properties: { provisioningState: "Updating" } }, "done"],
  [200, { status: "Failed", error: { code: "QuotaExceeded", message: "no" } }, "failed"],
  [200, { status: "Canceled" }, "failed"],
] as const)("%i with %o is %s", (status, json, state) => {
  expect(armPoller.read(answer(status, {}, json), null)).toMatchObject({ state });
});

it("does not take the object for gone because an operation did not find something", () => {
  const json = { status: "Failed", error: { code: "ResourceNotFound", message: "a subnet" } };
  expect(armPoller.read(answer(200, {}, json), null)).toMatchObject({
    state: "failed",
    means: "invalid",
  });
});

it("tells of a bucket that is nearly empty, and when it is full again", () => {
  const at = (headers: Record<string, string>) => armBudget(answer(200, headers), 1_000);
  expect(at({ "x-ms-ratelimit-remaining-subscription-writes": "20" })).toEqual({
    remaining: 20,
    resetMs: 19_000,
  });
  expect(at({ "x-ms-ratelimit-remaining-subscription-reads": "249" })).toBeUndefined();
  expect(at({ "x-ms-ratelimit-remaining-subscription-writes": "soon" })).toBeUndefined();
  expect(
    at({ "x-ms-ratelimit-remaining-resource": "Microsoft.Compute/PutVM3Min;3,Other;900" }),
  ).toEqual({ remaining: 3, resetMs: 61_000 });
  expect(at({})).toBeUndefined();
});
