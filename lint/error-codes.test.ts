import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isClassified } from "#schema/lists/deployment-faults.ts";

const folders = ["src/orchestrator", "src/engine", "src/providers"];
/** An error of a deployment: thrown, or returned as a failure of a call. */
const patterns = [
  /new (?:ProgramError|ResolveError)\(\s*"([a-z_]+)"/g,
  /\bfailure\(\s*"([a-z_]+)"/g,
  /\b(?:readonly )?code(?: =|:) "([a-z_]+)"/g,
  /\| \{ kind: "([a-z]+_[a-z_]+)"/g,
  /\bcode: verb === "read" \? "([a-z_]+)" : "([a-z_]+)"/g,
];
/** Codes that never end a deployment: of a check, of variables in a request, of a target's verification, of guards, and the reason of a canceled step. */
const others = new Set([
  "canceled",
  "changed",
  "clock_skew",
  "credential_unreachable",
  "declared_as_map",
  "expression_not_closed",
  "expression_too_deep",
  "expression_too_long",
  "hidden_name",
  "not_interpolated",
  "invalid_escape",
  "invalid_value",
  "malformed_expression",
  "not_waiting",
  "number_too_large",
  "projected_before",
  "region_not_enabled",
  "role_not_assumed",
  "syntax_not_supported",
  "too_many_diagnostics",
  "trust_audience",
  "trust_issuer",
  "trust_subject",
  "unknown_region",
  "unknown_variable",
  "unterminated_text",
]);

function codes(): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => `${folder}/${file}`),
  );
  const found = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(([, ...named]) => named),
    );
  });
  return [...new Set(found)].filter((code) => code !== undefined && !others.has(code)).sort();
}

describe("the fault of a failed deployment", () => {
  it("is known for every code that the source names", () => {
    const named = codes();
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((code) => !isClassified(code))).toEqual([]);
  });
});
