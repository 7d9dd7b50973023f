/**
 * `npm run fake:gcp`: a Google Cloud that costs nothing, on this machine, for the guide and for experiments. It refuses
 * what the description in `test/providers/gcp` does not allow, and forgets everything when it ends.
 */
import { gcpDefinition } from "#providers/gcp/gcp-provider.ts";
import { GoogleCloud, KEY_FILE } from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, ZONE } from "#test/providers/gcp/shown.ts";
import { choosePort } from "./port.ts";
import { serveFakeCloud } from "./serve-fake-cloud.ts";
import { stopSignal } from "./stop-signal.ts";

const DEFAULT_PORT = "9897";
const READY_AFTER_MS = 2_000;

const stop = stopSignal();
const port = await choosePort(process.env["PORT"] || DEFAULT_PORT);
const cloud = new GoogleCloud({ readyAfterMs: READY_AFTER_MS });
cloud.afterChange = ({ verb, by }) => {
  console.log(`${verb} ${by}`);
};
const served = await serveFakeCloud(
  async (request) => {
    const response = await cloud.fetch(request);
    for (const problem of cloud.violations.splice(0)) console.error(`Not as described: ${problem}`);
    return response;
  },
  { port },
);
const hosts = Object.keys(gcpDefinition().hosts ?? {}).map((name) => [
  name,
  `${served.url}/${name}`,
]);
console.log(`A fake Google Cloud listens on ${served.url}
Key file            ${JSON.stringify(KEY_FILE)}
Target's config     ${JSON.stringify({ project: PROJECT, zone: ZONE })}
PROVIDER_ENDPOINTS  ${JSON.stringify({ gcp: Object.fromEntries(hosts) })}`);
await new Promise((resolve) => {
  stop.addEventListener("abort", resolve, { once: true });
});
await served.close();
process.exit(0);
