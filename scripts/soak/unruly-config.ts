import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../files/project-root.ts";

/** Writes Wrangler's configuration of the Worker in `worker/unruly-worker.ts` into the directory. Returns the file. */
export async function writeUnrulyConfig(directory: string): Promise<string> {
  const own = await readFile(path.join(projectRoot, "wrangler.toml"), "utf8");
  const config = unrulyConfig(own, projectRoot);
  const file = path.join(directory, "wrangler.toml");
  await writeFile(file, config);
  return file;
}

/** The project's configuration for another place, with the unruly Worker as its entry. */
export function unrulyConfig(wranglerToml: string, root: string): string {
  const replaced: readonly (readonly [string, string])[] = [
    [
      'main = "src/worker.ts"',
      `main = ${quoted(path.join(root, "scripts/soak/worker/unruly-worker.ts"))}`,
    ],
    ['directory = "public"', `directory = ${quoted(path.join(root, "public"))}`],
    ['migrations_dir = "migrations"', `migrations_dir = ${quoted(path.join(root, "migrations"))}`],
    [
      'command = "node scripts/build/make-assets.ts"',
      `command = "node scripts/build/make-assets.ts"\ncwd = ${quoted(root)}`,
    ],
  ];
  let config = wranglerToml.replace(/^watch_dir = .*$/m, "");
  for (const [from, to] of replaced) {
    if (config.split(from).length !== 2) throw new Error(`wrangler.toml has no line ${from}`);
    config = config.replace(from, () => to);
  }
  return config;
}

const quoted = (text: string): string => JSON.stringify(text);
