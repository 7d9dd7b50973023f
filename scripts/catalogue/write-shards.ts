import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { ShardIndex } from "#providers/catalogue/shard.ts";
import { projectRoot } from "../files/project-root.ts";
import type { ShardFiles } from "./shard-builder.ts";

/** Below the directory of the static assets. Only the Worker reads it. */
export const catalogueDirectory = path.join(projectRoot, "public/catalogue");

/** Names the source of shards: `source`, and this generator. */
export async function stampOf(source: string): Promise<string> {
  const digest = createHash("sha256");
  const own = (await readdir(import.meta.dirname)).filter((name) => name.endsWith("-shards.ts"));
  for (const name of [...own, "shard-builder.ts"].toSorted())
    digest.update(await readFile(path.join(import.meta.dirname, name)));
  return `${source} ${digest.digest("hex").slice(0, 16)}`;
}

/** The stamp of the existing shards; undefined: none can be read. */
export async function stampOn(provider: string, directory: string): Promise<string | undefined> {
  try {
    const text = await readFile(path.join(directory, provider, "index.json"), "utf8");
    return (JSON.parse(text) as Partial<ShardIndex>).stamp;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the shards of a provider, all or none: another process reads the old ones or the new ones. Returns their
 * sizes in bytes.
 */
export async function writeShards(
  provider: string,
  files: ShardFiles,
  directory: string,
): Promise<{ count: number; bytes: number; gzipBytes: number }> {
  const place = path.join(directory, provider);
  // Beside the assets, not below them: a server that watches the assets must not see half of it.
  const draft = path.join(directory, "../..", `.catalogue-${randomUUID()}`);
  let [bytes, gzipBytes] = [0, 0];
  try {
    await mkdir(draft, { recursive: true });
    await mkdir(directory, { recursive: true });
    for (const [name, content] of files) {
      const text = JSON.stringify(content);
      bytes += Buffer.byteLength(text);
      gzipBytes += gzipSync(text).length;
      await writeFile(path.join(draft, name), text);
    }
    await swap(draft, place);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { count: files.size, bytes, gzipBytes };
}

const MAX_TRIES = 100;

/** Processes that start together may each do this: the last one's files stay. */
async function swap(draft: string, place: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const old = `${draft}-old-${attempt}`;
    try {
      // Moved away, then removed: nobody reads a part of it.
      await rename(place, old).catch(unless("ENOENT"));
      await rename(draft, place);
      return;
    } catch (error) {
      if (attempt === MAX_TRIES) throw error;
      unless("ENOTEMPTY", "EEXIST")(error as NodeJS.ErrnoException);
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}

function unless(...codes: readonly string[]) {
  return (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}
