/** Attempts to have an object made in a forbidden region without naming one. A test is named after its attack. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { deployAt, sharedDigitalocean } from "./digitalocean-target.ts";

const scene = sharedDigitalocean();
let tenant: TestTenant;
beforeAll(async () => {
  tenant = await makeTenant();
});

const rule = "{ entry_protocol: http, entry_port: 80, target_protocol: http, target_port: 80 }";
const global = (more: string) =>
  `{ type: digitalocean:LoadBalancer, properties: { name: lb, type: GLOBAL, forwarding_rules: [${rule}], glb_settings: { target_protocol: http, target_port: 80 ${more} } } }`;
const deploy = async (resource: string) => {
  const { ended } = await deployAt(scene, tenant, `resources:\n  one: ${resource}\n`);
  return { ended, made: scene.sent.filter(({ method }) => method === "POST") };
};

describe("nothing is made in a region that the cloud chooses", () => {
  it.for([
    [
      "by an app without a region",
      "{ type: digitalocean:App, properties: { spec: { name: app } } }",
    ],
    [
      "by an app whose region is null",
      "{ type: digitalocean:App, properties: { spec: { name: app, region: null } } }",
    ],
    [
      "by an app whose specification is a secret without a region",
      "{ type: digitalocean:App, properties: { spec: { fn::secret: { name: app } } } }",
    ],
    [
      "by a global load balancer that prefers a region",
      global(", region_priorities: { fra1: 1, sfo3: 2 }"),
    ],
  ] as const)("%s", async ([, resource]) => {
    const { ended, made } = await deploy(resource);
    expect(ended.body.error, ended.text).toMatchObject({
      code: "region_not_allowed",
      fault: "user",
    });
    expect(made).toEqual([]);
  });

  it("and the error says which property to set", async () => {
    const { ended } = await deploy("{ type: digitalocean:App, properties: { spec: { name: a } } }");
    expect(ended.body.error.message).toMatch(
      /Set `spec.region` to a region that the target \S+ allows/,
    );
  });
});

describe("the target's region counts", () => {
  it.for([
    [
      "for a load balancer without one",
      `{ type: digitalocean:LoadBalancer, properties: { name: lb, forwarding_rules: [${rule}] } }`,
    ],
    ["for an address without one", "{ type: digitalocean:ReservedIp }"],
    [
      "for an address whose Droplet is null",
      "{ type: digitalocean:ReservedIp, properties: { droplet_id: null, region: null } }",
    ],
  ] as const)("%s", async ([, resource]) => {
    const { made } = await deploy(resource);
    expect(JSON.parse(made[0]?.body ?? "{}")).toMatchObject({ region: "fra1" });
  });
});

describe("no region is sent", () => {
  it("for a global load balancer", async () => {
    const { made } = await deploy(global(", region_priorities: { fra1: 1 }"));
    expect(made).toHaveLength(1);
    expect(JSON.parse(made[0]?.body ?? "{}")).not.toHaveProperty("region");
  });

  it("for the address of a Droplet, which is where that is", async () => {
    const source = `resources:
  vm: { type: digitalocean:Droplet, properties: { name: vm, size: s, image: i } }
  ip: { type: digitalocean:ReservedIp, properties: { droplet_id: "\${vm.id}" } }
`;
    await deployAt(scene, tenant, source);
    const sent = scene.sent.filter(({ method, path }) => method === "POST" && path.endsWith("ips"));
    expect(sent).toHaveLength(1);
    expect(JSON.parse(sent[0]?.body ?? "{}")).not.toHaveProperty("region");
  });
});
