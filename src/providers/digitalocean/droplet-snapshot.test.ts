import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { PollCall } from "#providers/provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { digitaloceanProvider } from "./digitalocean-provider.ts";

const NOW_MS = 1_000_000;
const provider = digitaloceanProvider();
const call = {
  type: "digitalocean:DropletSnapshot",
  name: "chosen-1",
  properties: { droplet_id: 7, name: "before" },
  token: "t-1",
};
const action = (status: string) => json({ action: { id: 3, status, type: "snapshot" } });
const listed = (id: number, ageMs: number, name = "before"): JsonMap => ({
  id,
  name,
  created_at: new Date(NOW_MS - ageMs).toISOString(),
});
const list = (...snapshots: JsonMap[]) => json({ snapshots, links: {} });
const poll = (sinceMs: number, endedMs?: number): PollCall => ({
  ...call,
  verb: "create",
  handle: { sinceMs, operation: 3, ...(endedMs !== undefined && { endedMs }) },
});

it("is begun by an action, which has to end even if it is over at once", async () => {
  const cloud = scriptedCloud(action("completed"));
  const begun = await provider.create(cloud.context(), call);
  expect(begun).toMatchObject({ kind: "pending", handle: { operation: 3 } });
  expect(begun).not.toHaveProperty("id");
  expect(cloud.requests[0]).toMatchObject({
    path: "/v2/droplets/7/actions",
    body: { type: "snapshot", name: "before" },
  });
});

it("is found at the action's end by its name, among those made since it began", async () => {
  const snapshot = { ...listed(12, 5_000), id: "12", resource_id: "7" };
  const cloud = scriptedCloud(
    action("completed"),
    list(listed(11, 300_000), listed(12, 5_000), listed(13, 5_000, "other")),
    json({ snapshot }),
  );
  expect(await provider.poll(cloud.context(), poll(NOW_MS))).toMatchObject({
    kind: "done",
    id: "12",
    outputs: { droplet_id: 7, name: "before" },
  });
  expect(cloud.lines().slice(1)).toEqual([
    "GET /v2/droplets/7/snapshots?per_page=200",
    "GET /v2/snapshots/12",
  ]);
});

it("is waited for a minute where the list lacks it, and is then missing", async () => {
  const early = scriptedCloud(action("completed"), list());
  expect(await provider.poll(early.context(), poll(NOW_MS - 5_000))).toMatchObject({
    kind: "pending",
    handle: { operation: 3, endedMs: NOW_MS },
  });
  const late = scriptedCloud(action("completed"), list());
  const ended = poll(NOW_MS - 90_000, NOW_MS - 60_000);
  expect(await provider.poll(late.context(), ended)).toMatchObject({
    kind: "failed",
    code: "vanished",
    unknownOutcome: true,
  });
});

it("that two of its name may be is told by nobody", async () => {
  const cloud = scriptedCloud(action("completed"), list(listed(12, 5_000), listed(13, 4_000)));
  expect(await provider.poll(cloud.context(), poll(NOW_MS))).toMatchObject({
    kind: "failed",
    code: "cannot_tell",
    unknownOutcome: true,
  });
});

it("whose action failed was not made", async () => {
  const cloud = scriptedCloud(action("errored"));
  expect(await provider.poll(cloud.context(), poll(NOW_MS))).toMatchObject({
    kind: "failed",
    code: "action_errored",
  });
});

it.each([
  ["digitalocean:DropletSnapshot", { droplet_id: 7, name: "before" }, "/v2/droplets/7/snapshots"],
  [
    "digitalocean:VolumeSnapshot",
    { volume_id: "v-1", name: "before" },
    "/v2/snapshots?resource_type=volume",
  ],
])(
  "as %s is imported only if it is listed as one, because one path shows both",
  async (type, properties, path) => {
    const snapshot = { ...listed(12, 5_000), id: "12", resource_id: "7", tags: [] };
    const imported = { type, id: "12", properties };
    const own = scriptedCloud(json({ snapshot }), json({ snapshots: [snapshot], links: {} }));
    expect(await provider.read(own.context(), imported)).toMatchObject({ kind: "done", id: "12" });
    const other = scriptedCloud(json({ snapshot }), list());
    expect(await provider.read(other.context(), imported)).toMatchObject({
      kind: "failed",
      code: "not_listed",
    });
    expect(other.lines().at(-1)).toContain(path);
  },
);
