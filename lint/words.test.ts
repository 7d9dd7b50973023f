import { describe, expect, it } from "vitest";
import { bannedWords, misplacedEssay } from "./words.ts";

/* oxlint-disable house/words -- the banned words themselves */
describe("house/words", () => {
  it.each([
    ["const settledAtMs = 1;", "conclude"],
    ["async function untilSettled(): Promise<void> {", "conclude"],
    ["/** Repairs a row. */", "reconcile"],
    ['state: "CONDEMNED"', "pending delete"],
    ["// The step is performed.", "execute"],
    ["// The performance of a step that is performed.", "execute"],
    ["// The deploy demands it.", "require"],
  ])("reports `%s`", (line, instead) => {
    const [problem, ...more] = bannedWords(`const a = 1;\n${line}`);
    expect(more).toEqual([]);
    expect(problem?.line).toBe(2);
    expect(problem?.message).toContain(instead);
  });

  it.each([
    "await Promise.allSettled(all);",
    "// The promise of a request that ended never settles.",
    "performance.now()",
    "prints JSON on demand",
  ])("allows `%s`", (line) => expect(bannedWords(line)).toEqual([]));

  it.each([
    "User: u is not authorized to perform: s3:GetObject on resource: *",
    "does not have authorization to perform action 'Microsoft.Network/x' over scope 'y'",
    "does not have permission to perform action(s) 'a'",
    "/perform actions?(?:\\(s\\))? '([^']*)'/",
  ])("leaves a cloud its words: `%s`", (line) => expect(bannedWords(line)).toEqual([]));
});
/* oxlint-enable house/words */

describe("house/essay-first", () => {
  const essay = "/** An essay. */";
  const one = 'import { a } from "./a.ts";';
  const two = 'import {\n  b,\n} from "./b.ts";';

  it("reports an essay between imports", () => {
    expect(misplacedEssay(`${one}\n${essay}\n${two}`)?.line).toBe(2);
  });

  it("reports an essay below imports that belongs to nothing", () => {
    const long = "/**\n * An essay\n * in lines.\n */";
    for (const below of [essay, long])
      for (const imports of [one, `${one}\n${two}`, 'import "./c.ts";'])
        expect(misplacedEssay(`${imports}\n\n${below}\n\nit("x", y);`)?.line).toBe(
          imports.split("\n").length + 2,
        );
    expect(misplacedEssay(`import "./c.ts";\n${essay}\nimport "./d.ts";`)?.line).toBe(2);
  });

  it("allows one above them, and docstrings below them", () => {
    expect(misplacedEssay(`${essay}\n${one}\n${two}\n\n${essay}\nexport const c = 1;`)).toBe(
      undefined,
    );
    expect(misplacedEssay(`${essay}\nexport const c = 1;`)).toBe(undefined);
  });
});
