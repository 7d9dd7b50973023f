/** What a tenant could bring about with another tenant's objects at a target that both deploy to. */
import { beforeEach, describe, expect, it } from "vitest";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import type { TestTenant } from "#test/support/api.ts";
import { run } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { runnerOf } from "#test/support/runner.ts";
import { sharedTarget } from "#test/support/shared-target.ts";

const ORIGIN = "https://api.digitalocean.com";
const description = digitaloceanDescription(digitaloceanDocument);
let cloud: DescribedCloud;
let a: TestTenant;
let b: TestTenant;
/** What the cloud takes as the same path. */
let spelled: (path: string) => string;

const scene = sharedTarget({
  provider: "digitalocean",
  region: "fra1",
  config: {},
  credential: { variable: "TARGET_PLATFORM_DO", value: TOKEN },
  start: () => {
    cloud = digitaloceanCloud(description);
    spelled = (path) => path;
    return (request) => {
      const url = new URL(request.url);
      if (url.origin !== ORIGIN) return undefined;
      url.pathname = spelled(decodeURIComponent(url.pathname));
      return cloud.fetch(new Request(url, request));
    };
  },
});
const { deploy } = scene;
beforeEach(() => {
  ({ a, b } = scene);
});

async function idIn(instanceId: string, name: string): Promise<string> {
  const resources = await runnerOf(instanceId).listResources();
  return resources.find((one) => one.name === name)?.id ?? "";
}

async function shown(path: string) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await cloud.fetch(new Request(`${ORIGIN}${path}`, { headers }));
  return { status: answer.status, text: await answer.text() };
}

const cluster = (name: string) =>
  `  ${name}: { type: digitalocean:Database, properties: { name: ${name}, engine: pg, num_nodes: 1, size: db-s-1vcpu-1gb } }\n`;
const firewall = (id: string, address: string, options = "") =>
  `  fw: { type: digitalocean:DatabaseFirewall, properties: { database_cluster_uuid: "${id}", rules: [{ type: ip_addr, value: ${address} }] }${options} }\n`;

describe("a firewall of which there is one", () => {
  const victim = async () => {
    const { instanceId, state } = await deploy(a, cluster("db") + firewall("${db.id}", "10.0.0.1"));
    expect(state).toBe("SUCCEEDED");
    return idIn(instanceId, "db");
  };

  it("is not opened by a create, neither by another tenant nor by another instance of the same", async () => {
    const id = await victim();
    expect((await deploy(b, firewall(id, "0.0.0.0/0"))).state).toBe("FAILED");
    expect((await deploy(a, firewall(id, "0.0.0.0/0"))).error).toMatchObject({ code: "claimed" });
    expect((await shown(`/v2/databases/${id}/firewall`)).text).toContain("10.0.0.1");
  });

  it("is not taken over by an import under an invented id", async () => {
    const id = await victim();
    const options = (as: string) => `, options: { import: ${as}, ignoreChanges: [rules] }`;
    for (const as of ["no-such-id", id]) {
      const { state } = await deploy(a, firewall(id, "0.0.0.0/0", options(as)));
      expect(state).toBe("FAILED");
    }
    expect((await shown(`/v2/databases/${id}/firewall`)).text).toContain("10.0.0.1");
  });
});

describe("an object under another spelling of its id", () => {
  const key = (options: string) =>
    `  key: { type: digitalocean:SshKey, properties: { name: ops, public_key: "ssh-ed25519 AAAA victim" }${options} }\n`;
  const print = "3b:16:e4:bf:8b:00:8b:b8:59:8c:a9:d3:f0:19:fa:45";

  it("is neither imported nor read", async () => {
    const { instanceId } = await deploy(a, key(""));
    const id = await idIn(instanceId, "key");
    spelled = (path) => path.replace(print, id);
    const taken = await deploy(b, key(`, options: { import: "${print}" }`));
    expect(taken.error).toMatchObject({ code: "claimed" });
    expect(taken.error.message).not.toContain(id);
    const read = await deploy(b, `  key: { type: digitalocean:SshKey, get: { id: "${print}" } }\n`);
    expect(read.error).toMatchObject({ code: "get_not_allowed" });
    await run(b, taken.instanceId, "destroy");
    expect(await shown(`/v2/account/keys/${id}`)).toMatchObject({ status: 200 });
  });

  it("is not imported where the cloud ignores the case of ids", async () => {
    const zone = (options: string) =>
      `  zone: { type: digitalocean:Domain, properties: { name: victim.example }${options} }\n`;
    await deploy(a, zone(""));
    spelled = (path) => path.toLowerCase();
    const taken = await deploy(b, zone(", options: { import: VICTIM.example }"));
    expect(taken.state).toBe("FAILED");
    await run(b, taken.instanceId, "destroy");
    expect(await shown("/v2/domains/victim.example")).toMatchObject({ status: 200 });
  });
});

describe("objects of one name in two clusters", () => {
  it("are two objects, for two tenants and in one template", async () => {
    const database = (name: string, of: string) =>
      `  ${name}: { type: digitalocean:DatabaseDb, properties: { database_cluster_uuid: "\${${of}.id}", name: shop } }\n`;
    expect((await deploy(b, cluster("bees") + database("x", "bees"))).state).toBe("SUCCEEDED");
    const two = cluster("one") + cluster("two") + database("x", "one") + database("y", "two");
    const { instanceId, state } = await deploy(a, two);
    expect(state).toBe("SUCCEEDED");
    const [one, other] = [await idIn(instanceId, "one"), await idIn(instanceId, "two")];
    expect(await idIn(instanceId, "x")).toBe(`${one}/shop`);
    expect(await idIn(instanceId, "y")).toBe(`${other}/shop`);
    const reader = await deploy(
      a,
      `  x: { type: digitalocean:DatabaseDb, get: { id: "${one}/shop" } }\n`,
    );
    expect(reader.state).toBe("NO_CHANGES");
  });
});

describe("a property that names another tenant's object", () => {
  it.for(
    partOf(
      [
        [
          "a user in a cluster",
          '{ type: digitalocean:DatabaseUser, properties: { database_cluster_uuid: "DB", name: spy } }',
        ],
        [
          "an imported user of a cluster",
          '{ type: digitalocean:DatabaseUser, properties: { database_cluster_uuid: "DB", name: doadmin }, options: { import: "DB/doadmin" } }',
        ],
        [
          "a record in a zone",
          "{ type: digitalocean:Record, properties: { domain: victim.example, type: A, name: www, data: 192.0.2.66 } }",
        ],
        [
          "a record in a zone in capitals",
          "{ type: digitalocean:Record, properties: { domain: Victim.example, type: A, name: www, data: 192.0.2.66 } }",
        ],
        [
          "a firewall on a Droplet",
          '{ type: digitalocean:Firewall, properties: { name: open, droplet_ids: [VM], inbound_rules: [{ protocol: tcp, ports: "22", sources: { addresses: [0.0.0.0/0] } }] } }',
        ],
        [
          "a firewall on all with a tag",
          '{ type: digitalocean:Firewall, properties: { name: open, tags: [web], inbound_rules: [{ protocol: tcp, ports: "22", sources: { addresses: [0.0.0.0/0] } }] } }',
        ],
        [
          "a key to every Space",
          '{ type: digitalocean:SpacesKey, properties: { name: all, grants: [{ bucket: "", permission: fullaccess }] } }',
        ],
      ] as const,
      4,
    ),
  )("is refused before a call: %s", async ([, resource]) => {
    const victim = await deploy(
      a,
      `${cluster("db")}  zone: { type: digitalocean:Domain, properties: { name: victim.example } }
  vm: { type: digitalocean:Droplet, properties: { name: vm, size: s, image: i } }\n`,
    );
    expect(victim.state).toBe("SUCCEEDED");
    const database = await idIn(victim.instanceId, "db");
    const vm = await idIn(victim.instanceId, "vm");
    const written = cloud.fake.ledger.length;
    const named = resource.replaceAll("DB", database).replaceAll("VM", vm);
    const { error } = await deploy(b, `  one: ${named}\n`);
    const code = resource.includes("import:") ? "claimed" : "reference_not_allowed";
    expect(error).toMatchObject({ code });
    expect(cloud.fake.ledger).toHaveLength(written);
  });

  it("is allowed where another instance of the same tenant manages it", async () => {
    const { instanceId } = await deploy(a, cluster("db"));
    const id = await idIn(instanceId, "db");
    expect((await deploy(a, firewall(id, "10.0.0.2"))).state).toBe("SUCCEEDED");
  });
});
