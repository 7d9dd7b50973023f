import { describe, expect, it } from "vitest";
import { sampleProvider } from "#test/support/sample-provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";

describe("facts", () => {
  it("come from the row: a change of path or create-only properties replaces", () => {
    const provider = sampleProvider({
      path: "/v1/{db}/things",
      immutable: ["engine"],
      createOnly: ["password"],
      writeOnly: ["password"],
      takes: { required: ["size"] },
      deleteFirst: true,
    });
    expect(provider.facts("vultr:Thing")).toEqual({
      immutable: ["db", "engine", "password"],
      writeOnly: ["password"],
      required: ["size"],
      deleteBeforeReplace: true,
      shown: ["name", "tags", "labels", "db"],
      nameProperty: "name",
    });
  });

  it("name what the cloud shows: names, labels, places, the region and the mark", () => {
    const facts = sampleProvider({
      paths: { item: "/v1/{zone}/things/{id}" },
      name: { property: "title" },
      region: { property: "region" },
      find: { by: "tag", property: "marks" },
    }).facts("vultr:Thing");
    expect(facts?.shown).toEqual([
      "name",
      "tags",
      "labels",
      "zone",
      "id",
      "title",
      "region",
      "marks",
    ]);
  });

  it("list the outputs only where the row knows them all", () => {
    const takes = { properties: { size: { description: "The size." } } };
    expect(sampleProvider({ takes }).facts("vultr:Thing")?.outputs).toBeUndefined();
    const facts = sampleProvider({ takes, outputs: ["id", "ip"] }).facts("vultr:Thing");
    expect(facts?.outputs).toEqual(["id", "ip", "size"]);
  });

  it("make every change replace when there is no update", () => {
    const facts = sampleProvider({ update: "none" }).facts("vultr:Thing");
    expect(facts?.immutable).toEqual(["*"]);
  });

  it("are undefined for an unknown type", () => {
    for (const type of ["vultr:constructor", "vultr:", "Thing", "mock:Thing"])
      expect(sampleProvider().facts(type)).toBeUndefined();
    expect(sampleProvider().types()).toEqual(["vultr:Thing"]);
  });
});

it("uses the row's timeout or 30 minutes", () => {
  const provider = sampleProvider({ timing: { createMinutes: 5 } });
  expect(provider.timeoutMs("vultr:Thing", "create")).toBe(300_000);
  expect(provider.timeoutMs("vultr:Thing", "delete")).toBe(1_800_000);
});

describe("verify", () => {
  it("sends one signed GET", async () => {
    const cloud = scriptedCloud(json({}));
    expect(await sampleProvider().verify(cloud.context())).toEqual({ ok: true });
    expect(cloud.lines()).toEqual(["GET /v1/account"]);
    expect(cloud.requests[0]?.headers.get("authorization")).toBe("Bearer s3cr3t-token");
  });

  it("reports why the provider rejects the credential", async () => {
    const cloud = scriptedCloud(json({ code: "unauthorized", message: "no such key" }, 401));
    expect(await sampleProvider().verify(cloud.context())).toEqual({
      ok: false,
      code: "unauthorized",
      message: "vultr answered 401 to GET /v1/account: no such key",
      retryable: false,
      means: "denied",
      hint: expect.stringContaining("does not accept the credential"),
    });
    const wrong = cloud.context({ credential: null });
    expect(await sampleProvider().verify(wrong)).toMatchObject({ code: "invalid_credential" });
  });

  it("says nothing about an object that it polls with a wrong credential", async () => {
    const cloud = scriptedCloud();
    const poll = {
      type: "vultr:Thing",
      name: "a",
      properties: {},
      verb: "create",
      id: "1",
      handle: { sinceMs: 0 },
    } as const;
    expect(await sampleProvider().poll(cloud.context({ credential: null }), poll)).toMatchObject({
      code: "invalid_credential",
      unread: true,
    });
  });

  it("distinguishes an unavailable provider from a rejection", async () => {
    const cloud = scriptedCloud(json({ code: "busy", message: "later" }, 503));
    expect(await sampleProvider().verify(cloud.context())).toMatchObject({
      ok: false,
      retryable: true,
    });
  });
});

describe("read", () => {
  it("fails for an object that the cloud shows under another id, and names that id only at the caller's own account", async () => {
    const cloud = scriptedCloud(
      json({ id: "t-1", name: "shop" }),
      json({ id: "t-1", name: "shop" }),
    );
    const call = { type: "vultr:Thing", id: "shop", name: "shop", properties: {} };
    const foreign = await sampleProvider().read(cloud.context(), call);
    expect(foreign).toMatchObject({ kind: "failed", code: "other_id" });
    expect(JSON.stringify(foreign)).not.toContain("t-1");
    const own = await sampleProvider().read(cloud.context({ ownAccount: true }), call);
    expect(own).toMatchObject({ kind: "failed", message: expect.stringContaining("Use t-1") });
  });
});
