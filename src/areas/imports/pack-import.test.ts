import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { unpackJson } from "#platform/packed-json.ts";
import type { ImportDraft } from "#schema/imports.ts";
import type { Analysis } from "./analyse.ts";
import { packImport } from "./pack-import.ts";

/** A text that does not compress below three quarters of its length. */
function noise(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString("base64url");
}

const rows = (module: string, length: number): JsonMap[] =>
  Array.from({ length }, (_, at) => ({ module, address: noise(60), at }));
const draft = (module: string, length: number): ImportDraft => ({ module, source: noise(length) });

function analysis(parts: Analysis["parts"], drafts: ImportDraft[] = []): Analysis {
  return {
    state: "COMPLETED",
    formats: [],
    progress: { total: 1, parsed: 1, failed: 0, skipped: 0 },
    summary: { clouds: [], report: null },
    parts: { files: [{ path: "main.tf" }], warnings: [], ...parts },
    drafts,
  };
}

async function packed(given: Analysis, maxBytes: number) {
  const { kept, chunks, drafts } = await packImport(given, maxBytes);
  const bytes = [...chunks.map(({ items }) => items), ...drafts.map((one) => one.draft)].join("");
  for (const [part, items] of Object.entries(kept.parts)) {
    const own = chunks.filter((chunk) => chunk.part === part);
    expect(own.map(({ chunk }) => chunk)).toEqual(own.map((_, at) => at));
    const stored = await Promise.all(own.map(async (one) => unpackJson(one.items)));
    expect(stored.flat()).toEqual(items);
  }
  expect(drafts.map(({ module, place }) => [module, place])).toEqual(
    kept.drafts.map(({ module }, at) => [module, at]),
  );
  return { kept, bytes: bytes.length, told: kept.parts.warnings?.map(({ message }) => message) };
}

describe("a packed import", () => {
  it("is whole where it fits, without a warning", async () => {
    const given = analysis({ resources: rows("a", 250) }, [draft("a", 1_000)]);
    const { kept } = await packed(given, 1_000_000);
    expect(kept).toEqual(given);
  });

  it("has all files, short lists and small drafts beside large ones", async () => {
    const large = ["b", "c", "d"].map((module, at) => draft(module, 62_000 - 1_000 * at));
    const given = analysis(
      { resources: rows("a", 2_000), coverage: rows("z", 20), edges: rows("a", 2_000) },
      [...large, draft("z", 500)],
    );
    const { kept, bytes, told } = await packed(given, 200_000);
    expect(bytes).toBeLessThan(200_000 + 1_000);
    expect(kept.parts.files).toHaveLength(1);
    expect(kept.parts.coverage).toHaveLength(20);
    expect(kept.drafts.map(({ module }) => module)).toEqual(["d", "z"]);
    const [resources = 0, edges = 0] = [kept.parts.resources?.length, kept.parts.edges?.length];
    expect(Math.min(resources, edges)).toBeGreaterThan(300);
    expect(Math.abs(resources - edges)).toBeLessThanOrEqual(100);
    expect(told).toEqual([expect.stringMatching(/: drafts, resources, edges are not whole/)]);
    expect(kept.state).toBe("COMPLETED_WITH_WARNINGS");
  });

  it("leaves to drafts what lists do not need, and to lists what drafts do not need", async () => {
    const drafts = [draft("a", 60_000)];
    const few = await packed(analysis({ resources: rows("a", 10) }, drafts), 90_000);
    expect(few.told).toEqual([]);
    const many = await packed(analysis({ resources: rows("a", 800) }), 90_000);
    expect(many.told).toEqual([]);
  });

  it("has the rows of a small module in a list that is cut, in the order of the list", async () => {
    const [large, small, other] = [rows("a", 1_000), rows("b", 10), rows("c", 1_000)];
    const { kept } = await packed(analysis({ edges: [...large, ...small, ...other] }), 60_000);
    const edges = kept.parts.edges ?? [];
    const of = (module: string) => edges.filter((one) => one["module"] === module);
    expect(of("b")).toEqual(small);
    expect(of("a").length).toBeGreaterThan(100);
    expect(Math.abs(of("a").length - of("c").length)).toBeLessThanOrEqual(1);
    expect(edges).toEqual([...of("a"), ...of("b"), ...of("c")]);
  });
});
