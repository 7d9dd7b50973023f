import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { acceptFiles } from "./accept-files.ts";
import { analyse } from "./analyse.ts";

const good = { path: "notes.txt", content: "x" };
const options = { adopt: false, assets: builtAssets };

async function analysed(files: unknown[], report?: JsonMap) {
  const { state, progress, parts } = await analyse(await acceptFiles(files), report, options);
  const codes = (parts.warnings ?? []).map((warning) => warning["code"]);
  return { state, progress, codes, parts };
}

describe("the result of an import", () => {
  it.for([
    ["nothing", [], undefined, "COMPLETED", ["empty_import"]],
    ["a file", [good], undefined, "COMPLETED_WITH_WARNINGS", ["unsupported_format"]],
    ["a report alone", [], {}, "COMPLETED_WITH_WARNINGS", ["report_unrecognized"]],
    [
      "a file and a report",
      [good],
      { a: 1 },
      "COMPLETED_WITH_WARNINGS",
      ["unsupported_format", "report_unrecognized"],
    ],
    [
      "a file that is none, and one that is",
      [{}, good],
      undefined,
      "COMPLETED_WITH_WARNINGS",
      ["invalid_file", "unsupported_format"],
    ],
    ["files that are none", [{}, 1], undefined, "FAILED", ["invalid_file", "invalid_file"]],
  ] as const)("with %s", async ([, files, report, state, codes]) => {
    const result = await analysed([...files], report);
    expect(result).toMatchObject({ state, codes });
    const { total, parsed, failed, skipped } = result.progress;
    expect(total).toBe(files.length);
    expect(parsed + failed + skipped).toBe(total);
    expect(result.parts.files).toHaveLength(files.length);
  });

  it("is FAILED for every file if they are too large together", async () => {
    const files = Array.from({ length: 11 }, (_, at) => ({
      path: `f${at}`,
      content: "x".repeat(1024 * 1024),
    }));
    const { state, codes, progress } = await analysed(files);
    expect([state, codes, progress.failed]).toEqual(["FAILED", ["import_too_large"], 11]);
  });

  it("has at most a thousand warnings, and the number of further ones", async () => {
    const files = (length: number) =>
      Array.from({ length }, (_, at) => ({ path: `f${at}`, content: "" }));
    const full = await analysed(files(1000));
    expect(full.codes).not.toContain("too_many_warnings");
    const over = await analysed(files(1001));
    expect(over.codes).toHaveLength(1000);
    expect(over.parts.warnings?.at(-1)?.["message"]).toMatch(/^2 more/);
    expect(over.parts.files).toHaveLength(1001);
  });
});
