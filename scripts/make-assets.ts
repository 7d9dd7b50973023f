/** Makes the static assets that are not in the repository. Wrangler runs it before `dev` and `deploy`. */
import { ensureAwsCatalogue } from "./catalogue/ensure-aws-catalogue.ts";
import { ensureOpenApi } from "./openapi/ensure-openapi.ts";

await ensureAwsCatalogue();
await ensureOpenApi();
