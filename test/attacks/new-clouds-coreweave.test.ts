/** What calls and runs at CoreWeave must not bring about, whatever it answers. A test is named after its attack. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sealAt } from "#engine/value-paths.ts";
import { Secret } from "#engine/value.ts";
import { coreweaveProvider } from "#providers/coreweave/coreweave-provider.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { cloudWithCluster } from "#test/providers/coreweave/all-lives.ts";
import {
  CoreweaveCloud,
  type CoreweaveOptions,
  TOKEN,
  ZONE,
} from "#test/providers/coreweave/coreweave-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { addVersion, makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf } from "#test/support/runner.ts";

const OTHER_TOKEN = "CW-SECRET-of-another-organization";

afterEach(() => {
  vi.restoreAllMocks();
});

/** An instance at a target of the tenant's own, whose calls `answer` gets. */
async function instanceAt(source: string, answer: (request: Request) => Promise<Response>) {
  const real = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const isCoreweave = new URL(request.url).hostname.endsWith(".coreweave.com");
    return isCoreweave ? answer(request) : real(input, init);
  });
  const tenant = await makeTenant();
  const secret = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_CLOUD`;
  const target = await tenant.post("/cloud/targets", {
    provider: "coreweave",
    name: "coreweave",
    config: {},
    allowedRegions: [ZONE],
    defaultRegion: ZONE,
    credentialRef: `env://${secret}`,
  });
  expect(target.status, target.text).toBe(201);
  const templateId = await makeTemplate(tenant, source);
  const id = await makeInstance(tenant, templateId, target.body.id);
  const useToken = async (token: string): Promise<void> =>
    runInDurableObject(runnerOf(id), (runner) => {
      Object.assign((runner as unknown as { env: object }).env, { [secret]: token });
    });
  await useToken(TOKEN);
  return {
    useToken,
    run: async (verb: "deploy" | "destroy" | "check-drift") =>
      (await run(tenant, id, verb as "deploy")).body,
    change: async (next: string) => addVersion(tenant, id, templateId, next),
  };
}

const source = (label: string) => `resources:
  net:
    type: coreweave:Vpc
    properties:
      name: shop
      vpcPrefixes:
        - { name: pods, value: 10.0.0.0/13 }
        - { name: services, value: 10.16.0.0/22 }
        - { name: balancers, value: 10.32.4.0/22 }
  cluster:
    type: coreweave:Cluster
    properties:
      name: shop
      vpcId: \${net.id}
      version: v1.35
      public: true
      network: { podCidrName: pods, serviceCidrName: services, internalLbCidrNames: [balancers] }
  space:
    type: coreweave:Namespace
    properties:
      clusterId: \${cluster.id}
      name: shop
      metadata: { labels: { team: ${label} } }
`;
const withoutSpace = source("a").split("  space:")[0] ?? "";

describe("a token of another organization of CoreWeave", () => {
  const opensAnother = async () => {
    const [own, other] = [new CoreweaveCloud(), new CoreweaveCloud({ token: OTHER_TOKEN })];
    let opened = own;
    const one = await instanceAt(source("a"), async (request) => opened.fetch(request));
    const first = await one.run("deploy");
    expect(first.state, JSON.stringify(first.error)).toBe("SUCCEEDED");
    opened = other;
    await one.useToken(OTHER_TOKEN);
    // A later run has a session of its own.
    sessions.clear();
    return { ...one, own, other };
  };

  it("makes nothing again there, and forgets nothing of the right one", async () => {
    const { run: again, change, other } = await opensAnother();
    const drift = await again("check-drift");
    await change(source("b"));
    await again("deploy");
    expect(other.ledger.map(({ verb, collection }) => `${verb} ${collection}`)).toEqual([]);
    expect(drift).toMatchObject({ state: "FAILED", error: { code: "account_changed" } });
  });

  it("forgets nothing that the template no longer has and that is still there", async () => {
    const { run: again, change, own } = await opensAnother();
    await change(withoutSpace);
    const { state } = await again("deploy");
    expect(own.living("/namespaces")).toHaveLength(1);
    expect(state).toBe("FAILED");
  });
});

describe("a token of the same organization of CoreWeave", () => {
  it("goes on with what the instance has", async () => {
    const options: CoreweaveOptions = {};
    const own = new CoreweaveCloud(options);
    const one = await instanceAt(source("a"), async (request) => own.fetch(request));
    expect((await one.run("deploy")).state).toBe("SUCCEEDED");
    options.token = OTHER_TOKEN;
    await one.useToken(OTHER_TOKEN);
    sessions.clear();
    const { state, error } = await one.run("check-drift");
    expect(error).toBeNull();
    expect(state).toBe("NO_CHANGES");
  });
});

describe("a cluster of CoreWeave that somebody deleted", () => {
  it("is made again with what was in it", async () => {
    const own = new CoreweaveCloud();
    const one = await instanceAt(source("a"), async (request) => own.fetch(request));
    expect((await one.run("deploy")).state).toBe("SUCCEEDED");
    for (const path of own.living().map((thing) => thing.path))
      if (!path.includes("/vpcs/")) own.remove(path);
    sessions.clear();
    expect((await one.run("check-drift")).state).toBe("SUCCEEDED");
    await one.run("deploy");
    // Not even the next one.
    const { state, error } = await one.run("deploy");
    expect(error).toBeNull();
    expect(state).toMatch(/SUCCEEDED|NO_CHANGES/);
  });
});

describe("a field of an object at CoreWeave that another manager sets", () => {
  const web = (replicas: number, image = "nginx:1") => `${source("a")}  web:
    type: coreweave:Deployment
    properties:
      clusterId: \${cluster.id}
      namespace: \${space.name}
      name: web
      metadata: { labels: { app: web } }
      spec:
        replicas: ${replicas}
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: web, image: "${image}" }] }
`;
  const path = "/apis/apps/v1/namespaces/shop/deployments/web";
  const deployed = async () => {
    const cloud = new CoreweaveCloud();
    const one = await instanceAt(web(2), async (request) => cloud.fetch(request));
    const { state, error } = await one.run("deploy");
    expect(state, JSON.stringify(error)).toBe("SUCCEEDED");
    return { ...one, cloud };
  };

  it("is no drift where the template does not set it, and stays through a change", async () => {
    const { cloud, run: again, change } = await deployed();
    cloud.applyAs("a-person", path, {
      metadata: { labels: { team: "web" }, annotations: { note: "mine" } },
      spec: { revisionHistoryLimit: 3 },
    });
    expect((await again("check-drift")).state).toBe("NO_CHANGES");
    await change(web(3));
    expect((await again("deploy")).state).toBe("SUCCEEDED");
    expect(cloud.living("/deployments")[0]?.body).toMatchObject({
      metadata: { labels: { app: "web", team: "web" }, annotations: { note: "mine" } },
      spec: { replicas: 3, revisionHistoryLimit: 3 },
    });
    expect(cloud.violations).toEqual([]);
  });

  it("and the template too is told as drift, then as a conflict, and never forced", async () => {
    const { cloud, run: again, change } = await deployed();
    cloud.applyAs("an-autoscaler", path, { spec: { replicas: 7 } });
    const drift = await again("check-drift");
    expect(drift.state).toBe("SUCCEEDED");
    for (const next of [web(2), web(2, "nginx:2")]) {
      await change(next);
      const { state, error } = await again("deploy");
      expect(state).toBe("FAILED");
      expect(JSON.stringify(error)).toContain("an-autoscaler");
      expect(JSON.stringify(error)).toContain("spec.replicas");
    }
    const [there] = cloud.living("/deployments");
    expect(there?.body).toMatchObject({ spec: { replicas: 7 } });
    expect(JSON.stringify(there?.body)).not.toContain("nginx:2");
    expect(cloud.requests.join("\n")).not.toContain("force");
    expect(cloud.violations).toEqual([]);
  });
});

/** The texts of outputs, keys included, that are not sealed. */
function openTexts(value: unknown): string[] {
  if (value instanceof Secret) return [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(openTexts);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...openTexts(inner)]);
}

describe("a secret that the cloud shows", () => {
  it("in the annotation of kubectl at a secret of CoreWeave is sealed", async () => {
    const { cloud, context, parents } = await cloudWithCluster();
    const applied = JSON.stringify({ data: { TOKEN: btoa("canary") }, note: "canary" });
    cloud.applyAs("kubectl-client-side-apply", "/api/v1/namespaces/shop/secrets/web", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name: "web",
        namespace: "shop",
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": applied },
      },
      data: { TOKEN: btoa("canary") },
    });
    const provider = coreweaveProvider();
    const id = `${parents.cluster}/shop/web`;
    const read = await provider.read(context, { type: "coreweave:Secret", id, properties: {} });
    expect(read).toMatchObject({ kind: "done" });
    const outputs = read.kind === "done" ? read.outputs : {};
    const sealed = sealAt(outputs, provider.facts("coreweave:Secret")?.secretOutputs);
    expect(openTexts(sealed).join("\n")).not.toContain("canary");
  });
});

describe("a 404 for a cluster", () => {
  const calls = async (answer: (pathname: string) => Response) => {
    const { cloud, context: own, parents } = await cloudWithCluster();
    const fetch = async (request: Request): Promise<Response> => {
      const { host, pathname } = new URL(request.url);
      return host === "api.coreweave.com" ? answer(pathname) : cloud.fetch(request);
    };
    const id = `${parents.cluster}/shop`;
    const properties = { clusterId: parents.cluster, name: "shop" };
    const call = { type: "coreweave:Namespace", id, name: "shop", token: "t", properties };
    const provider = coreweaveProvider();
    const context = { ...own, targetId: "another-session", fetch };
    const read = await provider.read(context, call);
    return { kinds: [read.kind, (await provider.delete(context, call)).kind], parents };
  };
  const notFound = (): Response =>
    Response.json({ code: 5, message: "Not Found", details: [] }, { status: 404 });

  it("whose access was taken away does not make what is in it count as gone", async () => {
    expect((await calls(notFound)).kinds).toEqual(["failed", "failed"]);
  });

  it("makes what is in it count as gone once the list lacks it too", async () => {
    const { kinds } = await calls((pathname) =>
      pathname.endsWith("/clusters") ? Response.json({ items: [] }) : notFound(),
    );
    expect(kinds).toEqual(["gone", "gone"]);
  });
});

describe("an object of a person", () => {
  it("that appears between the look and the apply is not taken over", async () => {
    const { cloud, context, parents } = await cloudWithCluster();
    const path = "/api/v1/namespaces/team";
    let appeared = false;
    const fetch = async (request: Request): Promise<Response> => {
      const answer = await cloud.fetch(request);
      if (!appeared && request.method === "GET" && new URL(request.url).pathname === path) {
        appeared = true;
        const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } };
        cloud.applyAs("a-person", path, body);
      }
      return answer;
    };
    const properties = { clusterId: parents.cluster, name: "team" };
    const call = { type: "coreweave:Namespace", name: "team", properties, token: "token-1" };
    const outcome = await coreweaveProvider().create({ ...context, fetch }, call);
    expect(appeared).toBe(true);
    expect(outcome).toMatchObject({ kind: "failed", code: "already_exists", retryable: false });
  });
});
