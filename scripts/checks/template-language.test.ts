/** The documentation and the code must list the same diagnostics. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";

const folders = ["src/engine/template", "src/areas/templates"];
/** A code is the first argument of a reporting call, follows a severity, or is a value in a table of codes. */
const reported =
  /(?:\.error|\.warning|\[severity\]|ResolveError|diagnosticAt|#fail)\(\s*(?:"(?:error|warning)",\s*)?"([a-z]+(?:_[a-z]+)*)"|[?:] "((?:unused|unknown|too_many|not)_[a-z_]+)"|code: "([a-z_]+)"/g;

/** The problems of expressions, whose kind is the code. */
function problemsOfExpressions(): string[] {
  const source = readFileSync(path.join(projectRoot, "src/engine/expressions/problem.ts"), "utf8");
  return Array.from(source.matchAll(/\| \{ kind: "([a-z_]+)"/g), ([, kind = ""]) => kind);
}

function codesOfSource(): Set<string> {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => path.join(projectRoot, folder, name)),
  );
  const found = files.flatMap((file) =>
    Array.from(
      readFileSync(file, "utf8").matchAll(reported),
      (match) => match[1] ?? match[2] ?? match[3],
    ),
  );
  // Of an expression's unknown name, a template's check reports `unknown_reference`.
  const codes = [...found, ...problemsOfExpressions()].filter(
    (code): code is string => code !== undefined && !/^(error|warning|unknown_name)$/.test(code),
  );
  return new Set(codes);
}

it("documents exactly the codes that the language reports", () => {
  const page = readFileSync(path.join(projectRoot, "docs/template-language.md"), "utf8");
  const rows = page.slice(page.indexOf("## Diagnostics")).split("\n").slice(4);
  const documented = rows.flatMap((row) =>
    Array.from((row.split("|")[1] ?? "").matchAll(/`([a-z_]+)`/g), (match) => match[1] ?? ""),
  );
  expect(new Set(documented).size).toBe(documented.length);
  expect(documented.toSorted()).toEqual([...codesOfSource()].toSorted());
});
