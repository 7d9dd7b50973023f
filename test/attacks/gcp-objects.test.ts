/** Ways to an object of another type, project or owner at Google Cloud, and to rights that are not one's own. */
import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { GoogleCloud } from "#test/providers/gcp/google-cloud.ts";
import { addParents, parents } from "#test/providers/gcp/samples.ts";
import { NUMBER, PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { untilFinal } from "#test/providers/type-cycle.ts";

const provider = gcpProvider();
const at = `projects/${PROJECT}`;

describe("an id", () => {
  it.each([
    ["of another type", "compute/Address", `${at}/zones/${ZONE}/disks/victim`],
    [
      "of another type with as many segments",
      "compute/Address",
      `${at}/regions/${REGION}/subnetworks/base`,
    ],
    ["in another project", "compute/Disk", `projects/other-project/zones/${ZONE}/disks/victim`],
    ["in a project by its number", "compute/Disk", `projects/${NUMBER}/zones/${ZONE}/disks/victim`],
    ["with dot segments", "compute/Disk", `${at}/zones/../disks/victim`],
    ["that is a URL", "compute/Disk", `https://evil.example/${at}/zones/${ZONE}/disks/victim`],
    ["with a method", "secretmanager/Secret", `${at}/secrets/base:setIamPolicy/x`],
  ])("%s leads to no delete and no read", async (_, type, id) => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    cloud.put("compute/Disk", `${at}/zones/${ZONE}/disks/victim`, { name: "victim" });
    const before = cloud.living().length;
    const call = { type: `gcp:${type}`, id, properties: {}, token: "t" };
    expect(await provider.delete(cloud.context(), call)).toMatchObject({ kind: "failed" });
    expect(await provider.read(cloud.context(), call)).toMatchObject({ kind: "failed" });
    expect(cloud.requests.filter((one) => !one.includes("oauth2"))).toEqual([]);
    expect(cloud.living()).toHaveLength(before);
  });

  it("of one's own is read with nothing but itself", async () => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const call = { type: "gcp:compute/Network", id: parents.network, properties: {} };
    expect(await provider.read(cloud.context(), call)).toMatchObject({
      kind: "done",
      id: parents.network,
      outputs: { id: parents.network },
    });
  });
});

it("a create of a user whose name is taken does not change its password", async () => {
  const cloud = new GoogleCloud();
  addParents(cloud);
  cloud.put("sql/User", `${parents.instance}/users/admin`, { name: "admin", password: "theirs" });
  const properties = { instance: parents.instance, name: "admin", password: "mine-mine-mine" };
  const call = { type: "gcp:sql/User", name: "n-1", properties, token: "t" };
  expect(await provider.create(cloud.context(), call)).toMatchObject({ code: "already_exists" });
  expect(cloud.ledger).toEqual([]);
});

describe("a right", () => {
  const type = "gcp:secretmanager/SecretIamMember";
  const role = "roles/secretmanager.secretAccessor";
  const mine = "serviceAccount:mine@shop-project.iam.gserviceaccount.com";
  const properties = { secret: parents.secret, role, member: mine };
  const key = `secretmanager /v1/${parents.secret}`;
  const conditional = { role, members: [mine], condition: { title: "nights", expression: "x" } };
  const theirs = { role, members: ["user:their@example.com"] };
  const other = { role: "roles/viewer", members: ["user:their@example.com", mine] };
  const cloudWith = (...bindings: JsonMap[]) => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    cloud.policies.set(key, { version: 3, etag: "BwX1", bindings });
    return cloud;
  };
  const bindingsOf = (cloud: GoogleCloud): Json | undefined =>
    cloud.policies.get(key)?.["bindings"];
  const create = async (cloud: GoogleCloud, more: JsonMap = {}) => {
    const call = { type, name: "n", properties: { ...properties, ...more }, token: "t" };
    const looked = await provider.create(cloud.context(), call);
    return untilFinal(provider, cloud.context(), looked, { ...call, verb: "create" });
  };
  const id = `${parents.secret} ${role} ${mine}`;

  it("is given and taken without touching those of others", async () => {
    const cloud = cloudWith(conditional, theirs, other);
    expect(await create(cloud)).toMatchObject({ kind: "done", id });
    expect(bindingsOf(cloud)).toEqual([
      conditional,
      { role, members: ["user:their@example.com", mine] },
      other,
    ]);
    const removed = await provider.delete(cloud.context(), { type, id, properties, token: "t" });
    expect(removed).toEqual({ kind: "gone" });
    expect(bindingsOf(cloud)).toEqual([conditional, theirs, other]);
  });

  it("that somebody else gave is not taken over", async () => {
    const given = {
      role,
      members: [mine.toUpperCase().replace("SERVICEACCOUNT", "serviceAccount")],
    };
    const cloud = cloudWith(given);
    expect(await create(cloud)).toMatchObject({ code: "already_exists", means: "exists" });
    expect(bindingsOf(cloud)).toEqual([given]);
  });

  it("survives that another writes the policy at the same time", async () => {
    const cloud = cloudWith();
    let times = 0;
    cloud.beforePolicyWrite = () => {
      times += 1;
      if (times === 1) cloud.policies.set(key, { version: 3, etag: "BwX2", bindings: [theirs] });
    };
    expect(await create(cloud)).toMatchObject({ kind: "done" });
    expect(bindingsOf(cloud)).toEqual([{ role, members: [...theirs.members, mine] }]);
    expect(times).toBe(2);
  });

  it("is tried again later when others write without end", async () => {
    const cloud = cloudWith();
    let etag = 1;
    cloud.beforePolicyWrite = () => {
      cloud.policies.set(key, { version: 3, etag: `other-${(etag += 1)}`, bindings: [theirs] });
    };
    expect(await create(cloud)).toMatchObject({ kind: "failed", means: "stale", retryable: true });
    expect(bindingsOf(cloud)).toEqual([theirs]);
  });

  it("whose answer was lost is found by its next poll, which does not give it twice", async () => {
    const cloud = cloudWith(conditional, other);
    const call = { type, name: "n", properties, token: "t" };
    const looked = await provider.create(cloud.context(), call);
    if (looked.kind !== "pending") throw new Error(looked.kind);
    expect(bindingsOf(cloud)).toEqual([conditional, other]);
    const poll = { ...call, verb: "create", handle: looked.handle } as const;
    const losing = cloud.context({
      fetch: async (request) => {
        const answer = await cloud.fetch(request);
        return request.url.endsWith(":setIamPolicy") ? new Response(null, { status: 502 }) : answer;
      },
    });
    expect(await provider.poll(losing, poll)).toMatchObject({
      kind: "failed",
      retryable: true,
      unknownOutcome: true,
    });
    const given = bindingsOf(cloud);
    expect(given).toEqual([conditional, other, { role, members: [mine] }]);
    expect(await provider.poll(cloud.context(), poll)).toMatchObject({ kind: "done", id });
    expect(bindingsOf(cloud)).toEqual(given);
  });

  it("that somebody else gives at the same moment is not taken over", async () => {
    const cloud = cloudWith();
    const given = { role, members: [mine] };
    cloud.beforePolicyWrite = () => {
      cloud.policies.set(key, { version: 3, etag: "BwX2", bindings: [given] });
    };
    expect(await create(cloud)).toMatchObject({ code: "already_exists", means: "exists" });
  });

  it("is nobody's after a create whose outcome is unknown", async () => {
    const cloud = cloudWith(conditional, other);
    const call = { type, name: "n", properties, token: "t", known: [] };
    expect(await provider.lookUp(cloud.context(), call)).toEqual({ kind: "gone" });
    await create(cloud);
    expect(await provider.lookUp(cloud.context(), call)).toMatchObject({
      code: "cannot_tell",
      unknownOutcome: true,
    });
    expect(await provider.lookUp(cloud.context(), { ...call, known: [id] })).toEqual({
      kind: "gone",
    });
  });

  it.each<[string, JsonMap]>([
    ["in another project", { secret: "projects/other-project/secrets/base" }],
    ["on a path with dots", { secret: `${at}/secrets/../secrets/base` }],
    ["on a path with a method", { secret: `${at}/secrets/base?x=` }],
    ["of a role that is none", { role: "owner" }],
    ["of a member with a space", { member: "user:a b" }],
    ["of nobody", { member: "" }],
  ])("%s is not asked for", async (_, wrong) => {
    const cloud = cloudWith();
    expect(await create(cloud, wrong)).toMatchObject({ kind: "failed", retryable: false });
    expect(cloud.requests.filter((one) => one.includes("IamPolicy"))).toEqual([]);
  });

  it("of a project leads to everything, so that shared targets refuse it", () => {
    const facts = provider.facts("gcp:cloudresourcemanager/ProjectIamMember");
    expect(facts?.refers).toEqual({ role: "any" });
    expect(facts?.required).toContain("role");
  });
});

it("tokens, keys and passwords are in no outcome", async () => {
  const cloud = new GoogleCloud();
  addParents(cloud);
  const outcomes: unknown[] = [];
  const context = cloud.context();
  for (const [type, properties] of [
    ["sql/User", { instance: parents.instance, name: "u", password: "canary-user-password" }],
    [
      "secretmanager/SecretVersion",
      { secret: parents.secret, payload: { data: "Y2FuYXJ5LWRhdGE=" } },
    ],
    ["run/Service", { name: "web", location: REGION, template: {} }],
  ] as const)
    outcomes.push(
      await provider.create(context, { type: `gcp:${type}`, name: "n", properties, token: "t" }),
    );
  const told = JSON.stringify(outcomes);
  expect(told).not.toMatch(/canary|Y2FuYXJ5/);
  for (const token of cloud.tokens) expect(told).not.toContain(token);
  expect(provider.facts("gcp:container/Cluster")?.secretOutputs).toContain("masterAuth.clientKey");
});
