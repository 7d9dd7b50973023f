/** Attempts of a tenant on others, and on the operator, at an AWS account that tenants share. A test is named after its attack. */
import { beforeEach, describe, expect, it } from "vitest";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { awsScene, deployAt, sharedTarget } from "#test/support/aws-target.ts";
import { addVersion, run } from "#test/support/cloud.ts";

const scene = awsScene(
  ["AWS::S3::Bucket", "AWS::S3::BucketPolicy", "AWS::Route53::HostedZone"],
  () => ({ operationMs: 0 }),
);
let a: TestTenant;
let b: TestTenant;
let shared: string;
beforeEach(async () => {
  [a, b] = await Promise.all([makeTenant(), makeTenant()]);
  shared = await sharedTarget();
});
const one = (type: string, properties: object, options: object = {}) =>
  JSON.stringify({ resources: { one: { type: `aws:${type}`, properties, options } } });
/** The next version of the instance's template, deployed. */
async function change(who: TestTenant, instanceId: string, source: string) {
  const { body } = await who.get(`/instances/${instanceId}`);
  await addVersion(who, instanceId, body.templateId, source);
  return run(who, instanceId, "deploy");
}
const EVIL = { AWS: "arn:aws:iam::666666666666:root" };
const trust = (Principal: Record<string, string>) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal, Action: "sts:AssumeRole" }],
});

describe("an import whose id and properties disagree", () => {
  it("changes or deletes the policy of another tenant's managed bucket", async () => {
    const victim = await deployAt(
      scene,
      a,
      shared,
      one("AWS::S3::Bucket", { BucketName: "victims" }),
    );
    expect(victim.ended.body.state, victim.ended.text).toBe("SUCCEEDED");
    scene.aws.control.put("AWS::S3::BucketPolicy", {
      Bucket: "victims",
      PolicyDocument: trust({ Service: "x" }),
    });
    const source = (...ignoreChanges: string[]) =>
      JSON.stringify({
        resources: {
          own: { type: "aws:AWS::S3::Bucket", properties: { BucketName: "evils" } },
          p: {
            type: "aws:AWS::S3::BucketPolicy",
            properties: { Bucket: "${own.id}", PolicyDocument: trust(EVIL) },
            options: { import: "victims", ignoreChanges },
          },
        },
      });
    const { instanceId } = await deployAt(scene, b, shared, source("Bucket", "PolicyDocument"));
    const ended = await change(b, instanceId, source("Bucket"));
    const policy = scene.aws.control
      .living("AWS::S3::BucketPolicy")
      .find(({ id }) => id === "victims");
    expect(JSON.stringify(policy?.sent), ended.text).not.toContain("666666666666");
    await run(b, instanceId, "destroy");
    const left = scene.aws.control.living("AWS::S3::BucketPolicy").map(({ id }) => id);
    expect(left).toContain("victims");
  });

  it("changes and deletes a record in another tenant's managed zone", async () => {
    const zoneOf = async (who: TestTenant, name: string) => {
      const { ended, instanceId } = await deployAt(
        scene,
        who,
        shared,
        one("AWS::Route53::HostedZone", { Name: name }),
      );
      expect(ended.body.state, ended.text).toBe("SUCCEEDED");
      const found = scene.aws.control
        .living("AWS::Route53::HostedZone")
        .find(({ sent }) => sent["Name"] === name);
      scene.aws.dns.zones.add(found?.id ?? "");
      return { id: found?.id ?? "", instanceId };
    };
    const victim = await zoneOf(a, "victim.example");
    const own = await zoneOf(b, "evil.example");
    // A record that the victim's zone has and no instance manages.
    const record = {
      zone: victim.id,
      name: "www.victim.example.",
      type: "A",
      set: "",
      xml: "<ResourceRecordSet><Name>www.victim.example.</Name><Type>A</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>",
    };
    const key = [victim.id, record.name, "A", ""].join("|");
    scene.aws.dns.records.set(key, record);
    const source = (...values: string[]) =>
      one(
        "AWS::Route53::RecordSet",
        {
          HostedZoneId: own.id,
          Name: "www.victim.example",
          Type: "A",
          TTL: "60",
          ResourceRecords: values,
        },
        { import: `${victim.id}|www.victim.example|A` },
      );
    // What the record says can be asked of DNS.
    const { instanceId } = await deployAt(scene, b, shared, source("192.0.2.1"));
    const ended = await change(b, instanceId, source("198.51.100.66"));
    expect(scene.aws.dns.records.get(key)?.xml, ended.text).toContain("192.0.2.1");
    await run(b, instanceId, "destroy");
    expect(scene.aws.dns.records.has(key)).toBe(true);
  });
});
