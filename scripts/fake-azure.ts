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
import { runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = new ArmCloud({ readyAfterMs: READY_AFTER_MS });
cloud.afterChange = ({ verb, by }) => {
  console.log(`${verb} ${by}`);
};
const config = {
  subscriptionId: SUBSCRIPTION,
  resourceGroup: GROUP,
  tenantId: TENANT_ID,
  clientId: CLIENT_ID,
};
await runFakeCloud({
  defaultPort: "9899",
  fetch: (request) => cloud.fetch(request),
  problems: () => cloud.violations.splice(0).map((problem) => `Not as described: ${problem}`),
  greeting: (url) => `A fake Azure listens on ${url}
Client secret       ${CLIENT_SECRET}
Target's config     ${JSON.stringify(config)}
PROVIDER_ENDPOINTS  ${JSON.stringify({ azure: url })}`,
});
