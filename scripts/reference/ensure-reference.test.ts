import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../files/project-root.ts";
import { ensureReference } from "./ensure-reference.ts";

it("makes the reference when it is missing, incomplete or of other sources, and else leaves it", async () => {
  // Drafts are beside the assets: on the same file system.
  const root = await mkdtemp(path.join(projectRoot, ".reference-test-"));
  const directory = path.join(root, "public");
  const file = (name: string) => path.join(directory, name);
  const names = async (name: string) => (await readdir(file(name))).toSorted();
  try {
    expect(await ensureReference(directory)).toBe(true);
    const json = await readFile(file("openapi/openapi.json"), "utf8");
    expect(parse(await readFile(file("openapi/openapi.yaml"), "utf8"))).toEqual(JSON.parse(json));
    const { pages } = JSON.parse(await readFile(file("docs/index.json"), "utf8")) as {
      pages: Record<string, string>;
    };
    const made = ["docs/index.json", "docs/search.html", ...Object.values(pages)];
    expect(made.length).toBeGreaterThan(15);
    expect(await names("docs")).toEqual(made.map((name) => path.basename(name)).toSorted());
    // Node with esbuild and Vite make the same.
    for (const name of ["openapi/openapi.json", ...made])
      expect(await readFile(file(name), "utf8"), name).toBe(
        await readFile(path.join(projectRoot, "public", name), "utf8"),
      );
    expect(await ensureReference(directory)).toBe(false);

    await rm(file("docs/errors.html"));
    expect(await ensureReference(directory)).toBe(true);
    await writeFile(file("openapi/openapi.json"), "{}");
    await writeFile(file("docs/former-area.html"), "of other sources");
    await writeFile(file("openapi/stamp"), "of other sources");
    expect(await ensureReference(directory)).toBe(true);
    expect(await readFile(file("openapi/openapi.json"), "utf8")).toBe(json);
    expect(await names("openapi")).toEqual(["openapi.json", "openapi.yaml", "stamp"]);
    expect(await names("docs")).toEqual(made.map((name) => path.basename(name)).toSorted());
    expect(await names("..")).toEqual(["public"]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}, 90_000);
