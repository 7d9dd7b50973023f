/**
 * `npm run fake:oci`: an Oracle Cloud that costs nothing, on this machine, for the guide and for experiments. It refuses
 * what the description in `test/providers/oci` does not allow, and forgets everything when it ends. Its identity domain has
 * a public client, and trusts the tokens of one target (`TRUST_SUBJECT`) of one installation (`ISSUER`).
 */
import { ociDefinition } from "#providers/oci/oci-provider.ts";
import {
  CLIENT,
  COMPARTMENT,
  DOMAIN,
  NAMESPACE,
  OracleCloud,
  REGION,
} from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY } from "#test/providers/oci/signatures.ts";
import { fakeTrust } from "./fake-trust.ts";
import { endpointsOf, runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const distrusts = fakeTrust(DOMAIN);

const cloud = new OracleCloud({
  readyAfterMs: READY_AFTER_MS,
  distrusts: async (token) => {
    const distrust = await distrusts(token);
    if (distrust === undefined) return undefined;
    const rule = distrust.of === "subject" ? "No rule of the trust fits the token. " : "";
    return { code: "invalid_grant", says: `${rule}${distrust.says}` };
  },
});
const config = { compartmentId: COMPARTMENT, namespace: NAMESPACE };
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
Target's config     ${JSON.stringify(config)}
  without a key     ${JSON.stringify({ ...config, domainUrl: DOMAIN, clientId: CLIENT })}
PROVIDER_ENDPOINTS  ${endpointsOf("oci", ociDefinition().hosts, url)}`,
});
