/**
 * `npm run fake:render`: a Render that costs nothing, on this machine, for the guide and for experiments. It is made from
 * the description in `test/providers/render`, refuses what that does not allow, and forgets everything when it ends.
 */
import { renderDocument } from "#test/providers/render/description.ts";
import { renderCloud, renderDescription, TOKEN } from "#test/providers/render/render-cloud.ts";
import { READY_AFTER_MS, runDescribedCloud } from "./run-described-cloud.ts";

await runDescribedCloud({
  provider: "render",
  called: "Render",
  defaultPort: "9903",
  cloud: renderCloud(renderDescription(renderDocument), { readyAfterMs: READY_AFTER_MS }),
  lines: { Token: TOKEN },
});
