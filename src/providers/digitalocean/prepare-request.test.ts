import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import { createCall, sampleProvider, updateCall } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import { sentUpdate } from "#test/support/sent-update.ts";
import { type DigitalOceanType, prepareRequest, readsFirst, rowInUse } from "./prepare-request.ts";

const definition: Partial<RestProviderDefinition> = {
  rowIn: rowInUse,
  readsFirst,
  prepare: prepareRequest,
};

it("merges into the object as it is if the row says so", async () => {
  const shown = json({ thing: { etag: "e", name: "thing-one", size: 1, old: 1 } });
  const cloud = scriptedCloud(shown, empty(), json({ thing: { size: 2 } }));
  const row: Partial<DigitalOceanType> = {
    update: "PUT",
    mergesCurrent: true,
    envelope: { read: "thing" },
  };
  const call = updateCall({ before: { size: 1, old: 1 }, properties: { size: 2 } });
  await sampleProvider(row, definition).update(cloud.context(), call);
  expect(cloud.requests[1]?.body).toEqual({ etag: "e", name: "thing-one", size: 2 });
});

it("does not send back what only the cloud sets", async () => {
  const current = { settings: { tier: "a", state: "on" }, etag: "e", status: { on: true } };
  const row: Partial<DigitalOceanType> = {
    update: "PUT",
    mergesCurrent: true,
    readOnly: ["status", "id"],
  };
  const { body } = await sentUpdate(row, { current }, definition);
  expect(body).toMatchObject({ etag: "e", size: 1 });
  expect(Object.keys(body as JsonMap)).not.toContain("status");
});

it("sends at least what the cloud requires, and keeps the shown values of that", async () => {
  const row: Partial<DigitalOceanType> = {
    update: "PUT",
    mergesCurrent: true,
    fallback: { note: "", stage: "one" },
  };
  const given = { before: { note: "x", stage: "two", other: 1 }, after: { title: "y" } };
  const { body } = await sentUpdate(row, { ...given, current: { ...given.before } }, definition);
  expect(body).toMatchObject({ note: "x", stage: "two", title: "y" });
});

it("leaves out of a create what another property says for both", async () => {
  const cloud = scriptedCloud(json(thing()), json(thing()), json(thing()));
  const row: Partial<DigitalOceanType> = { without: { host: ["region"] } };
  const provider = sampleProvider(row, definition);
  for (const properties of [{ host: 1, region: "a" }, { region: "a" }, { host: null, region: "a" }])
    await provider.create(cloud.context(), createCall({ properties }));
  expect(cloud.requests[0]?.body).not.toHaveProperty("region");
  expect(cloud.requests[1]?.body).toMatchObject({ region: "a" });
  expect(cloud.requests[2]?.body).toMatchObject({ region: "a" });
});
