import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Assets } from "#providers/catalogue/shard-cache.ts";

/** The static assets as they stand on the disk, with the catalogue that every test run makes. For tests in Node. */
export const builtAssets: Assets = {
  fetch: async (url) => {
    try {
      const file = path.join(import.meta.dirname, "../../public", new URL(url).pathname);
      return new Response(await readFile(file, "utf8"));
    } catch {
      return new Response(null, { status: 404 });
    }
  },
};
