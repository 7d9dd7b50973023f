/**
 * `npm run fake:vercel`: a Vercel that costs nothing, on this machine, for the guide and for experiments. It is made from
 * the description in `test/providers/vercel`, refuses what that does not allow, and forgets everything when it ends.
 */
import { vercelDocument } from "#test/providers/vercel/description.ts";
import { vercelCloud, vercelDescriptions, TOKEN } from "#test/providers/vercel/vercel-cloud.ts";
import { READY_AFTER_MS, runDescribedCloud } from "./run-described-cloud.ts";

await runDescribedCloud({
  provider: "vercel",
  called: "Vercel",
  defaultPort: "9904",
  cloud: vercelCloud(vercelDescriptions(vercelDocument), { readyAfterMs: READY_AFTER_MS }),
  lines: { Token: TOKEN },
});
