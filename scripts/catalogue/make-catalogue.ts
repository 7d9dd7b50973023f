/**
 * `npm run catalogue -- azure|gcp [folder]`: makes the shards of a cloud from its vendor's descriptions, in the folder
 * or downloaded. They are deployed with the service until the command makes them again.
 */
import { AzureTypes } from "./azure-shards.ts";
import { describeWritten } from "./ensure-aws-catalogue.ts";
import { GcpTypes } from "./gcp-shards.ts";
import type { ShardFiles } from "./shard-builder.ts";
import { azureFiles, folderFiles, gcpFiles } from "./vendor-files.ts";
import { catalogueDirectory, writeShards } from "./write-shards.ts";

const USAGE = "Usage: npm run catalogue -- azure|gcp [folder with the vendor's files]";

interface Places {
  folder?: string | undefined;
  /** Instead of the vendor's own place. */
  origin?: string | undefined;
  /** Default: the static assets. */
  directory?: string;
}

/** Returns the lines to print. Throws if a file cannot be read, or if no file describes a type. */
export async function makeCatalogue(provider: string, places: Places = {}): Promise<string> {
  const { folder, origin, directory = catalogueDirectory } = places;
  const startedMs = performance.now();
  let files: ShardFiles;
  if (provider === "azure") files = await azureCatalogue(folder, origin);
  else if (provider === "gcp") files = await gcpCatalogue(folder, origin);
  else if (provider === "aws")
    throw new Error("The catalogue of AWS is made by `npm start`, `npm test` and the deploy.");
  else throw new Error(USAGE);
  if (files.size === 1)
    throw new Error(
      `${folder ?? "The download"} has no description of a type of ${provider}. ${expected[provider]}`,
    );
  const written = await writeShards(provider, files, directory);
  return describeWritten(provider, written, performance.now() - startedMs);
}

const expected = {
  azure: "Bicep's type files (types.json of Azure/bicep-types-az) are expected.",
  gcp: "Discovery documents are expected.",
};

async function azureCatalogue(folder?: string, origin?: string): Promise<ShardFiles> {
  const types = new AzureTypes();
  if (folder === undefined)
    for await (const { file, only } of azureFiles(origin)) types.add(file, only);
  else for await (const file of folderFiles(folder)) types.add(file);
  return types.files();
}

async function gcpCatalogue(folder?: string, origin?: string): Promise<ShardFiles> {
  const types = new GcpTypes();
  for await (const file of folder === undefined ? gcpFiles(origin) : folderFiles(folder))
    types.add(file);
  return types.files();
}

if (import.meta.main)
  try {
    const [provider = "", folder, ...rest] = process.argv.slice(2);
    if (rest.length > 0) throw new Error(USAGE);
    console.log(await makeCatalogue(provider, { folder }));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
