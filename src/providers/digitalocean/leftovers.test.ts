import { describe, expect, it } from "vitest";
import type { RestType } from "#providers/rest/rest-type.ts";
import { sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import { leftovers } from "./tag-parts.ts";

const row: Partial<RestType> = {
  find: { by: "tag", property: "tags" },
};
const provider = sampleProvider(row, { leftovers });
const call = { type: "vultr:Thing", id: "t-1", properties: {}, token: "token-9" };
const shown = json(thing({ tags: ["web", "control:token-1"] }));

describe("the mark of a deleted object", () => {
  it("is deleted once the delete is accepted, and no other tag", async () => {
    const cloud = scriptedCloud(shown.clone(), empty(), empty(404), empty());
    expect(await provider.delete(cloud.context(), call)).toEqual({ kind: "gone" });
    expect(cloud.lines()).toEqual([
      "GET /v1/things/t-1",
      "DELETE /v1/things/t-1",
      "GET /v1/things/t-1",
      "DELETE /v2/tags/control%3Atoken-1",
    ]);
  });

  it("stays while its object does", async () => {
    const cloud = scriptedCloud(shown.clone(), json({ code: "busy" }, 409));
    expect(await provider.delete(cloud.context(), call)).toMatchObject({
      kind: "failed",
    });
    expect(cloud.lines()).toHaveLength(2);
  });

  it("does not keep its object: neither unread nor undeleted", async () => {
    for (const answers of [
      [json({ code: "no" }, 403), empty(), empty(404)],
      [shown.clone(), empty(), empty(404), json({ code: "no" }, 403)],
    ]) {
      const cloud = scriptedCloud(...answers);
      expect(await provider.delete(cloud.context(), call)).toEqual({ kind: "gone" });
    }
  });
});
