/** Ways to lose, take over or reach an object at Oracle Cloud that is another's or only hidden. */
import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { ociProvider } from "#providers/oci/oci-provider.ts";
import type { CreateCall } from "#providers/provider.ts";
import { COMPARTMENT, OracleCloud, REGION } from "#test/providers/oci/oracle-cloud.ts";
import { addParents, parents } from "#test/providers/oci/samples.ts";

const provider = ociProvider();
const properties = { compartmentId: COMPARTMENT, cidrBlocks: ["10.0.0.0/16"] };
const of = (id: string) => ({ type: "oci:Vcn", id, properties, token: "t" });

function withVcn() {
  const cloud = new OracleCloud();
  const vcn = cloud.put("Vcn", { displayName: "net", cidrBlocks: ["10.0.0.0/16"] });
  return { cloud, vcn };
}

describe("a lost permission", () => {
  it("for an object that lists still show is no deleted object", async () => {
    const { cloud, vcn } = withVcn();
    cloud.hidden.add(vcn.id);
    const denied = { kind: "failed", means: "denied", retryable: false };
    const context = cloud.context();
    expect(await provider.read(context, of(vcn.id))).toMatchObject(denied);
    const update = { ...of(vcn.id), name: "n", before: {} };
    expect(await provider.update(context, update)).toMatchObject(denied);
    expect(await provider.delete(context, of(vcn.id))).toMatchObject(denied);
    expect(cloud.ledger).toEqual([]);
  });

  it("after the target's compartment has changed is no deleted object", async () => {
    const { cloud, vcn } = withVcn();
    cloud.hidden.add(vcn.id);
    const config = { compartmentId: "ocid1.compartment.oc1..other" };
    const { compartmentId: _, ...rest } = properties;
    // An import, for example: nothing says where the object is.
    const unplaced = { ...of(vcn.id), properties: rest };
    const denied = { kind: "failed", means: "denied" };
    expect(await provider.read(cloud.context({ config }), unplaced)).toMatchObject(denied);
    expect(await provider.delete(cloud.context({ config }), unplaced)).toMatchObject(denied);
    const seen = { ...unplaced, seen: { compartmentId: COMPARTMENT } };
    expect(await provider.read(cloud.context({ config }), seen)).toMatchObject(denied);
    cloud.remove(vcn);
    expect(await provider.read(cloud.context({ config }), seen)).toMatchObject({ kind: "gone" });
  });

  it("for an object that a person has moved, as a drift check has seen, is no deleted object", async () => {
    const { cloud, vcn } = withVcn();
    const compartmentId = "ocid1.compartment.oc1..other";
    vcn.body["compartmentId"] = compartmentId;
    const call = { ...of(vcn.id), seen: { compartmentId } };
    cloud.hidden.add(vcn.id);
    expect(await provider.read(cloud.context(), call)).toMatchObject({ means: "denied" });
    expect(await provider.delete(cloud.context(), call)).toMatchObject({ means: "denied" });
    const update = { ...call, name: "n", before: {} };
    expect(await provider.update(cloud.context(), update)).toMatchObject({ means: "denied" });
  });

  it.each(["read", "delete"] as const)(
    "is what another tenancy's key meets: no %s finds the object gone",
    async (verb) => {
      const { cloud, vcn } = withVcn();
      // The other tenancy knows neither the compartment nor what is in it.
      cloud.hidden.add(COMPARTMENT);
      const config = { compartmentId: "ocid1.compartment.oc1..other" };
      for (const seen of [{}, { compartmentId: COMPARTMENT }]) {
        const outcome = await provider[verb](cloud.context({ config }), { ...of(vcn.id), seen });
        expect(outcome).toMatchObject({ kind: "failed", means: "denied" });
      }
    },
  );

  it("for the whole compartment is no deleted object", async () => {
    const { cloud, vcn } = withVcn();
    cloud.hidden.add(COMPARTMENT);
    expect(await provider.read(cloud.context(), of(vcn.id))).toMatchObject({
      kind: "failed",
      means: "denied",
    });
  });

  it("is told from a deletion, which lists show", async () => {
    const { cloud, vcn } = withVcn();
    cloud.remove(vcn);
    expect(await provider.read(cloud.context(), of(vcn.id))).toMatchObject({ kind: "gone" });
  });

  it("in a page that Oracle did not write proves nothing", async () => {
    const { cloud, vcn } = withVcn();
    const page = () => Promise.resolve(new Response("<html>", { status: 404 }));
    const read = await provider.read(cloud.context({ fetch: page }), of(vcn.id));
    expect(read).toMatchObject({ kind: "failed" });
  });
});

describe("an id", () => {
  it.each([
    ["of another type", `ocid1.subnet.oc1.${REGION}.base`],
    ["with dot segments", "../subnets/base"],
    ["with an encoded slash", "..%2Fsubnets%2Fbase"],
    ["that is a URL", "https://evil.example/vcns/base"],
    ["with a call of its own", `ocid1.vcn.oc1.${REGION}.base/actions/changeCompartment`],
    ["with a query", `ocid1.vcn.oc1.${REGION}.base?x=1`],
  ])("%s leads to no change", async (_, id) => {
    const cloud = new OracleCloud();
    addParents(cloud);
    const hosts = new Set<string>();
    const fetch = (request: Request) => {
      hosts.add(new URL(request.url).hostname);
      return cloud.fetch(request);
    };
    const outcome = await provider.delete(cloud.context({ fetch }), of(id));
    expect(outcome.kind).not.toBe("done");
    expect(cloud.ledger).toEqual([]);
    for (const host of hosts) expect(host).toMatch(/\.oraclecloud\.com$/);
  });
});

describe("a region", () => {
  it.each(["evil.example/", "x@evil", "EU", "a.b"])("%j becomes no host", async (region) => {
    const cloud = new OracleCloud();
    const read = await provider.read(cloud.context({ region }), of(parents.vcn));
    expect(read).toMatchObject({ kind: "failed", code: "invalid_url" });
    expect(cloud.requests).toEqual([]);
  });
});

describe("a name that is taken", () => {
  const bucket: CreateCall = {
    type: "oci:Bucket",
    name: "assets",
    properties: { compartmentId: COMPARTMENT, name: "assets" },
    token: "mine",
  };

  it("by a stranger's bucket is not taken over", async () => {
    const cloud = new OracleCloud();
    cloud.put("Bucket", { name: "assets" });
    const outcome = await provider.create(cloud.context(), bucket);
    expect(outcome).toMatchObject({ kind: "failed", means: "exists" });
    expect(cloud.ledger).toEqual([]);
  });

  it("by this step's bucket is adopted, by its tag", async () => {
    const cloud = new OracleCloud();
    await provider.create(cloud.context(), bucket);
    expect(await provider.create(cloud.context(), bucket)).toMatchObject({
      kind: "done",
      id: "assets",
    });
    expect(cloud.living("Bucket")).toHaveLength(1);
  });

  it("cannot be claimed by writing the tag into a template", async () => {
    const freeformTags = { "control-step": "victim" };
    const outcome = await provider.create(new OracleCloud().context(), {
      ...bucket,
      properties: { ...bucket.properties, freeformTags },
    });
    expect(outcome).toMatchObject({ kind: "failed", code: "reserved_value" });
  });
});

describe("records", () => {
  const at = { zone: parents.zone, domain: "www.base.example", rtype: "A" };
  const item = { domain: at.domain, rtype: at.rtype, rdata: "192.0.2.1", ttl: 300 };
  const call = {
    type: "oci:DnsRecords",
    name: "www",
    properties: { ...at, items: [item] },
    token: "t",
  };

  it("that are there already are not taken over", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    const key = `/20180115/zones/${at.zone}/records/${at.domain}/${at.rtype}`;
    cloud.records.set(key, [{ ...item, rdata: "198.51.100.1" }]);
    const outcome = await provider.create(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", code: "already_exists" });
    expect(cloud.records.get(key)).toEqual([{ ...item, rdata: "198.51.100.1" }]);
  });

  it("of another zone than the properties name are not read", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    const id = `ocid1.dns-zone.oc1..victim/records/${at.domain}/A`;
    const read = await provider.read(cloud.context(), { ...call, id });
    expect(read).toMatchObject({ kind: "failed", code: "other_id" });
    expect(cloud.requests).toEqual([]);
  });
});

describe("rules of a network security group", () => {
  const rule = (port: number): JsonMap => ({
    direction: "INGRESS",
    protocol: "6",
    source: "0.0.0.0/0",
    sourceType: "CIDR_BLOCK",
    tcpOptions: { destinationPortRange: { min: port, max: port } },
  });
  const rules = (...ports: number[]) => ({
    type: "oci:NetworkSecurityGroupRules",
    name: "rules",
    token: "t",
    properties: {
      networkSecurityGroupId: parents.group,
      securityRules: ports.map(rule) as Json[],
    },
  });
  const portsIn = (cloud: OracleCloud) =>
    (cloud.rules.get(parents.group) ?? []).map((one) => JSON.stringify(one["tcpOptions"]));

  it("that somebody else has set are left as they are", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    cloud.rules.set(parents.group, [{ ...rule(22), id: "R1" }]);
    const outcome = await provider.create(cloud.context(), rules(443));
    expect(outcome).toMatchObject({ kind: "failed", code: "already_exists" });
    expect(portsIn(cloud)).toHaveLength(1);
  });

  /** A network on which the answer to the so-many-th addition is lost, after its effect or before. */
  const losing = (cloud: OracleCloud, at: number, effect: "before" | "after") => {
    let left = at;
    return async (request: Request) => {
      const isLost = request.url.includes("addSecurityRules") && (left -= 1) === 0;
      if (isLost && effect === "after") await cloud.fetch(request);
      if (isLost) throw new Error("The connection ended.");
      return cloud.fetch(request);
    };
  };
  const many = Array.from({ length: 60 }, (_, at) => 1000 + at);

  it.each(["before", "after"] as const)(
    "are made once if the answer to a further addition is lost, %s its effect",
    async (effect) => {
      const cloud = new OracleCloud();
      addParents(cloud);
      const call = rules(...many);
      const fetch = losing(cloud, 2, effect);
      const begun = await provider.create(cloud.context({ fetch }), call);
      if (begun.kind !== "pending") throw new Error(JSON.stringify(begun));
      expect(begun.id).toBe(parents.group);
      const { handle } = begun;
      const poll = { ...call, verb: "create" as const, handle };
      expect(await provider.poll(cloud.context(), poll)).toMatchObject({ kind: "done" });
      expect(new Set(portsIn(cloud)).size).toBe(60);
      expect(portsIn(cloud)).toHaveLength(60);
      expect(cloud.violations).toEqual([]);
    },
  );

  it("are found and completed if the answer to the first addition is lost", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    const call = rules(...many);
    const sentMs = Date.now();
    const fetch = losing(cloud, 1, "after");
    const lost = await provider.create(cloud.context({ fetch }), call);
    expect(lost).toMatchObject({ kind: "failed", unknownOutcome: true });
    expect(provider.repeats(cloud.context(), call.type)).toMatchObject({
      repeatableMs: 0,
      findable: true,
    });
    const look = { ...call, known: [], sentMs };
    expect(await provider.lookUp(cloud.context(), look)).toMatchObject({
      kind: "done",
      id: parents.group,
    });
    expect(portsIn(cloud)).toHaveLength(60);
  });

  it("stay known if a further addition is refused", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    let calls = 0;
    const fetch = async (request: Request) =>
      request.url.includes("addSecurityRules") && (calls += 1) > 1
        ? Response.json({ code: "LimitExceeded", message: "no room" }, { status: 400 })
        : cloud.fetch(request);
    const outcome = await provider.create(cloud.context({ fetch }), rules(...many));
    expect(outcome).toMatchObject({ kind: "failed", means: "quota", id: parents.group });
    expect(outcome).toMatchObject({ mendable: true });
  });

  it("of a group that is only hidden are not gone", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    cloud.rules.set(parents.group, [{ ...rule(22), id: "R1" }]);
    cloud.hidden.add(parents.group);
    const call = { ...rules(22), id: parents.group };
    expect(await provider.delete(cloud.context(), call)).toMatchObject({ means: "denied" });
    expect(portsIn(cloud)).toHaveLength(1);
  });

  it("of a group in another compartment are gone with it, and not with the right to see it", async () => {
    const cloud = new OracleCloud();
    const compartmentId = "ocid1.compartment.oc1..other";
    const group = cloud.put("NetworkSecurityGroup", { compartmentId });
    const { properties: given, ...call } = rules(22);
    const made = { ...call, properties: { ...given, networkSecurityGroupId: group.id } };
    const done = await provider.create(cloud.context(), made);
    if (done.kind !== "done") throw new Error(JSON.stringify(done));
    expect(done.outputs).toMatchObject({ compartmentId });
    cloud.hidden.add(group.id);
    const read = { ...made, id: group.id, seen: done.outputs };
    expect(await provider.read(cloud.context(), read)).toMatchObject({ means: "denied" });
    cloud.remove(group);
    expect(await provider.read(cloud.context(), read)).toMatchObject({ kind: "gone" });
  });

  it.each(["../instances/x", "ocid1.vcn.oc1..v", "x y"])(
    "with the id %j reach nothing",
    async (id) => {
      const cloud = new OracleCloud();
      const outcome = await provider.delete(cloud.context(), { ...rules(22), id });
      expect(outcome).toMatchObject({ kind: "failed", code: "invalid_id" });
      expect(cloud.requests).toEqual([]);
    },
  );
});
