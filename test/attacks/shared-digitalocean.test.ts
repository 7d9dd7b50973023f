/**
 * What a template could name of others' at a DigitalOcean account that tenants share: an object of another tenant's or of
 * the operator's by its id, name, tag, host name or text. Nothing is sent (decision 0050).
 */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { TOKEN } from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { run } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { runnerOf } from "#test/support/runner.ts";
import example from "../../examples/digitalocean-three-tier.yaml?raw";
import { deployAt, sharedDigitalocean } from "./digitalocean-target.ts";

const scene = sharedDigitalocean();
let a: TestTenant;
let b: TestTenant;
beforeEach(async () => {
  [a, b] = [await makeTenant(), await makeTenant()];
});

const droplet = (more: string) =>
  `digitalocean:Droplet, properties: { name: spy, size: s-1vcpu-1gb, image: debian-13-x64${more} }`;
const cluster = (more: string) =>
  `digitalocean:Kubernetes, properties: { version: "1.34", node_pools: [{ size: s-1vcpu-2gb, count: 1 }]${more} }`;
const database = (more: string) =>
  `digitalocean:Database, properties: { engine: pg, num_nodes: 1, size: db-s-1vcpu-1gb${more} }`;
const app = (more: string) =>
  `digitalocean:App, properties: { spec: { name: spy, region: fra1, ${more} } }`;
const balancer = (more: string) =>
  `digitalocean:LoadBalancer, properties: { forwarding_rules: [{ entry_protocol: http, entry_port: 80, target_protocol: http, target_port: 80 }]${more} }`;
const firewall = (source: string) =>
  `digitalocean:Firewall, properties: { name: spy, inbound_rules: [{ protocol: tcp, ports: "22", sources: { ${source} } }] }`;
const service = (more: string) => app(`services: [{ name: web, ${more} }]`);

/** VM, DB, VPC, CERT, LB, K8S: ids of the victim's objects. The zone is victim.example. */
const attacks = [
  [
    "a zone of an app's domain",
    app("domains: [{ domain: www.victim.example, zone: victim.example }]"),
  ],
  ["an app's host name", app("domains: [{ domain: www.victim.example }]")],
  ["an app's host name in capitals", app("domains: [{ domain: WWW.Victim.Example }]")],
  [
    "a managed domain of a global load balancer",
    balancer(", type: GLOBAL, domains: [{ name: www.victim.example, is_managed: true }]"),
  ],
  [
    "a certificate for a host name",
    "digitalocean:Certificate, properties: { name: spy, type: lets_encrypt, dns_names: [www.victim.example] }",
  ],
  [
    "a wildcard certificate",
    'digitalocean:Certificate, properties: { name: spy, type: lets_encrypt, dns_names: ["*.victim.example"] }',
  ],
  [
    "a certificate for a domain of nobody's",
    "digitalocean:Certificate, properties: { name: spy, type: lets_encrypt, dns_names: [operator.example] }",
  ],
  ["a zone within a zone", "digitalocean:Domain, properties: { name: www.victim.example }"],
  [
    "a zone within a zone, in capitals",
    "digitalocean:Domain, properties: { name: www.Victim.example }",
  ],
  ["a host name of a database", database(", do_settings: { service_cnames: [db.victim.example] }")],
  ["a private image", droplet("").replace("debian-13-x64", "12345678")],
  ["a private image as a text", droplet("").replace("debian-13-x64", '"12345678"')],
  [
    "a private image with letters after its number",
    droplet("").replace("debian-13-x64", '"12345678-x"'),
  ],
  [
    "an image of the account's registry",
    service("image: { registry_type: DOCR, repository: api, tag: latest }"),
  ],
  [
    "an image of the account's registry, as a job",
    app("jobs: [{ name: job, image: { registry_type: DOCR, repository: api } }]"),
  ],
  [
    "a repository by the account's connection",
    service("github: { repo: victim/api, branch: main }"),
  ],
  [
    "a cluster of a log destination",
    service(
      'git: { repo_clone_url: "https://git.example/x.git", branch: main }, log_destinations: [{ name: logs, open_search: { cluster_name: logs } }]',
    ),
  ],
  [
    "a database cluster of an app by its name",
    app("databases: [{ name: db, engine: PG, cluster_name: victim }]"),
  ],
  [
    "a production database of an app",
    app("databases: [{ name: db, engine: PG, production: true }]"),
  ],
  [
    "a property of an app that nothing describes",
    app("services: [{ name: web, attached_to: VM }]"),
  ],
  ["a top part of an app that nothing describes", app("volumes: { VM: {} }")],
  ["a subnet", cluster(", worker_subnet_uuid: VPC")],
  ["a network of a cluster", cluster(", vpc_uuid: VPC")],
  [
    "the sign-in of a cluster",
    cluster(', sso: { enabled: true, issuer_url: "https://spy.example", client_id: spy }'),
  ],
  ["a tag of a cluster", cluster(", tags: [victim]")],
  ["a tag of a node pool", cluster("").replace("count: 1", "count: 1, tags: [victim]")],
  ["a database rule by a tag", database(", rules: [{ type: tag, value: victim }]")],
  ["a database rule by a Droplet", database(', rules: [{ type: droplet, value: "VM" }]')],
  [
    "a database rule by a cluster",
    database(", rules: [{ type: k8s, value: 11111111-2222-4333-8444-555555555555 }]"),
  ],
  [
    "a database rule of a kind that nothing describes",
    database(", rules: [{ type: vpc, value: VPC }]"),
  ],
  ["a tag of a database", database(", tags: [victim]")],
  ["a backup of a database", database(", backup_restore: { database_name: db }")],
  [
    "a replica of a database",
    "digitalocean:DatabaseReplica, properties: { database_cluster_uuid: DB, name: spy, size: db-s-1vcpu-1gb }",
  ],
  ["a firewall's source that is a Droplet", firewall("droplet_ids: [VM]")],
  ["a firewall's source that is a tag", firewall("tags: [victim]")],
  ["a firewall's source that is a load balancer", firewall("load_balancer_uids: [LB]")],
  [
    "a firewall's source that is a cluster",
    firewall("kubernetes_ids: [11111111-2222-4333-8444-555555555555]"),
  ],
  ["a tag of a Droplet", droplet(", tags: [victim]")],
  ["a volume", droplet(", volumes: [11111111-2222-4333-8444-555555555555]")],
  [
    "a key by its fingerprint",
    droplet(', ssh_keys: ["3b:16:e4:bf:8b:00:8b:b8:59:8c:a9:d3:f0:19:fa:45"]'),
  ],
  ["a property that no row has", droplet(", snapshot_of: VM")],
  [
    "a snapshot",
    'digitalocean:Volume, properties: { name: spy, size_gigabytes: 1, snapshot_id: "VM" }',
  ],
  ["a project", balancer(", project_id: 11111111-2222-4333-8444-555555555555")],
  ["a certificate", balancer(", domains: [{ name: www.spy.example, certificate_id: CERT }]")],
  ["a Droplet behind a load balancer", balancer(", droplet_ids: [VM]")],
  ["Droplets behind a load balancer by their tag", balancer(", tag: victim")],
  [
    "load balancers behind a global one",
    balancer(", type: GLOBAL, target_load_balancer_ids: [LB]"),
  ],
  ["a Droplet of an address", "digitalocean:ReservedIp, properties: { droplet_id: VM }"],
  [
    "a Space",
    "digitalocean:SpacesKey, properties: { name: spy, grants: [{ bucket: victim, permission: read }] }",
  ],
  [
    "the origin of a CDN",
    "digitalocean:Cdn, properties: { origin: victim.fra1.digitaloceanspaces.com }",
  ],
  [
    "the account's registry and what it costs",
    "digitalocean:Registry, properties: { name: spy, subscription_tier_slug: professional }",
  ],
] as const;

/** What stays possible. */
const own = [
  [
    "a zone, and host names in it",
    `  zone: { type: digitalocean:Domain, properties: { name: own.example } }
  certificate: { type: digitalocean:Certificate, properties: { name: own, type: lets_encrypt, dns_names: ["\${zone.name}", "*.own.example", "www.eu.own.example"] } }
  site: { type: ${app('domains: [{ domain: "www.${zone.name}", zone: "${zone.name}" }], services: [{ name: web, image: { registry_type: DOCKER_HUB, registry: library, repository: nginx, tag: "1" }, http_port: 80, envs: [{ key: MODE, value: live, scope: RUN_TIME }] }]')} }
`,
  ],
  [
    "Droplets behind a firewall and a load balancer",
    `  vpc: { type: digitalocean:Vpc, properties: { name: own } }
  key: { type: digitalocean:SshKey, properties: { name: own, public_key: "ssh-ed25519 AAAA own" } }
  volume: { type: digitalocean:Volume, properties: { name: own, size_gigabytes: 1 } }
  vm: { type: ${droplet(', vpc_uuid: "${vpc.id}", ssh_keys: ["${key.id}"], volumes: ["${volume.id}"]')} }
  wall: { type: ${firewall('addresses: [10.0.0.0/8], droplet_ids: ["${vm.id}"]')} }
  lb: { type: ${balancer(', vpc_uuid: "${vpc.id}", droplet_ids: ["${vm.id}"], size_unit: 1')} }
`,
  ],
  [
    "a cluster with labels, and a database that lets it in",
    `  k8s: { type: ${cluster(", name: own").replace("count: 1", "name: first, count: 1, labels: { tier: web }")} }
  db: { type: ${database(', name: own, rules: [{ type: k8s, value: "${k8s.id}" }, { type: ip_addr, value: 192.0.2.1 }]')} }
  pool: { type: digitalocean:NodePool, properties: { cluster_id: "\${k8s.id}", name: more, size: s-1vcpu-2gb, count: 1, labels: { "own.example/tier": web } } }
`,
  ],
] as const;

async function victim(): Promise<Record<string, string>> {
  const { instanceId, ended } = await deployAt(
    scene,
    a,
    `name: victim
runtime: yaml
resources:
  zone: { type: digitalocean:Domain, properties: { name: victim.example } }
  VPC: { type: digitalocean:Vpc, properties: { name: victim } }
  VM: { type: ${droplet("").replace("spy", "victim")} }
  DB: { type: ${database(", name: victim")} }
  LB: { type: ${balancer(", name: victim")} }
  CERT: { type: digitalocean:Certificate, properties: { name: victim, type: lets_encrypt, dns_names: ["\${zone.name}"] } }
`,
  );
  expect(ended.body, ended.text).toMatchObject({ state: "SUCCEEDED" });
  const resources = await runnerOf(instanceId).listResources();
  return Object.fromEntries(resources.map(({ name, id }) => [name, id ?? ""]));
}

describe("at a shared DigitalOcean target", () => {
  it.for(partOf(attacks, 6))("nothing is sent that names %s of another", async ([, resource]) => {
    const ids = await victim();
    const named = resource.replaceAll(/\b(?:VM|DB|VPC|CERT|LB)\b/g, (name) => ids[name] ?? name);
    const before = scene.cloud.fake.ledger.length;
    const { ended } = await deployAt(
      scene,
      b,
      `name: spy\nruntime: yaml\nresources:\n  one: { type: ${named} }\n`,
    );
    expect(ended.body).toMatchObject({ state: "FAILED", error: { code: "reference_not_allowed" } });
    expect(scene.cloud.fake.ledger).toHaveLength(before);
  });

  it("the example is deployed, changed and destroyed, which names its own objects and public ones", async () => {
    const { instanceId, ended } = await deployAt(scene, b, example, {
      region: "fra1",
      domain: "shop.example",
    });
    expect(ended.body, ended.text).toMatchObject({ state: "SUCCEEDED" });
    const variables = { databaseSize: "db-s-2vcpu-4gb" };
    expect((await b.patch(`/instances/${instanceId}`, { variables })).status).toBe(200);
    expect((await run(b, instanceId, "deploy")).body).toMatchObject({ state: "SUCCEEDED" });
    expect((await run(b, instanceId, "destroy")).body).toMatchObject({ state: "SUCCEEDED" });
  });

  it.for(partOf(own, 3))("a tenant names of its own %s", async ([, resources]) => {
    const source = `name: own\nruntime: yaml\nresources:\n${resources}`;
    const { ended } = await deployAt(scene, b, source);
    expect(ended.body, ended.text).toMatchObject({ state: "SUCCEEDED" });
  });

  it("no zone is made inside another, also where that is the operator's, which no instance manages", async () => {
    const zone = (name: string) =>
      `name: zone\nruntime: yaml\nresources:\n  zone: { type: digitalocean:Domain, properties: { name: ${name} } }\n`;
    const state = async (who: TestTenant, name: string) =>
      (await deployAt(scene, who, zone(name))).ended.body;
    const made = await scene.cloud.fetch(
      new Request("https://api.digitalocean.com/v2/domains", {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "operator.example" }),
      }),
    );
    expect(made.status).toBe(201);
    expect(await state(b, "own.example")).toMatchObject({ state: "SUCCEEDED" });
    const before = scene.cloud.fake.ledger.length;
    for (const name of ["www.operator.example", "a.b.operator.example", "www.own.example"])
      for (const who of [a, b]) {
        const { error } = await state(who, name);
        expect(error.code).toBe("reference_not_allowed");
        expect(error.message).not.toContain("instance");
      }
    expect(scene.cloud.fake.ledger).toHaveLength(before);
    expect(await state(a, "shop.co.example")).toMatchObject({ state: "SUCCEEDED" });
  });

  it("no zone is made around another tenant's, and one that is there covers none of its names", async () => {
    const deploy = async (who: TestTenant, resource: string) =>
      (
        await deployAt(
          scene,
          who,
          `name: zone\nruntime: yaml\nresources:\n  one: { type: ${resource} }\n`,
        )
      ).ended.body;
    const zone = (name: string) => `digitalocean:Domain, properties: { name: ${name} }`;
    expect(await deploy(a, zone("shop.around.example"))).toMatchObject({ state: "SUCCEEDED" });
    const before = scene.cloud.fake.ledger.length;
    const { error } = await deploy(b, zone("around.example"));
    expect(error).toMatchObject({ code: "reference_not_allowed" });
    // In the same words as for one inside, which may be the operator's.
    const within = (await deploy(b, zone("x.shop.around.example"))).error.message;
    expect(error.message).toBe(within);
    expect(scene.cloud.fake.ledger).toHaveLength(before);
    // The name ends alike, and is not inside.
    expect(await deploy(b, zone("op.around.example"))).toMatchObject({ state: "SUCCEEDED" });
    expect(await deploy(a, zone("und.example"))).toMatchObject({ state: "SUCCEEDED" });
    // From before the rule.
    const gate = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(scene.targetId));
    await gate.claim(
      { instanceId: "older", tenantId: b.tenantId },
      [{ type: "digitalocean:Domain", id: "around.example" }],
      { only: false },
    );
    const wildcards = [
      'digitalocean:Certificate, properties: { name: spy, type: lets_encrypt, dns_names: ["*.around.example"] }',
      app("domains: [{ domain: around.example, wildcard: true }]"),
      app('domains: [{ domain: "*.around.example" }]'),
    ];
    for (const wildcard of wildcards)
      expect(await deploy(b, wildcard)).toMatchObject({
        state: "FAILED",
        error: { code: "reference_not_allowed" },
      });
    const exact =
      "digitalocean:Certificate, properties: { name: spy, type: lets_encrypt, dns_names: [www.around.example] }";
    expect(await deploy(b, exact)).toMatchObject({ state: "SUCCEEDED" });
  });

  it("a tenant makes a zone around its own", async () => {
    const zone = (name: string) =>
      `name: zone\nruntime: yaml\nresources:\n  zone: { type: digitalocean:Domain, properties: { name: ${name} } }\n`;
    for (const name of ["shop.mine.example", "mine.example"]) {
      const { ended } = await deployAt(scene, b, zone(name));
      expect(ended.body, ended.text).toMatchObject({ state: "SUCCEEDED" });
    }
  });

  it("an operator whose tenants trust each other takes the rule back", async () => {
    const patched = await operator.patch(`/cloud/targets/${scene.targetId}`, {
      config: { tenantsTrustEachOther: true },
    });
    expect(patched.status, patched.text).toBe(200);
    const source = `name: tagged\nruntime: yaml\nresources:\n  one: { type: ${droplet(", tags: [web]")} }\n`;
    const { ended } = await deployAt(scene, b, source);
    expect(ended.body, ended.text).toMatchObject({ state: "SUCCEEDED" });
  });
});
