import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { ensureMappings } from "./ensure-mappings.ts";

it("copies the tables without their spaces, removes what is no table, and else changes nothing", async () => {
  // Drafts are beside the assets: on the same file system.
  const root = await mkdtemp(path.join(projectRoot, ".tables-test-"));
  const directory = path.join(root, "public/mappings");
  try {
    const made = await ensureMappings(directory);
    expect(made).toContain("digitalocean.json");
    const file = path.join(directory, "digitalocean.json");
    const text = await readFile(file, "utf8");
    const source = path.join(projectRoot, "src/importers/mappings/digitalocean.json");
    expect(JSON.parse(text)).toEqual(JSON.parse(await readFile(source, "utf8")));
    expect(text).not.toContain("\n");
    expect(await ensureMappings(directory)).toEqual([]);

    await writeFile(file, "{}");
    await writeFile(path.join(directory, "former.json"), "{}");
    expect(await ensureMappings(directory)).toEqual(["digitalocean.json"]);
    expect((await readdir(directory)).toSorted()).toEqual(made);
    expect(await readdir(root)).toEqual(["public"]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
