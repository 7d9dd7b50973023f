/** DigitalOcean's rows in whole deployments: changes that must not replace an object, and waits that must end. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { addVersion, makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import { inTurns } from "#test/support/depth.ts";
import type { FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import { runnerOf } from "#test/support/runner.ts";

/** Each test is about a former fault of a row. The conformance of all rows is in test/providers/. */
const inTurn = inTurns(3);
const description = digitaloceanDescription(digitaloceanDocument);
type Answer = (
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Promise<Response>;
const pass: Answer = (request, next) => next(request);
/** Actions end before they are answered, because polls would only take time. */
const atOnce: Answer = async (request, next) => {
  const answer = await next(request);
  if (request.method !== "POST" || !request.url.endsWith("/actions")) return answer;
  return new Response((await answer.text()).replace('"in-progress"', '"completed"'), answer);
};

afterEach(() => {
  vi.restoreAllMocks();
});

interface Over {
  state: string;
  error: { code?: string; message?: string } | null;
  actions: Record<string, string>;
  reasons: Record<string, string | undefined>;
  /** The requests that are no reads. */
  sent: string[];
}

/** An instance with these resources at its own cloud. `hook` sits between the two. */
async function instanceOf(first: JsonMap, options: FakeOptions = {}, answer: Answer = atOnce) {
  const cloud = digitaloceanCloud(description, { readyAfterMs: 0, ...options });
  const hook = { answer };
  const sent: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    if (!request.url.startsWith("https://api.digitalocean.com")) return Response.json({});
    const { pathname } = new URL(request.url);
    if (request.method !== "GET")
      sent.push(`${request.method} ${pathname} ${await request.clone().text()}`);
    return hook.answer(request, cloud.fetch);
  });
  const tenant = await makeTenant();
  const secret = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_DO`;
  (env as unknown as Record<string, unknown>)[secret] = TOKEN;
  const target = await tenant.post("/cloud/targets", {
    provider: "digitalocean",
    name: "do",
    config: {},
    credentialRef: `env://${secret}`,
    allowedRegions: ["*"],
    defaultRegion: "nyc3",
  });
  const source = (resources: JsonMap): string =>
    JSON.stringify({ name: "rows", runtime: "yaml", resources });
  const templateId = await makeTemplate(tenant, source(first));
  const instanceId = await makeInstance(tenant, templateId, target.body.id);
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    (runner as unknown as { env: Record<string, unknown> }).env[secret] = TOKEN;
  });
  const go = async (
    operation: "deploy" | "plan" | "check-drift" | "destroy" = "deploy",
  ): Promise<Over> => {
    const before = sent.length;
    const over = await run(tenant, instanceId, operation as "deploy");
    const plan = await tenant.get(`/deployments/${over.body.id}/plan`);
    const changes: { resource: string; action: string; reason?: string }[] =
      plan.body?.changes ?? [];
    return {
      state: over.body.state,
      error: over.body.error,
      actions: Object.fromEntries(changes.map(({ resource, action }) => [resource, action])),
      reasons: Object.fromEntries(changes.map(({ resource, reason }) => [resource, reason])),
      sent: sent.slice(before),
    };
  };
  /** Deploys other resources. */
  const change = async (resources: JsonMap): Promise<Over> => {
    await addVersion(tenant, instanceId, templateId, source(resources));
    return go();
  };
  const shown = (path: string): JsonMap[] => cloud.fake.living(path).map((one) => one.shown);
  const states = async (): Promise<string[]> =>
    (await runnerOf(instanceId).listResources()).map(({ name, state }) => `${name} ${state}`);
  return { cloud, hook, go, change, shown, states };
}

const resource = (type: string, properties: JsonMap, options?: JsonMap): JsonMap => ({
  type: `digitalocean:${type}`,
  properties,
  ...(options && { options }),
});
const droplet = (more: JsonMap = {}): JsonMap =>
  resource("Droplet", { name: "w", region: "nyc3", size: "s-1", image: "debian", ...more });
const volume = (more: JsonMap = {}): JsonMap =>
  resource("Volume", { name: "data", region: "nyc3", size_gigabytes: 10, ...more });
const database = (more: JsonMap = {}): JsonMap =>
  resource("Database", {
    name: "main",
    engine: "pg",
    num_nodes: 1,
    size: "db-s-1vcpu-1gb",
    region: "nyc3",
    ...more,
  });
const RECORDS = "/v2/domains/{domain_name}/records";

for (const domain of ["${dom.name}", "${dom.id}", "shop.example"])
  it.runIf(inTurn())(
    `a domain's records survive a removed ip_address, and come back after a replacement: ${domain}`,
    async () => {
      const resources = (ip?: string, options: JsonMap = {}): JsonMap => ({
        dom: resource("Domain", { name: "shop.example", ...(ip && { ip_address: ip }) }, options),
        www: resource(
          "Record",
          { domain, type: "A", name: "www", data: "192.0.2.9" },
          { dependsOn: ["${dom}"] },
        ),
      });
      const one = await instanceOf(resources("192.0.2.1"));
      expect(await one.go()).toMatchObject({ state: "SUCCEEDED" });
      // DigitalOcean deletes a domain's records with it.
      one.hook.answer = async (request, next) => {
        const answer = await next(request);
        if (request.method === "DELETE" && /\/domains\/[^/]+$/.test(request.url))
          for (const record of one.cloud.fake.living(RECORDS)) one.cloud.fake.remove(record);
        return answer;
      };
      expect(await one.change(resources())).toMatchObject({ state: "NO_CHANGES", sent: [] });
      expect(await one.change(resources("192.0.2.2"))).toMatchObject({
        state: "FAILED",
        sent: [],
        error: { code: "only_at_create", message: expect.stringContaining("as a Record") },
      });
      const replacing = { replaceOnChanges: ["ip_address"] };
      expect(await one.change(resources("192.0.2.2", replacing))).toMatchObject({
        state: "FAILED",
        sent: [],
        error: { code: "name_in_use" },
      });
      Object.assign(replacing, { deleteBeforeReplace: true });
      expect(await one.change(resources("192.0.2.2", replacing))).toMatchObject({
        state: "SUCCEEDED",
        actions: { dom: "replace", www: "replace" },
      });
      expect(one.shown(RECORDS)).toHaveLength(1);
      expect(await one.states()).toEqual(["dom READY", "www READY"]);
    },
  );

it.runIf(inTurn())(
  "a replacement under the same name takes the template's word, waits until the old object has gone, and ends",
  async () => {
    const tls = (key: string, options: JsonMap): JsonMap => ({
      tls: resource(
        "Certificate",
        { name: "tls", type: "custom", private_key: key, leaf_certificate: "leaf" },
        options,
      ),
      net: resource(
        "Vpc",
        { name: "net", region: "nyc3", ip_range: `10.${key.length}.0.0/24` },
        options,
      ),
      data: { ...volume({ description: key }), options },
    });
    const one = await instanceOf(tls("a", {}));
    expect(await one.go()).toMatchObject({ state: "SUCCEEDED" });
    expect(await one.change(tls("ab", {}))).toMatchObject({
      state: "FAILED",
      sent: [],
      error: { code: "name_in_use" },
    });
    expect(await one.change(tls("ab", { deleteBeforeReplace: true }))).toMatchObject({
      state: "SUCCEEDED",
      actions: { tls: "replace", net: "replace", data: "replace" },
    });
    for (const path of ["/v2/certificates", "/v2/vpcs", "/v2/volumes"])
      expect(one.shown(path), path).toHaveLength(1);
    expect(await one.go()).toMatchObject({ state: "NO_CHANGES" });
  },
);

it.runIf(inTurn())(
  "a certificate is not deleted first: the plan says to leave its name to the service",
  async () => {
    const resources = (key: string, name: JsonMap): JsonMap => ({
      tls: resource("Certificate", {
        ...name,
        type: "custom",
        private_key: key,
        leaf_certificate: "l",
      }),
      front: resource("LoadBalancer", {
        name: "front",
        region: "nyc3",
        tag: "web",
        forwarding_rules: [
          {
            entry_protocol: "https",
            entry_port: 443,
            target_protocol: "http",
            target_port: 80,
            certificate_id: "${tls.id}",
          },
        ],
      }),
    });
    const one = await instanceOf(resources("a", { name: "tls" }));
    expect(await one.go()).toMatchObject({ state: "SUCCEEDED" });
    expect(await one.change(resources("b", { name: "tls" }))).toMatchObject({
      state: "FAILED",
      sent: [],
      error: {
        code: "name_in_use",
        message: expect.stringContaining("leave `name` out"),
      },
    });
    const rotated = await one.change(resources("b", {}));
    expect(rotated.state).toBe("SUCCEEDED");
    expect(rotated.sent).toEqual([
      expect.stringMatching(/^POST \/v2\/certificates /),
      expect.stringMatching(/^PUT \/v2\/load_balancers\//),
      expect.stringMatching(/^DELETE \/v2\/certificates\//),
    ]);
    expect(one.shown("/v2/certificates")).toHaveLength(1);
  },
);

it.runIf(inTurn())("a certificate that failed is replaced under its own name", async () => {
  let failing = true;
  const tls = {
    tls: resource("Certificate", { name: "t", type: "lets_encrypt", dns_names: ["a.example"] }),
  };
  const one = await instanceOf(tls, {}, async (request, next) => {
    const answer = await next(request);
    if (!failing || !request.url.includes("/certificates") || answer.status === 204) return answer;
    return new Response((await answer.text()).replaceAll('"verified"', '"error"'), answer);
  });
  expect(await one.go()).toMatchObject({ state: "FAILED", error: { code: "resource_failed" } });
  failing = false;
  expect(await one.go()).toMatchObject({ state: "SUCCEEDED", actions: { tls: "replace" } });
  expect(one.shown("/v2/certificates")).toHaveLength(1);
});

it.runIf(inTurn())("an app whose first deployment fails is mended by an update", async () => {
  const app = (count: number): JsonMap => ({
    app: resource("App", {
      spec: { name: "shop", region: "nyc", services: [{ name: "web", instance_count: count }] },
    }),
  });
  let phase = "ERROR";
  const one = await instanceOf(app(1), {}, async (request, next) =>
    new URL(request.url).pathname.endsWith("/deployments")
      ? Response.json({
          deployments: [{ id: "d", phase, created_at: new Date().toISOString() }],
          links: {},
          meta: { total: 1 },
        })
      : next(request),
  );
  expect(await one.go()).toMatchObject({ state: "FAILED", error: { code: "resource_failed" } });
  phase = "ACTIVE";
  const mended = await one.change(app(2));
  expect(mended).toMatchObject({ state: "SUCCEEDED", actions: { app: "update" } });
  expect(mended.sent).toEqual([expect.stringMatching(/^PUT \/v2\/apps\//)]);
  expect(await one.go()).toMatchObject({ state: "NO_CHANGES" });
});

it.runIf(inTurn())("an app's update waits for the deployment that it starts", async () => {
  const app = (count: number): JsonMap => ({
    app: resource("App", {
      spec: { name: "shop", region: "nyc", services: [{ name: "web", instance_count: count }] },
    }),
  });
  const one = await instanceOf(app(1));
  await one.go();
  let reads = 0;
  one.hook.answer = async (request, next) => {
    if (!new URL(request.url).pathname.endsWith("/deployments")) return next(request);
    reads += 1;
    // The new deployment is listed late, and fails.
    const [phase, ageMs] = reads === 1 ? ["ACTIVE", 600_000] : ["ERROR", 0];
    const created_at = new Date(Date.now() - ageMs).toISOString();
    return Response.json({
      deployments: [{ id: "d", phase, created_at }],
      links: {},
      meta: { total: 1 },
    });
  };
  expect(await one.change(app(2))).toMatchObject({
    state: "FAILED",
    error: { code: "resource_failed" },
  });
  expect(reads).toBeGreaterThan(1);
});

it.runIf(inTurn())(
  "what is taken out of a template is unset, or stays, and the deployment ends",
  async () => {
    const service_cnames = ["a.example.com"];
    const scale = { storage: { enabled: true, threshold_percent: 80, increment_gib: 10 } };
    const cases: [string, string, JsonMap, JsonMap, RegExp | undefined][] = [
      ["version", "Database", { version: "16" }, {}, undefined],
      ["storage", "Database", { storage_size_mib: 61_440 }, {}, undefined],
      [
        "host names",
        "Database",
        { do_settings: { service_cnames } },
        {},
        /do_settings {"do_settings":{"service_cnames":\[\]}}$/,
      ],
      [
        "autoscale",
        "Database",
        { autoscale: scale },
        {},
        /autoscale {"storage":{"enabled":false}}$/,
      ],
    ];
    for (const [what, , before, after, expected] of cases) {
      const one = await instanceOf({ db: database(before) });
      expect(await one.go(), what).toMatchObject({ state: "SUCCEEDED" });
      const over = await one.change({ db: database(after) });
      expect(over, what).toMatchObject({ state: "SUCCEEDED", error: null });
      expect(over.sent, what).toEqual(expected ? [expect.stringMatching(expected)] : []);
      expect(await one.go(), what).toMatchObject({ state: "NO_CHANGES" });
      expect(one.cloud.violations, what).toEqual([]);
    }
  },
);

it.runIf(inTurn())(
  "a user's settings, a project's description and a reserved IP's Droplet are taken away",
  async () => {
    const project = (more: JsonMap): JsonMap =>
      resource("Project", { name: "p", purpose: "Web Application", ...more });
    const user = (more: JsonMap): JsonMap =>
      resource("DatabaseUser", { database_cluster_uuid: "${db.id}", name: "app", ...more });
    const ip = (more: JsonMap): JsonMap => resource("ReservedIp", { region: "nyc3", ...more });
    const rest = { w: droplet(), db: database() };
    const set = {
      ...rest,
      p: project({ description: "x", environment: "Staging" }),
      u: user({ settings: { pg_allow_replication: true } }),
      ip: ip({ droplet_id: "${w.id}" }),
    };
    const one = await instanceOf(set);
    expect(await one.go()).toMatchObject({ state: "SUCCEEDED", error: null });
    expect(one.shown("/v2/reserved_ips")[0]).toMatchObject({ droplet: { name: "w" } });
    const over = await one.change({ ...rest, p: project({}), u: user({}), ip: ip({}) });
    expect(over).toMatchObject({ state: "SUCCEEDED", error: null });
    expect(over.sent).toHaveLength(3);
    expect(over.sent).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/reserved_ips\/.*\/actions {"type":"unassign"}$/),
        expect.stringMatching(/users\/app {"settings":{}}$/),
        expect.stringMatching(/projects\/.*"environment":"Staging"/),
      ]),
    );
    expect(one.shown("/v2/reserved_ips")[0]).toMatchObject({ droplet: null });
    expect(await one.go()).toMatchObject({ state: "NO_CHANGES" });
    expect(one.cloud.violations).toEqual([]);
  },
);

it.runIf(inTurn())(
  "a volume that a person attaches replaces no Droplet; one of the template is attached in place",
  async () => {
    const resources = (volumes: string[]): JsonMap => ({ v: volume(), w: droplet({ volumes }) });
    const one = await instanceOf(resources([]));
    await one.go();
    const [shown] = one.shown("/v2/droplets");
    const id = textOf(shown?.["id"]);
    const attached = await one.change(resources(["${v.id}"]));
    expect(attached).toMatchObject({ state: "SUCCEEDED", actions: { w: "update" } });
    expect(attached.sent).toEqual([
      expect.stringContaining(`{"type":"attach","droplet_id":${id}}`),
    ]);
    const other = one.cloud.fake.put("/v2/volumes", { name: "theirs", region: "nyc3" });
    if (shown) shown["volume_ids"] = [...(shown["volume_ids"] as string[]), other.key];
    await one.go("check-drift");
    expect(await one.go("plan")).toMatchObject({ actions: { w: "update" } });
    expect(await one.go()).toMatchObject({ state: "SUCCEEDED", actions: { w: "update" } });
    expect(one.shown("/v2/droplets").map((one) => textOf(one["id"]))).toEqual([id]);
  },
);

it.runIf(inTurn())(
  "drift of what cannot be changed back replaces nothing, and the plan says what to do",
  async () => {
    const one = await instanceOf({
      net: resource("Vpc", { name: "net", region: "nyc3", ip_range: "10.1.0.0/24" }),
    });
    await one.go();
    const [shown] = one.shown("/v2/vpcs");
    if (shown) shown["ip_range"] = "10.2.0.0/24";
    const checked = await one.go("check-drift");
    expect(checked).toMatchObject({ state: "SUCCEEDED", actions: { net: "unchanged" } });
    expect(checked.reasons["net"]).toMatch(/changed at the provider: ip_range.*ignoreChanges/);
    const over = await one.go();
    expect(over).toMatchObject({ state: "NO_CHANGES", sent: [], actions: { net: "unchanged" } });
    expect(over.reasons["net"]).toMatch(/changed at the provider: ip_range.*ignoreChanges/);
    // Nobody has corrected it.
    expect(await one.go("check-drift")).toMatchObject({ state: "SUCCEEDED" });
  },
);

it.runIf(inTurn())(
  "a Droplet's backups and IPv6 are changed in place; IPv6 that is unset replaces it",
  async () => {
    const one = await instanceOf({ w: droplet() });
    await one.go();
    const on = await one.change({ w: droplet({ backups: true, ipv6: true }) });
    expect(on).toMatchObject({ state: "SUCCEEDED", actions: { w: "update" } });
    expect(one.shown("/v2/droplets")[0]).toMatchObject({ features: ["backups", "ipv6"] });
    const off = await one.change({ w: droplet({ ipv6: true }) });
    expect(off).toMatchObject({ state: "SUCCEEDED", actions: { w: "update" } });
    expect(one.shown("/v2/droplets")[0]).toMatchObject({ features: ["ipv6"] });
    expect(await one.change({ w: droplet() })).toMatchObject({ actions: { w: "replace" } });
  },
);

it.runIf(inTurn())("a tag is attached by the name that the cloud has for it", async () => {
  const one = await instanceOf({ w: droplet({ tags: ["a"] }) }, {}, async (request, next) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v2/tags")
      return Response.json({ tag: { name: "prod", resources: {} } }, { status: 201 });
    return pathname.includes("/tags/Prod/")
      ? Response.json({ id: "not_found", message: "no tag" }, { status: 404 })
      : next(request);
  });
  await one.go();
  expect(await one.change({ w: droplet({ tags: ["a", "Prod"] }) })).toMatchObject({
    state: "SUCCEEDED",
    error: null,
  });
  expect(one.shown("/v2/droplets")[0]?.["tags"]).toContain("prod");
  expect(await one.go("check-drift")).toMatchObject({ actions: { w: "unchanged" } });
});

it.runIf(inTurn())(
  "a cluster by its minor version is not upgraded for a patch, nor replaced for a pool",
  async () => {
    const cluster = (more: JsonMap = {}, count = 1): JsonMap => ({
      k: resource("Kubernetes", {
        name: "k",
        region: "nyc3",
        version: "1.34",
        auto_upgrade: true,
        node_pools: [{ size: "s-1", name: "a", count }],
        ...more,
      }),
    });
    const one = await instanceOf(cluster());
    expect(await one.go()).toMatchObject({ state: "SUCCEEDED", error: null });
    const [shown] = one.shown("/v2/kubernetes/clusters");
    if (shown) shown["version"] = "1.34.1-do.0";
    expect(await one.go("check-drift")).toMatchObject({ actions: { k: "unchanged" } });
    if (shown) shown["version"] = "1.34.2-do.0";
    expect(await one.go("check-drift")).toMatchObject({ actions: { k: "unchanged" } });
    expect(await one.go()).toMatchObject({ state: "NO_CHANGES" });
    // After a refused rename, the applied values are unknown: the next update sends everything, but no upgrade.
    one.hook.answer = async (request, next) =>
      request.method === "PUT"
        ? Response.json({ id: "forbidden", message: "no" }, { status: 403 })
        : next(request);
    expect(await one.change(cluster({ name: "k2" }))).toMatchObject({ state: "FAILED" });
    one.hook.answer = pass;
    const renamed = await one.go();
    expect(renamed).toMatchObject({ state: "SUCCEEDED" });
    expect(renamed.sent).toEqual([expect.stringMatching(/^PUT /)]);
    expect(await one.change(cluster({ name: "k2" }, 3))).toMatchObject({
      state: "FAILED",
      sent: [],
      error: { code: "only_at_create", message: expect.stringContaining("digitalocean:NodePool") },
    });
  },
);

it.runIf(inTurn())("a volume's resize is over when its action is", async () => {
  const one = await instanceOf({ v: volume() });
  await one.go();
  one.hook.answer = async (request, next) => {
    const answer = await next(request);
    // Polled, and then failed.
    if (!new URL(request.url).pathname.startsWith("/v2/actions/")) return answer;
    return new Response((await answer.text()).replace('"completed"', '"errored"'), answer);
  };
  expect(await one.change({ v: volume({ size_gigabytes: 50 }) })).toMatchObject({
    state: "FAILED",
    error: { code: "action_errored" },
  });
});

it.runIf(inTurn())("the tag by which a Droplet is found goes with it, and no other", async () => {
  const one = await instanceOf({ w: droplet({ tags: ["mine"] }) });
  await one.go();
  const marks = one
    .shown("/v2/droplets")
    .flatMap(({ tags }) => (Array.isArray(tags) ? tags.map(String) : []))
    .filter((tag) => tag.startsWith("control:"));
  expect(marks).toHaveLength(1);
  const over = await one.go("destroy");
  expect(over.state).toBe("SUCCEEDED");
  expect(over.sent).toEqual([
    expect.stringMatching(/^DELETE \/v2\/droplets\//),
    `DELETE /v2/tags/${encodeURIComponent(marks[0] ?? "")} `,
  ]);
});
