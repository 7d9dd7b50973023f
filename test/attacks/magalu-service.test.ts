/** The example at a fake Magalu: deployed, changed in place and by replacement, put right, destroyed; no secret comes back. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { jsonAt } from "#platform/at-path.ts";
import { magaluDocument } from "#test/providers/magalu/description.ts";
import {
  API_KEY,
  type MagaluCloud,
  magaluCloud,
  magaluDescription,
} from "#test/providers/magalu/magalu-cloud.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { runnerOf, start, storedBy } from "#test/support/runner.ts";
import source from "../../examples/magalu-service.yaml?raw";

const PASSWORD = "canary-of-the-database";
/** By so much the clock of a run is ahead more each time that it is looked at: it waits two seconds between polls. */
const AHEAD_MS = 400;
const CREDENTIAL = "TARGET_PLATFORM_MAGALU";
const MACHINES = "/{region}/compute/v1/instances";
const VOLUMES = "/{region}/volume/v1/volumes";
let cloud: MagaluCloud;
let aheadMs: number;
let tenant: TestTenant;
let other: TestTenant;

beforeEach(async () => {
  aheadMs = 0;
  cloud = magaluCloud(magaluDescription(magaluDocument), { now: () => Date.now() + aheadMs });
  const real = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const { hostname } = new URL(request.url);
    return hostname === "api.magalu.cloud" ? cloud.fetch(request) : real(input, init);
  });
  [tenant, other] = await Promise.all([makeTenant(), makeTenant()]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function makeTarget(config: object): Promise<string> {
  const target = await operator.post("/cloud/targets", {
    provider: "magalu",
    name: "shared",
    config,
    allowedRegions: ["br-se1"],
    defaultRegion: "br-se1",
    credentialRef: `env://${CREDENTIAL}`,
  });
  expect(target.status, target.text).toBe(201);
  return target.body.id;
}

async function instanceOf(who: TestTenant, text: string, targetId: string, variables = {}) {
  const instanceId = await makeInstance(who, await makeTemplate(who, text), targetId, {
    variables,
  });
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, { [CREDENTIAL]: API_KEY });
  });
  return instanceId;
}

/** What comes of a run, whose clock goes faster. */
async function hurried<T>(instanceId: string, over: Promise<T>): Promise<T> {
  const going = { on: true };
  const hurry = async () => {
    while (going.on) {
      aheadMs += AHEAD_MS;
      await runInDurableObject(runnerOf(instanceId), async (runner) => {
        runner.now = () => Date.now() + aheadMs;
        await runner.wake();
      });
      await scheduler.wait(20);
    }
  };
  const [result] = await Promise.all([over.finally(() => (going.on = false)), hurry()]);
  return result;
}

describe("the service of the example", () => {
  it("is deployed, changed, put right and destroyed to nothing, and its secrets stay", async () => {
    const target = await makeTarget({ tenantsTrustEachOther: true });
    const variables = { databasePassword: PASSWORD };
    const instanceId = await instanceOf(tenant, source, target, variables);
    const said: string[] = [];
    const read = async (path: string) => {
      const answer = await tenant.get(path);
      expect(answer.status, path).toBe(200);
      said.push(answer.text);
      return answer.body;
    };
    const act = async (operation: "deploy" | "destroy" | "check-drift") => {
      const over =
        operation === "check-drift"
          ? start(tenant, instanceId, operation).then((id) => untilOver(tenant, id))
          : run(tenant, instanceId, operation);
      const { body, text } = await hurried(instanceId, over);
      said.push(text);
      expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
      await read(`/deployments/${body.id}/log?limit=100`);
      for (const path of ["", "/resources", "/outputs"])
        await read(`/instances/${instanceId}${path}`);
      const plan = await read(`/deployments/${body.id}/plan`);
      const changes: { resource: string; action: string }[] = plan.changes;
      return Object.fromEntries(
        changes.flatMap(({ resource, action }) =>
          action === "unchanged" ? [] : [[resource, action]],
        ),
      );
    };
    const change = async (more: object) => {
      const path = `/instances/${instanceId}`;
      const answer = await tenant.patch(path, { variables: { ...variables, ...more } });
      expect(answer.status, answer.text).toBe(200);
      return act("deploy");
    };
    await act("deploy");
    const made = cloud.fake.living().length;
    expect(made).toBe(8);
    const [machine] = cloud.fake.living(MACHINES);
    const volumeAt = () => {
      const [{ key: id, shown } = { key: "", shown: {} }] = cloud.fake.living(VOLUMES);
      return { id, machine: jsonAt(shown, "attachment.instance.id") };
    };
    const volume = volumeAt();
    expect(volume.machine).toBe(machine?.key);

    expect(await change({ databaseSize: 40 })).toEqual({ database: "update" });
    expect(cloud.fake.ledger.at(-1)?.by).toMatch(/^POST .*\/database\/v2\/instances\/.*\/resize$/);
    const resized = { databaseSize: 40, machineType: "BV2-2-40" };
    expect(await change(resized)).toEqual({ web: "update" });
    expect(cloud.fake.living(MACHINES)[0]?.key).toBe(machine?.key);

    if (machine !== undefined) machine.shown["name"] = "by-hand";
    expect(await act("check-drift")).toMatchObject({ web: "update" });
    await act("deploy");
    expect(cloud.fake.living(MACHINES)[0]?.shown["name"]).toBe("shop-web");

    expect(await change({ ...resized, image: "cloud-debian-12 LTS" })).toMatchObject({
      web: "replace",
    });
    const [other, ...more] = cloud.fake.living(MACHINES);
    expect([other?.key === machine?.key, more]).toEqual([false, []]);
    // The volume stays, and the new machine is made with it once the old one has let go of it.
    expect(volumeAt()).toEqual({ id: volume.id, machine: other?.key });
    const moves = cloud.fake.ledger.filter(({ collection }) => collection === MACHINES);
    expect(moves.slice(-2).map(({ verb }) => verb)).toEqual(["delete", "create"]);

    await act("destroy");
    expect(cloud.fake.living().map(({ collection }) => collection)).toEqual([]);
    expect(cloud.violations).toEqual([]);
    said.push(await storedBy(instanceId));
    const told = said.join("\n");
    expect(told).toContain("BV2-2-40");
    for (const canary of [PASSWORD, API_KEY, btoa(PASSWORD)]) expect(told).not.toContain(canary);
  });
});

it("a machine with a port of its own is replaced once a drift check has found the port gone", async () => {
  const target = await makeTarget({ tenantsTrustEachOther: true });
  const text = `config:
  image: { type: string, default: debian }
resources:
  network: { type: magalu:Vpc, properties: { name: shop-network } }
  port:
    type: magalu:Port
    properties: { vpc_id: "\${network.id}", name: shop-port, has_pip: false }
  web:
    type: magalu:Vm
    properties:
      name: shop-web
      machine_type: { name: BV1-1-40 }
      image: { name: "\${image}" }
      network: { interface: { id: "\${port.id}" }, associate_public_ip: false }
    options: { deleteBeforeReplace: true }
`;
  const instanceId = await instanceOf(tenant, text, target);
  const deploy = async () =>
    (await hurried(instanceId, run(tenant, instanceId, "deploy"))).body as {
      state: string;
      error?: { message: string };
    };
  expect(await deploy()).toMatchObject({ state: "SUCCEEDED" });
  await tenant.patch(`/instances/${instanceId}`, { variables: { image: "ubuntu" } });
  const refused = await deploy();
  expect(refused.state).toBe("FAILED");
  expect(JSON.stringify(refused.error)).toContain("check for drift");
  const checked = await start(tenant, instanceId, "check-drift");
  expect((await hurried(instanceId, untilOver(tenant, checked))).body.state).toBe("SUCCEEDED");
  expect(await deploy()).toMatchObject({ state: "SUCCEEDED" });
  expect(cloud.fake.living(MACHINES).map(({ shown }) => shown["image"])).toMatchObject([
    { name: "ubuntu" },
  ]);
});

describe("at a target of the platform", () => {
  const vpc = (region = "") =>
    `resources:\n  one: { type: magalu:Vpc, properties: { name: net-one${region} } }\n`;

  it("tenants deploy nothing, unless they trust each other", async () => {
    const instanceId = await instanceOf(other, vpc(), await makeTarget({}));
    const { body } = await run(other, instanceId, "deploy");
    expect(body.error).toMatchObject({ code: "target_not_shared" });
    expect(cloud.fake.requests).toEqual([]);
  });

  it("a region that it does not allow is refused", async () => {
    const target = await makeTarget({ tenantsTrustEachOther: true });
    const instanceId = await instanceOf(other, vpc(", region: br-ne1"), target);
    const { body } = await run(other, instanceId, "deploy");
    expect(body.state).toBe("FAILED");
    expect(cloud.fake.ledger).toEqual([]);
  });
});
