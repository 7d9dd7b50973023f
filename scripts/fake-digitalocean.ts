/**
 * `npm run fake:digitalocean`: a DigitalOcean that costs nothing, on this machine, for the guide and for experiments. It
 * is made from the description in `test/providers/digitalocean`, refuses what that does not allow, and forgets
 * everything when it ends.
 */
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { READY_AFTER_MS, runDescribedCloud } from "./run-described-cloud.ts";

await runDescribedCloud({
  provider: "digitalocean",
  called: "DigitalOcean",
  defaultPort: "9898",
  cloud: digitaloceanCloud(digitaloceanDescription(digitaloceanDocument), {
    readyAfterMs: READY_AFTER_MS,
  }),
  lines: { Token: TOKEN },
});
