/**
 * `npm run fake:aws`: an AWS that costs nothing, on this machine, for the guide and for experiments. It has the verified
 * types, checks signatures and properties, and forgets everything when it ends.
 */
import { KEYS } from "#test/providers/aws/fake-aws.ts";
import { awsWithZone } from "#test/providers/aws/served-aws.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const OPERATION_MS = 2_000;

const { aws, zoneId } = await awsWithZone({ operationMs: OPERATION_MS });
aws.control.afterChange = ({ verb, type, id }) => {
  console.log(`${verb} ${type} ${id}`);
};
aws.dns.afterChange = (verb, { name, type }) => {
  console.log(`${verb} record ${name} ${type}`);
};
await runFakeCloud({
  defaultPort: "9899",
  fetch: aws.fetch,
  greeting: (url) => `A fake AWS listens on ${url}
Keys                ${JSON.stringify(KEYS)}
Hosted zone         ${zoneId}
PROVIDER_ENDPOINTS  ${JSON.stringify({ aws: url })}`,
});
