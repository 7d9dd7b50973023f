import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../project-root.ts";
import { ensureOpenApi } from "./ensure-openapi.ts";

it("makes the document when it is missing, incomplete or of other sources, and else leaves it", async () => {
  // Drafts are two levels up: on the same file system.
  const root = await mkdtemp(path.join(projectRoot, ".openapi-test-"));
  const directory = path.join(root, "public/openapi");
  const file = (name: string) => path.join(directory, name);
  try {
    expect(await ensureOpenApi(directory)).toBe(true);
    const json = await readFile(file("openapi.json"), "utf8");
    expect(parse(await readFile(file("openapi.yaml"), "utf8"))).toEqual(JSON.parse(json));
    expect(json).toBe(
      await readFile(path.join(projectRoot, "public/openapi/openapi.json"), "utf8"),
    );
    expect(await ensureOpenApi(directory)).toBe(false);

    await rm(file("openapi.json"));
    expect(await ensureOpenApi(directory)).toBe(true);
    await mkdir(directory, { recursive: true });
    await writeFile(file("openapi.json"), "{}");
    await writeFile(file("stamp"), "of other sources");
    expect(await ensureOpenApi(directory)).toBe(true);
    expect(await readFile(file("openapi.json"), "utf8")).toBe(json);
    expect((await readdir(directory)).toSorted()).toEqual([
      "openapi.json",
      "openapi.yaml",
      "stamp",
    ]);
    expect(await readdir(root)).toEqual(["public"]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
