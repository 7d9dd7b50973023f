import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { pollCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

const del = { type: "vultr:Thing", id: "t-1", properties: {}, token: "token-1" };

describe("a delete with a method and a body of its own", () => {
  it("sends them", async () => {
    const cloud = scriptedCloud(empty(), empty(404));
    const row: Partial<RestType> = {
      paths: { delete: "/v1/things/{id}/destroy" },
      delete: { method: "POST", body: { keepBackups: false } },
    };
    expect(await sampleProvider(row).delete(cloud.context(), del)).toEqual({ kind: "gone" });
    expect(cloud.lines()).toEqual(["POST /v1/things/t-1/destroy", "GET /v1/things/t-1"]);
    expect(cloud.requests[0]?.body).toEqual({ keepBackups: false });
  });

  it("takes its body from the object as it is shown", async () => {
    const row: Partial<RestType> = {
      paths: { item: "/v1/things" },
      envelope: { list: "things" },
      read: { fromList: true },
    };
    const definition: Partial<RestProviderDefinition> = {
      readsFirst: (verb) => verb === "delete",
      prepare: (request, { current = {} }) => ({
        ...request,
        body: { secrets: [current["secret"] ?? null] },
      }),
    };
    const listed = json({ things: [thing({ secret: "s-1" })] });
    const cloud = scriptedCloud(listed, empty(), json({ things: [] }));
    const provider = sampleProvider(row, definition);
    expect(await provider.delete(cloud.context(), del)).toEqual({ kind: "gone" });
    expect(cloud.requests[1]).toMatchObject({ method: "DELETE", body: { secrets: ["s-1"] } });
    // Without the object, nothing says what to send.
    const none = scriptedCloud(json({ things: [] }), json({ things: [] }), json({ things: [] }));
    const ends = await deleted(none, row, definition);
    expect(ends.at(-1)).toBe("gone");
    expect(none.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("counts an object as gone whose list is not there", async () => {
    const row: Partial<RestType> = { envelope: { list: "things" }, read: { fromList: true } };
    const read = { type: "vultr:Thing", id: "t-1", properties: {} };
    const outcome = await sampleProvider(row).read(scriptedCloud(empty(404)).context(), read);
    expect(outcome).toEqual({ kind: "gone" });
  });

  it("has an unknown outcome like any other", async () => {
    const cloud = scriptedCloud(empty(500));
    const row: Partial<RestType> = { delete: { method: "POST" } };
    const outcome = await sampleProvider(row).delete(cloud.context(), del);
    expect(outcome).toMatchObject({ kind: "failed", unknownOutcome: true });
  });
});

/** The outcomes of a delete and of its polls, until it no longer waits. */
async function deleted(
  cloud: ReturnType<typeof scriptedCloud>,
  row: Partial<RestType> = {},
  definition: Partial<RestProviderDefinition> = {},
) {
  const provider = sampleProvider(row, definition);
  const outcomes = [await provider.delete(cloud.context(), del)];
  for (
    let last = outcomes[0];
    last?.kind === "pending" && outcomes.length < 9;
    last = outcomes.at(-1)
  ) {
    const handle: Json = last.handle;
    outcomes.push(await provider.poll(cloud.context(), pollCall("delete", { handle })));
  }
  return outcomes.map((outcome) => (outcome.kind === "failed" ? outcome.code : outcome.kind));
}

describe("a delete", () => {
  it("that was accepted and not done is waited for until two reads do not find the object", async () => {
    const cloud = scriptedCloud(
      empty(),
      json(thing()),
      empty(404),
      json(thing()),
      empty(404),
      empty(404),
    );
    const ends = await deleted(cloud);
    expect(ends).toEqual([...Array.from({ length: 4 }, () => "pending"), "gone"]);
  });

  it("that finds no object is sent again if a read finds it", async () => {
    const cloud = scriptedCloud(empty(404), json(thing()));
    expect(await deleted(cloud)).toEqual(["pending", "not_deleted"]);
    const twice = scriptedCloud(empty(404), empty(404));
    expect(await deleted(twice)).toEqual(["pending", "gone"]);
    expect(twice.requests).toHaveLength(2);
  });

  it("that finds no object says so with a failure that is repeated", async () => {
    const cloud = scriptedCloud(json(thing()));
    const handle = { sinceMs: 1_000_000, deletion: { signs: 1, untaken: true } };
    const outcome = await sampleProvider().poll(cloud.context(), pollCall("delete", { handle }));
    expect(outcome).toMatchObject({ kind: "failed", retryable: true, ended: true });
  });

  it("that something else than the cloud answers is looked at twice, and sent again", async () => {
    const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
    expect(await deleted(scriptedCloud(page(), json(thing())))).toEqual(["pending", "not_deleted"]);
    const gone = scriptedCloud(page(), empty(404), empty(404));
    expect(await deleted(gone)).toEqual(["pending", "pending", "gone"]);
  });

  it("that is asynchronous is not over at the first read that does not find the object", async () => {
    const cloud = scriptedCloud(empty(), empty(404), json(thing()), empty(404), empty(404));
    const ends = await deleted(cloud, { delete: { asynchronous: true } });
    expect(ends).toEqual([...Array.from({ length: 4 }, () => "pending"), "gone"]);
  });

  it("that was taken counts where nobody may read the object, and one that was not does not", async () => {
    const denied = () => json({ code: "denied" }, 403);
    expect(await deleted(scriptedCloud(empty(), denied()))).toEqual(["gone"]);
    expect(await deleted(scriptedCloud(empty(404), denied()))).toEqual(["pending", "denied"]);
  });

  it("waits while the object cannot be read", async () => {
    const cloud = scriptedCloud(empty(), empty(503), empty(404));
    expect(await deleted(cloud)).toEqual(["pending", "gone"]);
  });
});
