/** Makes the static assets that are not in the repository. Wrangler runs it before `dev` and `deploy`. */
import { ensureAwsCatalogue } from "./catalogue/ensure-aws-catalogue.ts";
import { ensureReference } from "./reference/ensure-reference.ts";

await ensureAwsCatalogue();
await ensureReference();
