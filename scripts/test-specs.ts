/**
 * Holds the providers to the descriptions that the vendors publish: `npm run test:specs -- <folder>`. The folder has a
 * folder for each vendor; nothing of it belongs to the project. Every type lives through create, read, change, replace
 * and delete at a fake cloud made from the description, which refuses what is not as described.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonMap } from "#platform/json.ts";
import { awsRegistryProblems } from "#test/providers/aws/all-lives.ts";
import { digitaloceanProblems } from "#test/providers/digitalocean/all-lives.ts";

interface Suite {
  /** Below the vendor's folder. */
  files: string;
  problemsOf: (documents: JsonMap[]) => Promise<ReadonlyMap<string, readonly string[]>>;
}

const suites: Readonly<Record<string, Suite>> = {
  aws: { files: "cfn/*.json", problemsOf: awsRegistryProblems },
  digitalocean: {
    files: "*.json",
    problemsOf: ([document = {}]) => digitaloceanProblems(document),
  },
};

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Name the folder with the vendors' descriptions: npm run test:specs -- <folder>");
  process.exit(2);
}

let failed = 0;
for (const [vendor, { files, problemsOf }] of Object.entries(suites)) {
  const pattern = join(folder, vendor, files);
  const found = globSync(pattern);
  if (found.length === 0) {
    console.error(`${vendor}: there is no description ${pattern}`);
    failed += 1;
    continue;
  }
  const documents = found.map((file) => JSON.parse(readFileSync(file, "utf8")) as JsonMap);
  for (const [type, problems] of await problemsOf(documents)) {
    console.log(`${vendor} ${type}: ${problems.length === 0 ? "ok" : ""}`);
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) failed += 1;
  }
}
process.exit(failed === 0 ? 0 : 1);
