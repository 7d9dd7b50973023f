/**
 * `npm run fake:oci`: an Oracle Cloud that costs nothing, on this machine, for the guide and for experiments. It refuses
 * what the description in `test/providers/oci` does not allow, and forgets everything when it ends.
 */
import { ociDefinition } from "#providers/oci/oci-provider.ts";
import { COMPARTMENT, NAMESPACE, OracleCloud, REGION } from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY } from "#test/providers/oci/signatures.ts";
import { choosePort } from "./port.ts";
import { serveFakeCloud } from "./serve-fake-cloud.ts";
import { stopSignal } from "./stop-signal.ts";

const DEFAULT_PORT = "9898";
const READY_AFTER_MS = 2_000;

const stop = stopSignal();
const port = await choosePort(process.env["PORT"] || DEFAULT_PORT);
const cloud = new OracleCloud({ readyAfterMs: READY_AFTER_MS });
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
const hosts = Object.keys(ociDefinition().hosts ?? {}).map((name) => [
  name,
  `${served.url}/${name}`,
]);
console.log(`A fake Oracle Cloud listens on ${served.url}
API key             ${JSON.stringify(API_KEY)}
Region              ${REGION}
Target's config     ${JSON.stringify({ compartmentId: COMPARTMENT, namespace: NAMESPACE })}
PROVIDER_ENDPOINTS  ${JSON.stringify({ oci: Object.fromEntries(hosts) })}`);
await new Promise((resolve) => {
  stop.addEventListener("abort", resolve, { once: true });
});
await served.close();
process.exit(0);
