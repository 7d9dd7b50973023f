/** What Oracle may answer, and what a template may say, that must not lead to a second object. Those that fail show a hole. */
import { describe, expect, it } from "vitest";
import { ociProvider } from "#providers/oci/oci-provider.ts";
import { COMPARTMENT, OracleCloud } from "#test/providers/oci/oracle-cloud.ts";
import { addParents, parents } from "#test/providers/oci/samples.ts";

const provider = ociProvider();
const OTHER = "ocid1.compartment.oc1..other";

describe("a lost permission", () => {
  it("while the template names another compartment is no deleted object", async () => {
    const cloud = new OracleCloud();
    const vcn = cloud.put("Vcn", { displayName: "net", cidrBlocks: ["10.0.0.0/16"] });
    cloud.hidden.add(vcn.id);
    const before = { compartmentId: COMPARTMENT, cidrBlocks: ["10.0.0.0/16"] };
    const call = { type: "oci:Vcn", id: vcn.id, name: "net", token: "t" };
    const update = {
      ...call,
      before,
      properties: { ...before, compartmentId: OTHER, displayName: "n" },
    };
    expect(await provider.update(cloud.context(), update)).toMatchObject({ kind: "failed" });
  });

  it("for a bucket, whose 404 has a code of its own, is no deleted bucket", async () => {
    const cloud = new OracleCloud();
    const bucket = cloud.put("Bucket", { name: "assets" });
    cloud.hidden.add(bucket.id);
    const call = {
      type: "oci:Bucket",
      id: "assets",
      properties: { compartmentId: COMPARTMENT, name: "assets" },
    };
    expect(await provider.read(cloud.context(), call)).toMatchObject({ kind: "failed" });
  });

  it("for the namespace is no deleted bucket", async () => {
    const cloud = new OracleCloud();
    const fetch = async () =>
      Response.json(
        {
          code: "NamespaceNotFound",
          message:
            "You do not have authorization to perform this request, or the requested resource could not be found.",
        },
        { status: 404 },
      );
    const call = {
      type: "oci:Bucket",
      id: "assets",
      properties: { compartmentId: COMPARTMENT, name: "assets" },
    };
    expect(await provider.read(cloud.context({ fetch }), call)).toMatchObject({ kind: "failed" });
  });
});

describe("rules whose id is another group than their properties name", () => {
  it("are not read, changed or removed", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    const victim = cloud.put("NetworkSecurityGroup", { displayName: "victim" }).id;
    const rule = { direction: "INGRESS", protocol: "all", source: "10.0.0.0/8" };
    cloud.rules.set(victim, [{ ...rule, sourceType: "CIDR_BLOCK", id: "R1" }]);
    const properties = { networkSecurityGroupId: parents.group, securityRules: [] };
    const type = "oci:NetworkSecurityGroupRules";
    const call = { type, id: victim, name: "r", token: "t", properties };
    const refused = { kind: "failed", code: "invalid_id" };
    const context = cloud.context();
    expect(await provider.read(context, call)).toMatchObject(refused);
    expect(await provider.update(context, { ...call, before: properties })).toMatchObject(refused);
    expect(await provider.delete(context, call)).toMatchObject(refused);
    expect(cloud.requests).toEqual([]);
    expect(cloud.rules.get(victim)).toHaveLength(1);
  });
});

describe("rules that a person has made", () => {
  const rule = (port: number) => ({
    direction: "INGRESS",
    protocol: "6",
    source: "0.0.0.0/0",
    sourceType: "CIDR_BLOCK",
    tcpOptions: { destinationPortRange: { min: port, max: port } },
  });
  const call = {
    type: "oci:NetworkSecurityGroupRules",
    name: "r",
    token: "t",
    properties: { networkSecurityGroupId: parents.group, securityRules: [rule(22), rule(443)] },
  };
  const sentMs = Date.now();
  const made = (ms: number) => ({ timeCreated: new Date(ms).toISOString() });

  it("are not taken over by a create that wants the same", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    cloud.rules.set(parents.group, [{ ...rule(22), id: "persons" }]);
    const outcome = await provider.create(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", code: "already_exists", means: "exists" });
    expect(cloud.ledger).toEqual([]);
  });

  it.each([
    ["from before the create was sent", { ...rule(22), ...made(sentMs - 3_600_000) }],
    ["without a time", rule(22)],
    ["that the template lacks", { ...rule(23), ...made(sentMs) }],
  ])("%s are not taken over by the look-up after a lost answer", async (_, persons) => {
    const cloud = new OracleCloud();
    addParents(cloud);
    cloud.rules.set(parents.group, [{ ...persons, id: "persons" }]);
    const outcome = await provider.lookUp(cloud.context(), { ...call, known: [], sentMs });
    expect(outcome).toMatchObject({ kind: "failed", code: "cannot_tell", unknownOutcome: true });
    expect(cloud.ledger).toEqual([]);
  });
});

describe("properties that the type does not list", () => {
  it.each(["create", "update"] as const)(
    "lead to no %s of an instance in another's subnet",
    async (verb) => {
      const cloud = new OracleCloud();
      addParents(cloud);
      const before = { availabilityDomain: "AD-1", shape: "VM.Standard.E5.Flex" };
      const properties = { ...before, subnetId: parents.subnet };
      const call = { type: "oci:Instance", id: "i", name: "vm", token: "t", before, properties };
      const outcome = await provider[verb](cloud.context(), call);
      expect(outcome).toMatchObject({ kind: "failed", code: "invalid_property" });
      expect(cloud.requests).toEqual([]);
    },
  );

  it.each(["create", "read", "update", "delete"] as const)(
    "lead to no %s of a bucket in another namespace",
    async (verb) => {
      const cloud = new OracleCloud();
      const properties = { name: "x", namespace: "victimspace" };
      const own = { type: "oci:Bucket", id: "x", name: "x", token: "t" };
      const call = { ...own, before: properties, properties };
      const outcome = await provider[verb](cloud.context(), call);
      expect(outcome).toMatchObject({ kind: "failed", code: "invalid_property" });
      expect(cloud.requests).toEqual([]);
    },
  );
});
