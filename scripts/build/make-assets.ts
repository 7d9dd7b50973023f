/** Makes the static assets that are not in the repository. Wrangler runs it before `dev` and `deploy`. */
import { ensureBrowserLibraries } from "../browser-libraries/ensure-browser-libraries.ts";
import { ensureAwsCatalogue } from "../catalogue/ensure-aws-catalogue.ts";
import { ensureOutputs } from "../catalogue/ensure-outputs.ts";
import { ensureMappings } from "../mappings/ensure-mappings.ts";
import { ensureReference } from "../reference/ensure-reference.ts";

await ensureAwsCatalogue();
await ensureOutputs();
await ensureMappings();
await ensureReference();
await ensureBrowserLibraries();
