/** Makes the static assets that are not in the repository. Wrangler runs it before `dev` and `deploy`. */
import { ensureBrowserScripts } from "../browser/ensure-browser-scripts.ts";
import { ensureAwsCatalogue } from "../catalogue/ensure-aws-catalogue.ts";
import { ensureOutputs } from "../catalogue/ensure-outputs.ts";
import { ensureMappings } from "../mappings/ensure-mappings.ts";
import { ensureReference } from "../reference/ensure-reference.ts";

await ensureAwsCatalogue();
await ensureOutputs();
await ensureMappings();
await ensureReference();
await ensureBrowserScripts();
