/**
 * Compares the providers with the descriptions that the vendors publish: `npm run test:specs -- <folder>`. The folder
 * has a folder for each vendor and is no part of the project. Every type is created, read, changed, replaced and
 * deleted at a fake cloud made from the description, behind a proxy that validates both sides. Our own description,
 * which `npm test` uses, must require every member that the vendor's requires.
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
import { renderProblems } from "#test/providers/render/all-lives.ts";
import { renderDocument } from "#test/providers/render/description.ts";
import { renderDescription } from "#test/providers/render/render-cloud.ts";
import { supabaseProblems } from "#test/providers/supabase/all-lives.ts";
import { supabaseDocument } from "#test/providers/supabase/description.ts";
import { supabaseDescription } from "#test/providers/supabase/supabase-cloud.ts";
import { vercelProblems } from "#test/providers/vercel/all-lives.ts";
import { vercelDocument } from "#test/providers/vercel/description.ts";
import { vercelDescriptions, withOurs } from "#test/providers/vercel/vercel-cloud.ts";
import { vultrProblems } from "#test/providers/vultr/all-lives.ts";
import { vultrDocument } from "#test/providers/vultr/description.ts";
import { vultrDescription } from "#test/providers/vultr/vultr-cloud.ts";
import { laxBodies } from "#test/support/fake-cloud/lax-bodies.ts";
import { vendorDescription, vendorDocuments, vendorFiles } from "./clouds/vendor-description.ts";

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
  render: async (folder) => {
    const document = vendorDescription(folder, "render");
    return new Map([
      ...(await renderProblems(document)),
      [
        "(our description)",
        laxBodies(renderDescription(renderDocument), renderDescription(document)),
      ],
    ]);
  },
  supabase: async (folder) => {
    const document = vendorDescription(folder, "supabase");
    return new Map([
      ...(await supabaseProblems(document)),
      [
        "(our description)",
        laxBodies(supabaseDescription(supabaseDocument), supabaseDescription(document)),
      ],
    ]);
  },
  vercel: async (folder) => {
    const document = vendorDescription(folder, "vercel");
    const [ours, vendors] = [vercelDocument, withOurs(document)].map(
      (one) => vercelDescriptions(one).versioned,
    );
    return new Map([
      ...(await vercelProblems(document)),
      ...(ours && vendors ? [["(our description)", laxBodies(ours, vendors)] as const] : []),
    ]);
  },
  vultr: async (folder) => {
    const document = vendorDescription(folder, "vultr");
    return new Map([
      ...(await vultrProblems(document)),
      ["(our description)", laxBodies(vultrDescription(vultrDocument), vultrDescription(document))],
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
