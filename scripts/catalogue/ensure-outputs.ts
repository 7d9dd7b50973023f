/**
 * Puts the names of outputs that vendors describe, of types whose rows do not list them all, among the static assets.
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
