/**
 * `npm run fake:azure`: an Azure that costs nothing, on this machine, for the guide and for experiments. It refuses what
 * the description in `test/providers/azure` does not allow, and forgets everything when it ends.
 */
import {
  ArmCloud,
  CLIENT_ID,
  CLIENT_SECRET,
  GROUP,
  SUBSCRIPTION,
  TENANT_ID,
} from "#test/providers/azure/arm-cloud.ts";
import { choosePort } from "./port.ts";
import { serveFakeCloud } from "./serve-fake-cloud.ts";
import { stopSignal } from "./stop-signal.ts";

const DEFAULT_PORT = "9899";
const READY_AFTER_MS = 2_000;

const stop = stopSignal();
const port = await choosePort(process.env["PORT"] || DEFAULT_PORT);
const cloud = new ArmCloud({ readyAfterMs: READY_AFTER_MS });
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
const config = {
  subscriptionId: SUBSCRIPTION,
  resourceGroup: GROUP,
  tenantId: TENANT_ID,
  clientId: CLIENT_ID,
};
console.log(`A fake Azure listens on ${served.url}
Client secret       ${CLIENT_SECRET}
Target's config     ${JSON.stringify(config)}
PROVIDER_ENDPOINTS  ${JSON.stringify({ azure: served.url })}`);
await new Promise((resolve) => {
  stop.addEventListener("abort", resolve, { once: true });
});
await served.close();
process.exit(0);
