/**
 * `npm run fake:gcp`: a Google Cloud that costs nothing, on this machine, for the guide and for experiments. It refuses
 * what the description in `test/providers/gcp` does not allow, and forgets everything when it ends.
 */
import { gcpDefinition } from "#providers/gcp/gcp-provider.ts";
import { GoogleCloud, KEY_FILE } from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, ZONE } from "#test/providers/gcp/shown.ts";
import { endpointsOf, runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = new GoogleCloud({ readyAfterMs: READY_AFTER_MS });
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
PROVIDER_ENDPOINTS  ${endpointsOf("gcp", gcpDefinition().hosts, url)}`,
});
