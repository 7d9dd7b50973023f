import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { pollCall, sampleProvider } from "#test/support/sample-provider.ts";
import { json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import { type VultrType, waitsFor } from "./row-parts.ts";

it("an object is not usable while it shows what the row says", async () => {
  const row: Partial<VultrType> = {
    state: { path: "status", ready: ["up"] },
    waits: [{ health: "booting" }, { health: "none", power: "on" }],
  };
  const provider = sampleProvider(row, { waitsFor });
  const shows = async (more: JsonMap) => {
    const cloud = scriptedCloud(json(thing({ status: "up", ...more })));
    return provider.poll(cloud.context(), pollCall("create"));
  };
  expect(await shows({ health: "booting" })).toMatchObject({
    kind: "pending",
    note: 'health is "booting"',
  });
  expect(await shows({ health: "none", power: "on" })).toMatchObject({ kind: "pending" });
  expect(await shows({ health: "none", power: "off" })).toMatchObject({ kind: "done" });
  expect(await shows({ health: "ok", power: "on" })).toMatchObject({ kind: "done" });
});
