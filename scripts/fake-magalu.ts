/**
 * `npm run fake:magalu`: a Magalu Cloud that costs nothing, on this machine, for the guide and for experiments. It is made
 * from the description in `test/providers/magalu`, refuses what that does not allow, and forgets everything when it ends.
 */
import { magaluDocument } from "#test/providers/magalu/description.ts";
import { API_KEY, magaluCloud, magaluDescription } from "#test/providers/magalu/magalu-cloud.ts";
import { READY_AFTER_MS, runDescribedCloud } from "./run-described-cloud.ts";

await runDescribedCloud({
  provider: "magalu",
  called: "Magalu Cloud",
  defaultPort: "9901",
  cloud: magaluCloud(magaluDescription(magaluDocument), { readyAfterMs: READY_AFTER_MS }),
  lines: { "API key": API_KEY },
});
