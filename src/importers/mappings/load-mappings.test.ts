import { describe, expect, it, vi } from "vitest";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { loadMappings } from "./load-mappings.ts";
import type { MappingTable } from "./type-mapping.ts";

const table: MappingTable = { provider: "fake", naming: "same", types: {} };

function assetsWith(answers: Readonly<Record<string, () => Response>>) {
  const fetch = vi.fn<Assets["fetch"]>(
    async (url) => answers[new URL(url).pathname]?.() ?? new Response("<html>", { status: 404 }),
  );
  return { fetch };
}

describe("loading the mappings", () => {
  it("reads the tables of the named providers, each once, and no others", async () => {
    const assets = assetsWith({ "/mappings/fake.json": () => Response.json(table) });
    const cache = new Map<string, MappingTable>();
    const first = await loadMappings(["fake", "random", "fake"], assets, cache);
    expect([...first]).toEqual([["fake", table]]);
    expect(assets.fetch).toHaveBeenCalledTimes(2);
    expect((await loadMappings(["fake"], assets, cache)).get("fake")).toBe(first.get("fake"));
    expect(assets.fetch).toHaveBeenCalledTimes(2);
  });

  it("asks for no table under an invalid provider name", async () => {
    const assets = assetsWith({});
    const names = ["../openapi/openapi", "a/b", "", "__proto__", "x".repeat(100), "a?b", "Aws"];
    expect((await loadMappings(names, assets, new Map())).size).toBe(0);
    expect(assets.fetch).not.toHaveBeenCalled();
  });

  it("fails for a table with a word that drafts would ignore", async () => {
    const assets = assetsWith({
      "/mappings/fake.json": () => Response.json({ ...table, types: { fake_a: { typo: "x" } } }),
    });
    await expect(loadMappings(["fake"], assets, new Map())).rejects.toThrow(
      "The mappings of fake have words that drafts do not know: fake_a.typo",
    );
  });

  it("fails when the assets fail, and reads again the next time", async () => {
    const answers = [new Response("", { status: 500 }), Response.json(table)];
    const assets = assetsWith({ "/mappings/fake.json": () => answers.shift() ?? new Response() });
    const cache = new Map<string, MappingTable>();
    await expect(loadMappings(["fake"], assets, cache)).rejects.toThrow(
      "The mappings of fake were answered with 500",
    );
    expect([...(await loadMappings(["fake"], assets, cache)).keys()]).toEqual(["fake"]);
  });
});
