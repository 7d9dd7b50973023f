import type { Json } from "#platform/json.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { unknownWords } from "./mapping-words.ts";
import type { MappingTable } from "./type-mapping.ts";

/**
 * Loaded tables. No promises are kept: a promise of a request that ended never resolves. Missing tables are not kept,
 * because files choose the names.
 */
const kept = new Map<string, MappingTable>();

/**
 * Loads the tables of these Terraform providers, each once; providers without a table are left out. Throws if the
 * assets cannot be read, or if a table contains a word that drafts would ignore.
 */
export async function loadMappings(
  providers: Iterable<string>,
  assets: Assets,
  cache = kept,
): Promise<ReadonlyMap<string, MappingTable>> {
  const tables = await Promise.all(
    [...new Set(providers)].filter(isPlain).map(async (provider) => {
      const table = cache.get(provider) ?? (await read(provider, assets));
      if (table !== undefined) cache.set(provider, table);
      return [provider, table] as const;
    }),
  );
  return new Map(tables.filter((entry): entry is [string, MappingTable] => entry[1] !== undefined));
}

/** Whether a provider's name is safe in a path: it comes from a file. */
function isPlain(provider: string): boolean {
  return /^[a-z][a-z0-9-]{0,63}$/.test(provider);
}

async function read(provider: string, assets: Assets): Promise<MappingTable | undefined> {
  // Only the path counts. The host does not exist.
  const response = await assets.fetch(`https://assets.invalid/mappings/${provider}.json`);
  if (response.status === 404) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok)
    throw new Error(`The mappings of ${provider} were answered with ${response.status}`);
  const table = await response.json<Json>();
  const unknown = unknownWords(table);
  if (unknown.length > 0)
    throw new Error(
      `The mappings of ${provider} have words that drafts do not know: ${unknown[0]}`,
    );
  return table as unknown as MappingTable;
}
