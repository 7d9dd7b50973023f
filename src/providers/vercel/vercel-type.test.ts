import { describe, expect, it } from "vitest";
import { createCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import { prepareRequest, readsFirst, refusalIn, type VercelType } from "./vercel-type.ts";

const definition = { readsFirst, prepare: prepareRequest, refusalIn };

describe("a token that its list shows", () => {
  const row: Partial<VercelType> = {
    paths: { item: "/v1/tokens" },
    path: "/v1/tokens",
    read: { fromList: true },
    deletesTokens: true,
  };
  const provider = sampleProvider(row, definition);
  const call = { type: "vultr:Thing", id: "t-1", properties: {}, token: "token-1" };

  it("is deleted by the token itself", async () => {
    const cloud = scriptedCloud(json([thing({ token: "s-1" })]), empty(), json([]));
    expect(await provider.delete(cloud.context(), call)).toEqual({ kind: "gone" });
    expect(cloud.requests[1]).toMatchObject({ method: "DELETE", body: { tokens: ["s-1"] } });
  });

  it("is not deleted when no list shows it", async () => {
    const cloud = scriptedCloud(json([]));
    expect(await provider.delete(cloud.context(), call)).toMatchObject({ kind: "pending" });
    expect(cloud.lines()).toEqual(["GET /v1/tokens"]);
  });
});

it("a create that made nothing says why", async () => {
  const row: Partial<VercelType> = { envelope: { create: "created" }, refused: "failed.0" };
  const refused = json({ created: [], failed: [{ code: "taken", message: "is there" }] }, 201);
  const outcome = await sampleProvider(row, definition).create(
    scriptedCloud(refused).context(),
    createCall(),
  );
  expect(outcome).toMatchObject({
    kind: "failed",
    code: "taken",
    unknownOutcome: false,
    message: expect.stringContaining("is there"),
  });
});
