/** What an apply to a cluster must not do, and what it waits for. */
import { describe, expect, it } from "vitest";
import { coreweaveProvider } from "#providers/coreweave/coreweave-provider.ts";
import { coreweaveTypes } from "#providers/coreweave/types.ts";
import { cloudWithCluster } from "./coreweave/all-lives.ts";
import { TOKEN } from "./coreweave/coreweave-cloud.ts";
import { samplesOf } from "./coreweave/samples.ts";
import { untilFinal } from "./type-cycle.ts";

const DEPLOYMENT = "/apis/apps/v1/namespaces/shop/deployments/web";
const type = "coreweave:Deployment";

async function withDeployment(options: Parameters<typeof cloudWithCluster>[0] = {}) {
  const all = await cloudWithCluster(options);
  const properties = samplesOf(all.parents)["Deployment"]?.properties ?? {};
  const call = { type, name: "web", properties, token: "token-1" };
  const id = `${all.parents.cluster}/shop/web`;
  return { ...all, provider: coreweaveProvider(), call, id };
}

const foreign = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop" },
  spec: { replicas: 7 },
};

describe("the token of CoreWeave", () => {
  it.for([
    "169.254.169.254",
    "127.0.0.1:8080",
    "evil.example",
    "api.coreweave.com.evil.example",
    "a.k8s.b.coreweave.com.evil.example",
    "a.k8s.b.coreweave.com:6443",
    "a.k8s.b.coreweave.com@evil.example",
    "http://a.k8s.b.coreweave.com",
    "a.k8s.b.coreweave.com/evil",
  ])("is not sent to a cluster that shows the address %s", async (address) => {
    const { cloud, context, provider, call } = await withDeployment({ address });
    const before = cloud.requests.length;
    const outcome = await provider.create(context, call);
    expect(outcome).toMatchObject({ kind: "failed", code: "untrusted_address", retryable: false });
    const hosts = cloud.requests.slice(before).map((line) => line.split(" ")[1]);
    expect([...new Set(hosts)]).toEqual(["api.coreweave.com"]);
  });

  it("is sent to the cluster that the properties name, and to no path beside its objects", async () => {
    const { cloud, context, provider, call, parents } = await withDeployment();
    expect(await provider.create(context, call)).toMatchObject({ kind: "done" });
    expect(cloud.requests.at(-1)).toMatch(/ acme-[0-9a-f]{8}\.k8s\.us-east-04a\.coreweave\.com /);
    for (const clusterId of ["../networking/vpcs", "a/b", `${parents.cluster}?x=1`, ""]) {
      const properties = { ...call.properties, clusterId };
      const outcome = await provider.create(context, { ...call, properties });
      expect(outcome, clusterId).toMatchObject({ kind: "failed", unknownOutcome: false });
    }
    const namespace = "shop/deployments/web?force=true&x=";
    const properties = { ...call.properties, namespace };
    expect(await provider.create(context, { ...call, properties })).toMatchObject({
      code: "invalid_path_value",
    });
    expect(cloud.requests.join("\n")).not.toMatch(/force=|\.\./);
  });
});

describe("what others set", () => {
  it("is not taken over by a create", async () => {
    const { cloud, context, provider, call } = await withDeployment();
    cloud.applyAs("a-person", DEPLOYMENT, foreign);
    expect(await provider.create(context, call)).toMatchObject({
      code: "already_exists",
      means: "exists",
    });
    const [there] = cloud.living("/deployments");
    expect(there?.body).toMatchObject({ spec: { replicas: 7 } });
  });

  it("is told by manager and field, and never forced", async () => {
    const { cloud, context, provider, call, id } = await withDeployment();
    expect(await provider.create(context, call)).toMatchObject({ kind: "done", id });
    cloud.applyAs("an-autoscaler", DEPLOYMENT, { spec: { replicas: 7 } });
    const properties = { ...call.properties, spec: { replicas: 4 } };
    const update = { ...call, id, properties, before: call.properties };
    expect(await provider.update(context, update)).toMatchObject({
      kind: "failed",
      code: "field_manager_conflict",
      means: "invalid",
      retryable: false,
      message: expect.stringMatching(/\.spec\.replicas.*an-autoscaler/),
    });
    expect(cloud.living("/deployments")[0]?.body).toMatchObject({ spec: { replicas: 7 } });
    expect(cloud.violations).toEqual([]);
  });

  it("stays when a field leaves the template, which is given up", async () => {
    const { cloud, context, provider, call, id } = await withDeployment();
    await provider.create(context, call);
    cloud.applyAs("a-person", DEPLOYMENT, { metadata: { labels: { team: "shop" } } });
    const { metadata: _, ...rest } = call.properties;
    const update = { ...call, id, properties: rest, before: call.properties };
    expect(await provider.update(context, update)).toMatchObject({ kind: "done" });
    const [there] = cloud.living("/deployments");
    expect(there?.body["metadata"]).toMatchObject({ labels: { team: "shop" } });
    expect(JSON.stringify(there?.body["metadata"])).not.toContain('"app"');
    // The mark of its create stays, and no output shows it.
    expect(JSON.stringify(there?.body["metadata"])).toContain("control-api/step");
    const read = await provider.read(context, { type, id, properties: rest });
    expect(JSON.stringify(read)).not.toMatch(/control-api\/step|managedFields/);
  });
});

describe("an object of a cluster", () => {
  it("is found by its mark when the answer to its create is lost", async () => {
    const dropped = { on: "create", collection: "deployments", status: "dropped" } as const;
    const { cloud, context, provider, call, id } = await withDeployment({
      faults: [{ ...dropped, effect: "after" }],
    });
    expect(await provider.create(context, call)).toMatchObject({ unknownOutcome: true });
    expect(await provider.create(context, call)).toMatchObject({ kind: "done", id });
    const found = await provider.lookUp(context, { ...call, known: [], sentMs: context.now() });
    expect(found).toMatchObject({ kind: "done", id });
    expect(cloud.living("/deployments")).toHaveLength(1);
    const other = await provider.create(context, { ...call, token: "token-2" });
    expect(other).toMatchObject({ code: "already_exists" });
  });

  it("is waited for by its conditions, and is gone when its finalizers have run", async () => {
    let nowMs = Date.now();
    const options = { now: () => nowMs, readyAfterMs: 0 };
    const { context, provider, call, id } = await withDeployment(options);
    options.readyAfterMs = 60_000;
    const made = await provider.create(context, call);
    expect(made).toMatchObject({ kind: "pending", id });
    nowMs += 60_000;
    const ready = await untilFinal(provider, context, made, { ...call, verb: "create" });
    expect(ready).toMatchObject({ kind: "done", outputs: { readiness: "ready", name: "web" } });
    const deleting = await provider.delete(context, { ...call, id });
    expect(deleting).toMatchObject({ kind: "pending", id });
    const waiting = await untilFinal(provider, context, deleting, { ...call, verb: "delete" });
    expect(waiting).toMatchObject({ kind: "pending" });
    nowMs += 60_000;
    const gone = await untilFinal(provider, context, waiting, { ...call, verb: "delete" });
    expect(gone).toEqual({ kind: "gone" });
  });

  it("waits for a namespace that is being deleted", async () => {
    let nowMs = Date.now();
    const { cloud, context, provider, call, parents } = await withDeployment({
      now: () => nowMs,
      readyAfterMs: 0,
    });
    const home = { type: "coreweave:Namespace", name: "shop" };
    const properties = { clusterId: parents.cluster, name: "shop" };
    const [namespace] = cloud.living("/namespaces");
    Object.assign(namespace ?? {}, { deletedMs: nowMs + 60_000 });
    expect(await provider.create(context, call)).toMatchObject({ means: "busy", retryable: true });
    const own = { ...home, id: `${parents.cluster}/shop`, properties, token: "t" };
    const deleting = await provider.delete(context, own);
    expect(deleting).toMatchObject({ kind: "pending" });
    expect(await provider.read(context, own)).toMatchObject({ outputs: { readiness: "deleting" } });
    nowMs += 120_000;
    const final = await untilFinal(provider, context, deleting, { ...own, verb: "delete" });
    expect(final).toEqual({ kind: "gone" });
    // The namespace is missing now: the deployment is not made, and nothing says that it is gone.
    expect(await provider.create(context, call)).toMatchObject({ means: "invalid" });
  });

  it("is gone with its cluster, and with nothing else that fails", async () => {
    const { cloud, context, provider, call, id, parents } = await withDeployment();
    await provider.create(context, call);
    const at = { type, id, properties: call.properties };
    const elsewhere = { ...context, targetId: "another" };
    const denied = await provider.read({ ...elsewhere, credential: "wrong" }, at);
    expect(denied).toMatchObject({ kind: "failed", means: "denied" });
    cloud.remove(`/v1beta1/cks/clusters/${parents.cluster}`);
    expect(await provider.read(elsewhere, at)).toEqual({ kind: "gone" });
    expect(await provider.delete(elsewhere, { ...at, token: "t" })).toEqual({ kind: "gone" });
    expect(await provider.create(elsewhere, call)).toMatchObject({ code: "cluster_not_found" });
  });

  it("shows its address without its id having to be spelled in two ways", async () => {
    const { context, provider, call, id } = await withDeployment();
    await provider.create(context, call);
    const read = await provider.read(context, { type, id, properties: {} });
    expect(read).toMatchObject({ kind: "done", id, outputs: { name: "web", namespace: "shop" } });
    const other = { ...call.properties, namespace: "other" };
    expect(await provider.read(context, { type, id, properties: other })).toMatchObject({
      code: "invalid_id",
    });
    expect(coreweaveTypes.facts(type)?.shown).toContain("namespace");
    expect(JSON.stringify(read)).not.toContain(TOKEN);
  });
});
