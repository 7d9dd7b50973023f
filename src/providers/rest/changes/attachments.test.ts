import { describe, expect, it } from "vitest";
import type { RestType } from "#providers/rest/rest-type.ts";
import {
  createCall,
  lookUpCall,
  pollCall,
  sampleProvider,
  updateCall,
} from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

const machine = { properties: ["machine"], method: "POST", attaches: true } as const;
const row: Partial<RestType> = {
  update: "none",
  unsent: ["machine"],
  find: { by: "name" },
  envelope: { list: "things" },
  parts: [
    { ...machine, each: "removed", path: "/v1/things/{id}/detach/{item}" },
    { ...machine, each: "added", path: "/v1/things/{id}/attach/{item}" },
  ],
};
const properties = { machine: "m-1" };
const free = () => json(thing());
const bound = (machine = "m-1") => json(thing({ machine }));
const named = (message: string, status: number) => json({ error: message }, status);

describe("what an object is attached to", () => {
  it("is said once it was made, not by its create", async () => {
    const cloud = scriptedCloud(free(), free(), empty(), bound(), bound());
    const made = await sampleProvider(row).create(cloud.context(), createCall({ properties }));
    expect(cloud.lines().filter((line) => line.startsWith("POST"))).toEqual([
      "POST /v1/things",
      "POST /v1/things/t-1/attach/m-1",
    ]);
    expect(cloud.requests[0]?.body).not.toHaveProperty("machine");
    expect(made).toMatchObject({ kind: "done", id: "t-1", outputs: { machine: "m-1" } });
  });

  it("is said again for an object that was found, unless it shows it", async () => {
    const found = () => json({ things: [thing({ name: "thing-one" })] });
    const lookUp = { ...lookUpCall(), properties };
    const lost = scriptedCloud(found(), free(), free(), empty(), bound(), bound());
    await sampleProvider(row).lookUp(lost.context(), lookUp);
    expect(lost.lines()).toContain("POST /v1/things/t-1/attach/m-1");
    const there = scriptedCloud(found(), bound(), bound(), bound());
    await sampleProvider(row).lookUp(there.context(), lookUp);
    expect(there.lines().join()).not.toContain("attach");
  });

  it("waits for what passes, and keeps the id of what it cannot be attached to", async () => {
    const busy = scriptedCloud(free(), free(), named("busy", 503));
    const waiting = await sampleProvider(row).create(busy.context(), createCall({ properties }));
    expect(waiting).toMatchObject({ kind: "pending", id: "t-1" });
    const handle = waiting.kind === "pending" ? waiting.handle : {};
    const after = scriptedCloud(free(), free(), empty(), bound(), bound());
    const call = pollCall("create", { handle, properties });
    expect(await sampleProvider(row).poll(after.context(), call)).toMatchObject({ kind: "done" });
    expect(after.lines()).toContain("POST /v1/things/t-1/attach/m-1");

    const refused = scriptedCloud(free(), free(), named("no such machine", 422));
    expect(
      await sampleProvider(row).create(refused.context(), createCall({ properties })),
    ).toMatchObject({ kind: "failed", id: "t-1", unknownOutcome: false, retryable: false });
  });

  it("is detached from before it is attached to another", async () => {
    const cloud = scriptedCloud(bound(), empty(), free(), empty(), bound("m-2"), bound("m-2"));
    const call = updateCall({ before: properties, properties: { machine: "m-2" } });
    await sampleProvider(row).update(cloud.context(), call);
    expect(cloud.lines().filter((line) => line.startsWith("POST"))).toEqual([
      "POST /v1/things/t-1/detach/m-1",
      "POST /v1/things/t-1/attach/m-2",
    ]);
  });

  it("is detached from before the object is deleted, if it is attached still", async () => {
    const remove = { type: "vultr:Thing", id: "t-1", properties, token: "token-1" };
    const cloud = scriptedCloud(bound(), empty(), free(), empty(), named("none", 404));
    await sampleProvider(row).delete(cloud.context(), remove);
    expect(cloud.lines().filter((line) => !line.startsWith("GET"))).toEqual([
      "POST /v1/things/t-1/detach/m-1",
      "DELETE /v1/things/t-1",
    ]);
    const gone = scriptedCloud(named("none", 404), named("none", 404), named("none", 404));
    await sampleProvider(row).delete(gone.context(), remove);
    expect(gone.lines().join()).not.toContain("detach");
  });
});
