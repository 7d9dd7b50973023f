/** The sources of the vendors' descriptions: a folder, or the vendors' own hosts. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isNewer } from "./azure-shards.ts";

export const AZURE_ORIGIN = "https://raw.githubusercontent.com/Azure/bicep-types-az/main/generated";
export const GCP_ORIGIN = "https://discovery.googleapis.com/discovery/v1";

const TIMEOUT_MS = 60_000;
const MAX_TRIES = 3;
const AT_A_TIME = 6;

/** Every JSON file of the folder and its folders, by name. Throws if one is no JSON. */
export async function* folderFiles(folder: string): AsyncGenerator {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files.toSorted()) yield parsed(await readFile(file, "utf8"), file);
}

/** The type files with the newest version of each type, and the types to take from each. */
export async function* azureFiles(
  origin = AZURE_ORIGIN,
): AsyncGenerator<{ file: unknown; only: ReadonlySet<string> }> {
  const { resources = {} } = (await download(`${origin}/index.json`)) as {
    resources?: Readonly<Record<string, { $ref?: string }>>;
  };
  const newest = new Map<string, { name: string; version: string; place: string }>();
  for (const [name, { $ref = "" }] of Object.entries(resources)) {
    const [type = "", version = ""] = name.split("@");
    const known = newest.get(type.toLowerCase());
    const [place = ""] = $ref.split("#");
    if (known === undefined || isNewer(version, known.version))
      newest.set(type.toLowerCase(), { name, version, place });
  }
  const byPlace = new Map<string, Set<string>>();
  for (const { name, place } of newest.values())
    byPlace.set(place, (byPlace.get(place) ?? new Set()).add(name));
  for await (const [place, file] of downloads([...byPlace.keys()], (one) => `${origin}/${one}`))
    yield { file, only: byPlace.get(place) ?? new Set() };
}

/** The discovery document of each service's preferred version. */
export async function* gcpFiles(origin = GCP_ORIGIN): AsyncGenerator {
  const { items = [] } = (await download(`${origin}/apis?preferred=true`)) as {
    items?: readonly { discoveryRestUrl?: string }[];
  };
  const urls = items.flatMap(({ discoveryRestUrl }) => discoveryRestUrl ?? []);
  for await (const [, file] of downloads(urls, (url) => url)) yield file;
}

async function* downloads(
  names: readonly string[],
  urlOf: (name: string) => string,
): AsyncGenerator<[string, unknown]> {
  for (let at = 0; at < names.length; at += AT_A_TIME) {
    const some = names.slice(at, at + AT_A_TIME);
    yield* await Promise.all(
      some.map(async (name): Promise<[string, unknown]> => [name, await download(urlOf(name))]),
    );
  }
}

/** Throws, naming the URL, if the download fails. */
async function download(url: string): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`it was answered with ${response.status}`);
      return parsed(await response.text(), url);
    } catch (error) {
      if (attempt === MAX_TRIES)
        throw new Error(`${url} could not be downloaded: ${(error as Error).message}`, {
          cause: error,
        });
    }
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${name} is not JSON.`, { cause: error });
  }
}
