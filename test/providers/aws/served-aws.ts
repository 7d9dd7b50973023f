import { builtAssets } from "#test/support/built-assets.ts";
import { describedTypes } from "./described-type.ts";
import { FakeAws, type FakeAwsOptions } from "./fake-aws.ts";
import { samples } from "./samples.ts";

/** An AWS with these types, by default the verified ones, and one hosted zone, for use outside of a Worker. */
export async function awsWithZone(
  options: FakeAwsOptions = {},
  types: readonly string[] | "all" = Object.keys(samples),
): Promise<{ aws: FakeAws; zoneId: string }> {
  const aws = new FakeAws(await describedTypes(types, builtAssets), options);
  const zone = aws.control.put("AWS::Route53::HostedZone", { Name: "example.com" });
  aws.dns.zones.add(zone.id);
  return { aws, zoneId: zone.id };
}
