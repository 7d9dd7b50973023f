/**
 * `npm run fake:gcp`: a Google Cloud that costs nothing, on this machine, for the guide and for experiments. It refuses
 * what the description in `test/providers/gcp` does not allow, and forgets everything when it ends. Its workload identity
 * provider trusts the tokens of one target (`TRUST_SUBJECT`) of one installation (`ISSUER`).
 */
import { gcpDefinition } from "#providers/gcp/gcp-provider.ts";
import { ACCOUNT, GoogleCloud, KEY_FILE, PROVIDER } from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, ZONE } from "#test/providers/gcp/shown.ts";
import { fakeTrust } from "./fake-trust.ts";
import { endpointsOf, runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const distrusts = fakeTrust(`https://iam.googleapis.com/${PROVIDER}`);

const cloud = new GoogleCloud({
  readyAfterMs: READY_AFTER_MS,
  distrusts: async (token) => {
    const distrust = await distrusts(token);
    if (distrust === undefined) return undefined;
    return distrust.of === "subject"
      ? {
          code: "unauthorized_client",
          says: `The given credential is rejected by the attribute condition. ${distrust.says}`,
        }
      : { code: "invalid_grant", says: distrust.says };
  },
});
const federated = {
  project: PROJECT,
  zone: ZONE,
  workloadIdentityProvider: PROVIDER,
  serviceAccount: ACCOUNT,
};
cloud.afterChange = ({ verb, by }) => {
  console.log(`${verb} ${by}`);
};
await runFakeCloud({
  defaultPort: "9897",
  fetch: (request) => cloud.fetch(request),
  problems: () => cloud.violations.splice(0).map((problem) => `Not as described: ${problem}`),
  greeting: (url) => `A fake Google Cloud listens on ${url}
Key file            ${JSON.stringify(KEY_FILE)}
Target's config     ${JSON.stringify({ project: PROJECT, zone: ZONE })}
  without a key     ${JSON.stringify(federated)}
PROVIDER_ENDPOINTS  ${endpointsOf("gcp", gcpDefinition().hosts, url)}`,
});
