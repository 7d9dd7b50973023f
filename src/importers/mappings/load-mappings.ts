import type { Json } from "#platform/json.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { unknownWords } from "./mapping-words.ts";
import type { MappingTable } from "./type-mapping.ts";

/** Values and no promises: a promise of a request that ended never settles. Only what is there: files name the rest. */
const kept = new Map<string, MappingTable>();

/**
 * The tables of those of these Terraform providers that have one, each read once. Throws when the assets cannot be
 * read, or a table says what drafts would ignore.
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

/** The name of a provider is a file's text, and becomes part of a path. */
function isPlain(provider: string): boolean {
  return /^[a-z][a-z0-9-]{0,63}$/.test(provider);
}

async function read(provider: string, assets: Assets): Promise<MappingTable | undefined> {
  // Only the path counts; the host is one that nobody has.
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
