/**
 * Holds the providers to the descriptions that the vendors publish: `npm run test:specs -- <folder>`. The folder has a
 * folder for each vendor; nothing of it belongs to the project. Every type lives through create, read, change, replace
 * and delete at a fake cloud made from the description, behind a proxy that validates both sides. The description in our
 * own words, which `npm test` uses, has to demand what the vendor's does.
 */
import { awsRegistryProblems } from "#test/providers/aws/all-lives.ts";
import { azureProblemsOf } from "#test/providers/azure/all-lives.ts";
import { digitaloceanProblems } from "#test/providers/digitalocean/all-lives.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import { digitaloceanDescription } from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { gcpProblemsOf } from "#test/providers/gcp/all-lives.ts";
import { magaluProblems } from "#test/providers/magalu/all-lives.ts";
import { magaluDocument } from "#test/providers/magalu/description.ts";
import { magaluDescription, magaluServices } from "#test/providers/magalu/magalu-cloud.ts";
import { laxBodies } from "#test/support/fake-cloud/lax-bodies.ts";
import { vendorDescription, vendorDocuments, vendorFiles } from "./vendor-description.ts";

const suites: Readonly<
  Record<string, (folder: string) => Promise<ReadonlyMap<string, readonly string[]>>>
> = {
  aws: (folder) => awsRegistryProblems(vendorFiles(folder, "aws/cfn/*.json")),
  azure: (folder) => azureProblemsOf(vendorFiles(folder, "azure/*.json")),
  digitalocean: async (folder) => {
    const document = vendorDescription(folder, "digitalocean");
    return new Map([
      ...(await digitaloceanProblems(document)),
      [
        "(our description)",
        laxBodies(digitaloceanDescription(digitaloceanDocument), digitaloceanDescription(document)),
      ],
    ]);
  },
  gcp: (folder) => gcpProblemsOf(vendorFiles(folder, "gcp/*.json")),
  magalu: async (folder) => {
    const document = magaluServices(vendorDocuments(folder, "magalu"));
    return new Map([
      ...(await magaluProblems(document)),
      [
        "(our description)",
        laxBodies(magaluDescription(magaluDocument), magaluDescription(document)),
      ],
    ]);
  },
};

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Name the folder with the vendors' descriptions: npm run test:specs -- <folder>");
  process.exit(2);
}

let failed = 0;
for (const [vendor, problemsOf] of Object.entries(suites)) {
  try {
    for (const [type, found] of await problemsOf(folder)) {
      console.log(`${vendor} ${type}: ${found.length === 0 ? "ok" : ""}`);
      for (const problem of found) console.log(`  ${problem}`);
      if (found.length > 0) failed += 1;
    }
  } catch (error) {
    console.error(`${vendor}: ${error instanceof Error ? error.message : String(error)}.`);
    failed += 1;
  }
}
process.exit(failed === 0 ? 0 : 1);
