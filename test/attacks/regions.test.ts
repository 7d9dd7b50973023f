/** Attempts to have an object made in a region that the target does not allow. A test is named after its attack. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { withFacts } from "#test/support/type-facts.ts";

const ALLOWED = "europe-west1";
const FORBIDDEN = "us-east1";

let tenant: TestTenant;
beforeAll(async () => {
  // A target of the platform that allows every region would be one of every tenant.
  await emptyDatabase();
  withFacts({
    // Where the template says nothing, the target's region counts.
    "mock:Server": { defaults: { region: { region: true } } },
    // A zone, nested, by default that of the target's config.
    "mock:Bucket": {
      regionProperty: "place.zone",
      regionShape: "zone",
      defaults: { "place.zone": { config: "zone" } },
    },
    // Where nothing is said, the cloud chooses.
    "mock:Network": { regionElsewhere: {} },
    // A plan does not assume that the cloud shows it where it was sent.
    "mock:Database": { shownAt: { "place.zone": "zone" } },
  });
  tenant = await makeUnlimitedTenant();
});
afterAll(() => {
  vi.restoreAllMocks();
});

const targetIn = (config: JsonMap = {}) =>
  makeTarget(tenant, config, { allowedRegions: [ALLOWED], defaultRegion: ALLOWED });
const template = (resource: string) => `resources:\n  box: ${resource}\n`;
async function deploy(source: string, config: JsonMap = {}) {
  const targetId = await targetIn(config);
  const instanceId = await makeInstance(tenant, await makeTemplate(tenant, source), targetId);
  return { targetId, instanceId, ended: await run(tenant, instanceId, "deploy") };
}
const objectAt = async (targetId: string, kind: string): Promise<JsonMap> => {
  const [made] = await ledger(targetId);
  const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
  return (await cloud.fetch(`https://mock.cloud.invalid/v1/${kind}/${made?.id}`)).json();
};

describe("an object is not made in a forbidden region", () => {
  it.for<[string, string, JsonMap?]>([
    [
      "by naming the region",
      `{ type: mock:Server, properties: { name: a, region: ${FORBIDDEN} } }`,
    ],
    [
      "by naming the region in a list",
      `{ type: mock:Server, properties: { name: a, region: [${ALLOWED}] } }`,
    ],
    [
      "by naming one of its zones",
      `{ type: mock:Bucket, properties: { name: a, place: { zone: ${FORBIDDEN}-b } } }`,
    ],
    [
      "by naming a zone that begins like an allowed one",
      `{ type: mock:Bucket, properties: { name: a, place: { zone: ${ALLOWED}1-b } } }`,
    ],
    [
      "by leaving the zone to a target whose config names another",
      "{ type: mock:Bucket, properties: { name: a } }",
      { zone: `${FORBIDDEN}-b` },
    ],
    [
      "by leaving the zone out of what it stands in",
      "{ type: mock:Bucket, properties: { name: a, place: { zone: null, rack: 1 } } }",
      { zone: `${FORBIDDEN}-b` },
    ],
  ])("%s", async ([, resource, config]) => {
    const { targetId, ended } = await deploy(template(resource), config);
    expect(ended.body.error, ended.text).toMatchObject({
      code: "region_not_allowed",
      fault: "user",
    });
    expect(await ledger(targetId)).toEqual([]);
  });

  it("by a zone that is only known when its turn comes", async () => {
    const source = `resources:
  first: { type: mock:Database, properties: { name: first, place: { zone: ${FORBIDDEN}-b } } }
  box: { type: mock:Bucket, properties: { name: box, place: { zone: "\${first.place.zone}" } } }
`;
    const { ended } = await deploy(source);
    expect(ended.body.error, ended.text).toMatchObject({
      code: "region_not_allowed",
      resource: "box",
      message: expect.stringContaining(`does not allow. It allows ${ALLOWED}.`),
    });
  });

  it("by importing one from there with ignoreChanges, and having it replaced", async () => {
    const targetId = await targetIn();
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    const outside = await cloud.fetch("https://mock.cloud.invalid/v1/servers", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "a", region: FORBIDDEN, image: "one" }),
    });
    const { id } = await outside.json<{ id: string }>();
    const source = (image: string) =>
      template(
        `{ type: mock:Server, properties: { name: a, region: ${ALLOWED}, image: ${image} }, options: { import: ${id}, ignoreChanges: [region] } }`,
      );
    const templateId = await makeTemplate(tenant, source("one"));
    const instanceId = await makeInstance(tenant, templateId, targetId);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await addVersion(tenant, instanceId, templateId, source("two"));
    for (const operation of ["plan", "deploy"] as const) {
      const ended = await run(tenant, instanceId, operation);
      expect(ended.body.error, ended.text).toMatchObject({ code: "region_not_allowed" });
    }
    expect(await ledger(targetId)).toHaveLength(1);
  });
});

it("an object that was made without a region, when every one was allowed, stays, but is not made again", async () => {
  const targetId = await makeTarget(tenant, {}, { allowedRegions: ["*"], defaultRegion: ALLOWED });
  const source = (cidr: string, more = "") =>
    template(`{ type: mock:Network, properties: { name: a, cidr: ${cidr} ${more} } }`);
  const templateId = await makeTemplate(tenant, source("10.0.0.0/16"));
  const instanceId = await makeInstance(tenant, templateId, targetId);
  expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
  const narrowed = await tenant.patch(`/cloud/targets/${targetId}`, { allowedRegions: [ALLOWED] });
  expect(narrowed.status, narrowed.text).toBe(200);
  expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  await addVersion(tenant, instanceId, templateId, source("10.1.0.0/16"));
  const ended = await run(tenant, instanceId, "deploy");
  expect(ended.body.error, ended.text).toMatchObject({ code: "region_not_allowed" });
  expect(ended.body.error.message).toContain("Set `region`");
  await addVersion(tenant, instanceId, templateId, source("10.1.0.0/16", `, region: ${ALLOWED}`));
  expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
});

describe("the region that a template leaves out", () => {
  it("is the target's, and writing it later changes nothing", async () => {
    const source = template("{ type: mock:Server, properties: { name: a, region: null } }");
    const { targetId, instanceId, ended } = await deploy(source);
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    expect(await objectAt(targetId, "servers")).toMatchObject({ region: ALLOWED });
    const { body } = await tenant.get(`/instances/${instanceId}`);
    const said = source.replace("region: null", `region: ${ALLOWED}`);
    await addVersion(tenant, instanceId, body.templateId, said);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("stays that of the object when the target moves to another", async () => {
    const source = template("{ type: mock:Server, properties: { name: a } }");
    const { targetId, instanceId, ended } = await deploy(source);
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    const moved = { allowedRegions: [ALLOWED, "eu-2"], defaultRegion: "eu-2" };
    expect((await tenant.patch(`/cloud/targets/${targetId}`, moved)).status).toBe(200);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });
});

it("a zone that no target allows is told by a check for the tenant", async () => {
  const place = { allowedRegions: [ALLOWED], defaultRegion: ALLOWED };
  const other = await makeTenant();
  await makeTarget(other, {}, place);
  const check = async (zone: string) => {
    const source = template(
      `{ type: mock:Bucket, properties: { name: a, place: { zone: ${zone} } } }`,
    );
    const { tenantId } = other;
    const { body } = await other.post("/templates/validate", { source, tenantId });
    return body.diagnostics.filter(({ code }: { code: string }) => code === "region_not_allowed");
  };
  expect(await check(`${FORBIDDEN}-b`)).toMatchObject([{ severity: "warning", line: 2 }]);
  expect(await check(`${ALLOWED}-b`)).toEqual([]);
});
