/**
 * Writes the names of outputs that vendors describe into the static assets, for types whose rows do not list them all.
 * Wrangler runs it before `dev` and `deploy`, `vitest.config.ts` before the tests.
 */
import path from "node:path";
import { copyTables } from "../files/copy-tables.ts";
import { projectRoot } from "../files/project-root.ts";

export async function ensureOutputs(): Promise<string[]> {
  return copyTables(
    path.join(projectRoot, "src/providers/outputs"),
    path.join(projectRoot, "public/outputs"),
  );
}
