/**
 * `npm run fake:oci`: an Oracle Cloud that costs nothing, on this machine, for the guide and for experiments. It refuses
 * what the description in `test/providers/oci` does not allow, and forgets everything when it ends.
 */
import { ociDefinition } from "#providers/oci/oci-provider.ts";
import { COMPARTMENT, NAMESPACE, OracleCloud, REGION } from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY } from "#test/providers/oci/signatures.ts";
import { endpointsOf, runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = new OracleCloud({ readyAfterMs: READY_AFTER_MS });
cloud.afterChange = ({ verb, by }) => {
  console.log(`${verb} ${by}`);
};
await runFakeCloud({
  defaultPort: "9896",
  fetch: (request) => cloud.fetch(request),
  problems: () => cloud.violations.splice(0).map((problem) => `Not as described: ${problem}`),
  greeting: (url) => `A fake Oracle Cloud listens on ${url}
API key             ${JSON.stringify(API_KEY)}
Region              ${REGION}
Target's config     ${JSON.stringify({ compartmentId: COMPARTMENT, namespace: NAMESPACE })}
PROVIDER_ENDPOINTS  ${endpointsOf("oci", ociDefinition().hosts, url)}`,
});
