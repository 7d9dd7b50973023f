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

describe("a variable whose calls are of lists", () => {
  const row: Partial<VercelType> = {
    path: "/v1/env",
    paths: { update: "/v1/env", delete: "/v1/env" },
    envelope: { create: "created.0", update: "updated.0", list: "data" },
    refused: "failed.0",
    inLists: true,
    name: {},
    update: "PATCH",
    delete: { body: { ids: ["{id}"] } },
  };
  const provider = sampleProvider(row, definition);
  const properties = { key: "A", value: "s-1", type: "sensitive", comment: "Why" };
  const call = { ...createCall(), properties };

  it("is one of each call's list", async () => {
    const shown = { id: "env_1", key: "A", type: "sensitive" };
    const cloud = scriptedCloud(
      json({ created: [shown], failed: [] }, 201),
      json({ updated: [shown], failed: [] }),
      json({ deleted: ["env_1"] }),
      empty(404),
    );
    const made = await provider.create(cloud.context(), call);
    expect(made).toMatchObject({ kind: "done", id: "env_1" });
    const of = { ...call, id: "env_1" };
    const after = { ...properties, value: "s-2" };
    const update = { ...of, before: properties, properties: after };
    expect(await provider.update(cloud.context(), update)).toMatchObject({ kind: "done" });
    expect(await provider.delete(cloud.context(), of)).toEqual({ kind: "gone" });
    const own = { key: "A", value: "s-1", comment: "Why" };
    expect(cloud.requests.slice(0, 3).map(({ path, body }) => [path, body])).toEqual([
      ["/v1/env", { target: [], type: "sensitive", evs: [own] }],
      ["/v1/env", { updates: { env_1: { value: "s-2" } } }],
      ["/v1/env", { ids: ["env_1"] }],
    ]);
  });

  it("is not changed where the answer of success says so", async () => {
    const refused = { updated: [], failed: [{ code: "taken", message: "is there" }] };
    const cloud = scriptedCloud(json(refused));
    const update = { ...call, id: "env_1", before: { ...properties, value: "s-0" } };
    expect(await provider.update(cloud.context(), update)).toMatchObject({
      kind: "failed",
      code: "taken",
      message: expect.stringContaining("changed nothing: is there"),
      unknownOutcome: false,
    });
    expect(cloud.requests).toHaveLength(1);
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
