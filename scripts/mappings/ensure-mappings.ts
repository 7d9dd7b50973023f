/**
 * Copies the tables of Terraform's types into the static assets, from which the Worker reads the ones that an import
 * needs. Wrangler runs it before `dev` and `deploy`, `vitest.config.ts` before the tests.
 */
import path from "node:path";
import { copyTables } from "../files/copy-tables.ts";
import { projectRoot } from "../files/project-root.ts";

const sources = path.join(projectRoot, "src/importers/mappings");
const assetsDirectory = path.join(projectRoot, "public/mappings");

/** Returns the names of the files that it wrote: new or changed ones. */
export async function ensureMappings(directory = assetsDirectory): Promise<string[]> {
  return copyTables(sources, directory);
}

if (import.meta.main) await ensureMappings();
