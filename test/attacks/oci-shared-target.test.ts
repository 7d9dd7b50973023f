/** What a tenant could bring about at Oracle Cloud at a target that others deploy to. */
import { beforeEach, describe, expect, it } from "vitest";
import { COMPARTMENT, NAMESPACE, OracleCloud, REGION } from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY } from "#test/providers/oci/signatures.ts";
import type { TestTenant } from "#test/support/api.ts";
import { sharedTarget } from "#test/support/shared-target.ts";

let cloud: OracleCloud;
let a: TestTenant;
let b: TestTenant;

const scene = sharedTarget({
  provider: "oci",
  region: REGION,
  config: { compartmentId: COMPARTMENT, namespace: NAMESPACE, tenantsTrustEachOther: true },
  credential: { variable: "TARGET_PLATFORM_OCI", value: JSON.stringify(API_KEY) },
  start: () => {
    cloud = new OracleCloud();
    return (request) =>
      new URL(request.url).hostname.endsWith(".oraclecloud.com") ? cloud.fetch(request) : undefined;
  },
});
const { deploy } = scene;
beforeEach(() => {
  ({ a, b } = scene);
});

const network = (compartment = "") =>
  `  net: { type: oci:Vcn, properties: { cidrBlocks: [10.0.0.0/16]${compartment} } }\n`;

describe("at a target that tenants share", () => {
  it("an object is made in the target's compartment, and in no other that a template names", async () => {
    expect(await deploy(a, network())).toMatchObject({ state: "SUCCEEDED" });
    expect(cloud.living("Vcn").map(({ body }) => body["compartmentId"])).toEqual([COMPARTMENT]);
    const elsewhere = await deploy(b, network(", compartmentId: ocid1.compartment.oc1..victim"));
    expect(elsewhere.error).toMatchObject({ code: "reference_not_allowed" });
    expect(cloud.living("Vcn")).toHaveLength(1);
  });

  it("a subnet is not put into another tenant's network", async () => {
    await deploy(a, network());
    const [victim] = cloud.living("Vcn");
    const { error } = await deploy(
      b,
      `  sub: { type: oci:Subnet, properties: { vcnId: "${victim?.id}", cidrBlock: 10.0.9.0/24 } }\n`,
    );
    expect(error).toMatchObject({ code: "reference_not_allowed" });
    expect(cloud.living("Subnet")).toEqual([]);
  });

  it("another tenant's network is neither imported nor opened by its group's rules", async () => {
    await deploy(
      a,
      `${network()}  g: { type: oci:NetworkSecurityGroup, properties: { vcnId: "\${net.id}" } }\n`,
    );
    const [victim] = cloud.living("Vcn");
    const [group] = cloud.living("NetworkSecurityGroup");
    const imported = await deploy(
      b,
      `  net: { type: oci:Vcn, properties: { cidrBlocks: [10.0.0.0/16] }, options: { import: "${victim?.id}" } }\n`,
    );
    expect(imported.state).toBe("FAILED");
    const opened = await deploy(
      b,
      `  r: { type: oci:NetworkSecurityGroupRules, properties: { networkSecurityGroupId: "${group?.id}", securityRules: [{ direction: INGRESS, protocol: all, source: 0.0.0.0/0 }] } }\n`,
    );
    expect(opened.error).toMatchObject({ code: "reference_not_allowed" });
    expect(cloud.rules.size).toBe(0);
  });
});
