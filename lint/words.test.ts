import { describe, expect, it } from "vitest";
import { bannedWords, misplacedEssay } from "./words.ts";

describe("house/words", () => {
  const inSource = (text: string) => bannedWords("src/areas/x.ts", text);

  it.each([
    ["const settledAtMs = 1;", "conclude"],
    ["/** Repairs a row. */", "reconcile"],
    ['state: "CONDEMNED"', "pending delete"],
    ["// The step is performed.", "execute"],
    ["// The deploy demands it.", "require"],
  ])("reports `%s`", (line, instead) => {
    const [problem] = inSource(`const a = 1;\n${line}`);
    expect(problem?.line).toBe(2);
    expect(problem?.message).toContain(instead);
  });

  it.each(["await Promise.allSettled(all);", "performance.now()", "prints JSON on demand"])(
    "allows `%s`",
    (line) => expect(inSource(line)).toEqual([]),
  );

  it("leaves vendors their words", () => {
    expect(bannedWords("src/importers/x.ts", "settled")).toEqual([]);
  });
});

describe("house/essay-first", () => {
  const essay = "/** An essay. */";
  const one = 'import { a } from "./a.ts";';
  const two = 'import {\n  b,\n} from "./b.ts";';

  it("reports an essay between imports", () => {
    expect(misplacedEssay(`${one}\n${essay}\n${two}`)?.line).toBe(2);
  });

  it("allows one above them, and docstrings below them", () => {
    expect(misplacedEssay(`${essay}\n${one}\n${two}\n\n${essay}\nexport const c = 1;`)).toBe(
      undefined,
    );
    expect(misplacedEssay(`${essay}\nexport const c = 1;`)).toBe(undefined);
  });
});
