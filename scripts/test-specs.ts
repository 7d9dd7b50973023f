/**
 * Holds the providers to the descriptions that the vendors publish: `npm run test:specs -- <folder>`. The folder has a
 * folder for each vendor; nothing of it belongs to the project. Every type lives through create, read, change, replace
 * and delete at a fake cloud made from the description, behind a proxy that validates both sides.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonMap } from "#platform/json.ts";
import { digitaloceanProblems } from "#test/providers/digitalocean/all-lives.ts";
import { gcpProblemsOf } from "#test/providers/gcp/all-lives.ts";

/** Takes all files of a vendor's folder. */
const suites: Readonly<
  Record<string, (documents: readonly Json[]) => Promise<ReadonlyMap<string, readonly string[]>>>
> = {
  digitalocean: ([document]) => digitaloceanProblems(document as JsonMap),
  gcp: gcpProblemsOf,
};

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Name the folder with the vendors' descriptions: npm run test:specs -- <folder>");
  process.exit(2);
}

let failed = 0;
for (const [vendor, problemsOf] of Object.entries(suites)) {
  const files = globSync(join(folder, vendor, "*.json"));
  if (files.length === 0) {
    console.error(`${vendor}: there is no description ${join(folder, vendor, "*.json")}`);
    failed += 1;
    continue;
  }
  const problems = await problemsOf(
    files.map((file) => JSON.parse(readFileSync(file, "utf8")) as Json),
  );
  for (const [type, found] of problems) {
    console.log(`${vendor} ${type}: ${found.length === 0 ? "ok" : ""}`);
    for (const problem of found) console.log(`  ${problem}`);
    if (found.length > 0) failed += 1;
  }
}
process.exit(failed === 0 ? 0 : 1);
