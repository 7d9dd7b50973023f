import { describe, expect, it } from "vitest";
import type { RestType } from "#providers/rest/rest-type.ts";
import { sampleProvider } from "#test/support/sample-provider.ts";
import { empty, scriptedCloud } from "#test/support/scripted-cloud.ts";

const del = { type: "vultr:Thing", id: "t-1", properties: {}, token: "token-1" };

describe("a delete with a method and a body of its own", () => {
  it("sends them", async () => {
    const cloud = scriptedCloud(empty());
    const row: Partial<RestType> = {
      deletePath: "/v1/things/{id}/destroy",
      delete: { method: "POST", body: { keepBackups: false } },
    };
    expect(await sampleProvider(row).delete(cloud.context(), del)).toEqual({ kind: "gone" });
    expect(cloud.lines()).toEqual(["POST /v1/things/t-1/destroy"]);
    expect(cloud.requests[0]?.body).toEqual({ keepBackups: false });
  });

  it("has an unknown outcome like any other", async () => {
    const cloud = scriptedCloud(empty(500));
    const row: Partial<RestType> = { delete: { method: "POST" } };
    const outcome = await sampleProvider(row).delete(cloud.context(), del);
    expect(outcome).toMatchObject({ kind: "failed", unknownOutcome: true });
  });
});
