/**
 * `npm run fake:aws`: an AWS that costs nothing, on this machine, for the guide and for experiments. It has the verified
 * types, checks signatures and properties, and forgets everything when it ends.
 */
import { KEYS } from "#test/providers/aws/fake-aws.ts";
import { awsWithZone } from "#test/providers/aws/served-aws.ts";
import { choosePort } from "./port.ts";
import { serveFakeCloud } from "./serve-fake-cloud.ts";
import { stopSignal } from "./stop-signal.ts";

const DEFAULT_PORT = "9899";
const OPERATION_MS = 2_000;

const stop = stopSignal();
const port = await choosePort(process.env["PORT"] || DEFAULT_PORT);
const { aws, zoneId } = await awsWithZone({ operationMs: OPERATION_MS });
aws.control.afterChange = ({ verb, type, id }) => {
  console.log(`${verb} ${type} ${id}`);
};
aws.dns.afterChange = (verb, { name, type }) => {
  console.log(`${verb} record ${name} ${type}`);
};
const served = await serveFakeCloud(aws.fetch, { port });
console.log(`A fake AWS listens on ${served.url}
Keys                ${JSON.stringify(KEYS)}
Hosted zone         ${zoneId}
PROVIDER_ENDPOINTS  ${JSON.stringify({ aws: served.url })}`);
await new Promise((resolve) => {
  stop.addEventListener("abort", resolve, { once: true });
});
await served.close();
process.exit(0);
