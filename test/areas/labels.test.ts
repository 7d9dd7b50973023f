/** Labels of instances, targets, templates and webhooks, and lists filtered by them. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { SOURCE } from "#test/support/templates.ts";

const hook = { url: "https://hooks.example.com/in", events: ["license.expired"] };
const target = {
  provider: "mock",
  name: "cloud",
  config: {},
  allowedRegions: ["local-1"],
  defaultRegion: "local-1",
};

let tenant: TestTenant;
let other: TestTenant;
let targetId: string;
let templateId: string;
beforeAll(async () => {
  [tenant, other] = await Promise.all([makeTenant(), makeTenant()]);
  [targetId, templateId] = await Promise.all([makeTarget(tenant), makeTemplate(tenant, SOURCE)]);
});

const kinds: readonly (readonly [path: string, body: () => object])[] = [
  ["/instances", () => ({ name: "labelled", templateId, targetId })],
  ["/cloud/targets", () => target],
  ["/templates", () => ({ name: "labelled" })],
  ["/webhooks", () => hook],
];

describe.each(kinds)("labels at %s", (path, body) => {
  const ids = async (label: string, asker = tenant) => {
    const listed = await asker.get(`${path}?label=${encodeURIComponent(label)}`);
    expect(listed.status, listed.text).toBe(200);
    return (listed.body.data as { id: string }[]).map(({ id }) => id);
  };

  it("are kept as given, merged by PATCH, and found", async () => {
    const labels = { env: "prod", "example.com/team": "web", constructor: "x", empty: "" };
    const made = await tenant.post(path, { ...body(), labels });
    expect(made.status, made.text).toBe(201);
    expect(made.body.labels).toEqual(labels);
    const one = `${path}/${made.body.id}`;
    const changed = await tenant.patch(one, { labels: { env: null, tier: "1", empty: "full" } });
    expect(changed.status, changed.text).toBe(200);
    const after = { "example.com/team": "web", constructor: "x", empty: "full", tier: "1" };
    expect(changed.body.labels).toEqual(after);
    expect((await tenant.get(one)).body.labels).toEqual(after);
    const same = await tenant.patch(one, {});
    expect(same.headers.get("etag")).toBe(changed.headers.get("etag"));
    for (const label of ["tier=1", "tier", "constructor=x", "example.com/team=web,tier,empty=full"])
      expect(await ids(label), label).toEqual([made.body.id]);
    for (const label of ["tier=2", "env", "tier=1,env", "toString", "tier="])
      expect(await ids(label), label).toEqual([]);
  });

  it("name what is wrong with them, and lose nothing", async () => {
    const bad = { "a b": "x", '$."a': "x", a: "x'y", "-b": "x", long: "x".repeat(64) };
    const made = await tenant.post(path, { ...body(), labels: bad });
    expect([made.status, made.body.code]).toEqual([400, "validation_failed"]);
    const faults = made.body.errors as { pointer: string; detail: string }[];
    expect(faults.map(({ pointer }) => pointer)).toEqual(
      Object.keys(bad).map((key) => `/labels/${key}`),
    );
    const kept = await tenant.post(path, { ...body(), labels: { keep: "it" } });
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`k${at}`, "v"]));
    const refused = await tenant.patch(`${path}/${kept.body.id}`, { labels: many });
    const created = await tenant.post(path, { ...body(), labels: { ...many, more: "v" } });
    for (const { status, body: problem } of [refused, created])
      expect([status, problem.errors]).toMatchObject([
        400,
        [{ pointer: "/labels", code: "too_many" }],
      ]);
    expect((await tenant.get(`${path}/${kept.body.id}`)).body.labels).toEqual({ keep: "it" });
  });

  it("are not found by what only looks like them", async () => {
    const made = await tenant.post(path, { ...body(), labels: { secret: "value" } });
    for (const label of [
      "secre_",
      "s%",
      "$",
      "secret=val%",
      "secret=valu_",
      'secret" OR 1=1',
      "*",
    ]) {
      const listed = await tenant.get(`${path}?label=${encodeURIComponent(label)}`);
      const found = listed.status === 400 ? [] : listed.body.data;
      expect(found, label).toEqual([]);
    }
    expect(await ids("secret=value")).toEqual([made.body.id]);
  });

  it("are not found by another tenant", async () => {
    await tenant.post(path, { ...body(), labels: { mine: "1" } });
    expect(await ids("mine", other)).toEqual([]);
    const asked = await other.get(`${path}?label=mine&tenantId=${tenant.tenantId}`);
    expect(asked.body.data).toEqual([]);
  });
});

it("keeps the labels of an instance apart from those of its deployments", async () => {
  const id = await makeInstance(tenant, templateId, targetId, {
    labels: { env: "prod" },
    variables: { password: "correct horse battery" },
  });
  const planned = await tenant.post(`/instances/${id}/plan`, { labels: { run: "7" } });
  expect(planned.body.labels).toEqual({ run: "7" });
  const found = async (label: string) =>
    (await tenant.get(`/deployments?instanceId=${id}&label=${label}`)).body.data.length;
  expect([await found("run=7"), await found("env")]).toEqual([1, 0]);
  const instance = await tenant.get(`/instances/${id}`);
  expect(instance.body.labels).toEqual({ env: "prod" });
});
