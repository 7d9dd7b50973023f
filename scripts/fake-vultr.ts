/**
 * `npm run fake:vultr`: a Vultr that costs nothing, on this machine, for the guide and for experiments. It
 * is made from the description in `test/providers/vultr`, refuses what that does not allow, and forgets
 * everything when it ends.
 */
import { vultrDocument } from "#test/providers/vultr/description.ts";
import { API_KEY, vultrCloud, vultrDescription } from "#test/providers/vultr/vultr-cloud.ts";
import { READY_AFTER_MS, runDescribedCloud } from "./run-described-cloud.ts";

await runDescribedCloud({
  provider: "vultr",
  called: "Vultr",
  defaultPort: "9900",
  cloud: vultrCloud(vultrDescription(vultrDocument), { readyAfterMs: READY_AFTER_MS }),
  lines: { "API key": API_KEY },
});
