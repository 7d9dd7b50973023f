import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "#test/mutants/catalogue.ts";
import type { Mutant } from "#test/mutants/mutant.ts";
import { projectRoot } from "../files/project-root.ts";
import { chosen, sliceFrom } from "./mutant-choice.ts";
import { type Report, unfit, verdictOn } from "./mutant-trial.ts";
import { plant } from "./plant-mutant.ts";

const mutants: readonly Mutant[] = Object.values(catalogue).flat();
const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");

describe("the list of mutants", () => {
  it("has many, each with an id of its own and a description", () => {
    expect(mutants.length).toBeGreaterThan(100);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    const poor = mutants.filter(({ id, what }) => !/^[a-z0-9-]+$/.test(id) || !/[^.]$/.test(what));
    expect(poor).toEqual([]);
  });

  it.each(mutants.map((mutant) => [mutant.id, mutant] as const))(
    "%s can be planted, and its test exists",
    (_, mutant) => {
      const text = read(mutant.file);
      expect(plant(text, mutant)).not.toBe(text);
      expect(mutant.test).toMatch(/\.test\.tsx?$/);
      expect(mutant.noticedBy.length).toBeGreaterThan(5);
      expect(read(mutant.test)).toContain(mutant.noticedBy);
      // The names that a run reports have a value there.
      expect(mutant.noticedBy).not.toMatch(/%[a-z]|\$/);
    },
  );
});

const mutant: Mutant = {
  id: "one",
  what: "Two is added",
  file: "a.ts",
  name: "add",
  returns: "n + 2",
  test: "a.test.ts",
  noticedBy: "adds one",
};

describe("planting a mutant", () => {
  it.each([
    ["a function", "function add(n: number) {\n  return n + 1;\n}"],
    ["an arrow function", "const add = (n: number) => n + 1;"],
    ["a method", "class Sum { add(n: number) { return n + 1; } }"],
    ["a function of an object", "const sums = { add: (n: number) => { return n + 1; } };"],
  ])("returns from %s at once", (_, text) => {
    expect(plant(text, mutant)).toContain(
      "return (n + 2);".slice(text.includes("=> n") ? 7 : 0, 14),
    );
    expect(plant(text, mutant).split("\n")).toHaveLength(text.split("\n").length);
  });

  it("returns nothing, or only under a condition", () => {
    const text = "function add(n: number) { return n + 1; }";
    expect(plant(text, { ...mutant, returns: "" })).toContain("{ return undefined; return n + 1;");
    expect(plant(text, { ...mutant, when: "n > 1" })).toContain("if (n > 1) return (n + 2);");
    expect(plant("const add = (n) => n + 1;", { ...mutant, when: "n > 1" })).toBe(
      "const add = (n) => ((n > 1) ? (n + 2) : (n + 1));",
    );
  });

  it("finds a function by what it is in, where others have its name", () => {
    const text =
      "class A { #add(n) { return 1; } }\nconst b = { add: (n) => 2 };\nconst c = { add: (n) => 3 };";
    expect(plant(text, { ...mutant, name: "c.add" })).toContain("c = { add: (n) => ((n + 2)) }");
    expect(plant(text, { ...mutant, name: "A.#add" })).toContain("#add(n) { return (n + 2);");
    expect(() => plant(text, mutant)).toThrow(/needs one function add in a\.ts, and there are 2/);
  });

  it("is refused where there is no such function", () => {
    expect(() => plant("const add = 1;", mutant)).toThrow(/and there are 0/);
  });

  it("is refused where the file lacks a name of the fault, which any test would notice", () => {
    const text = "function add(n: number) { return n + one.of; }";
    const planted = (returns: string, when?: string) => () =>
      plant(text, { ...mutant, returns, ...(when !== undefined && { when }) });
    expect(planted("m + 2")).toThrow(/names m, which a\.ts does not have/);
    expect(planted("2", "m > 1")).toThrow(/names m/);
    expect(planted("one[m]")).toThrow(/names m/);
    expect(planted("{ n, m: one.m, p: String(n) }")).not.toThrow();
  });
});

describe("the choice of mutants", () => {
  const of = (id: string, file: string, test: string): Mutant => ({ ...mutant, id, file, test });
  const some = {
    kernel: [of("k1", "k.ts", "z.test.ts"), of("k2", "l.ts", "a.test.ts")],
    http: [of("h1", "h.ts", "z.test.ts")],
  };
  const ids = (choice: Parameters<typeof chosen>[1]) => chosen(some, choice).map(({ id }) => id);

  it("is all of them, those of one test file together", () => {
    expect(ids({})).toEqual(["k2", "k1", "h1"]);
  });

  it("is by id, area, and the files that changed", () => {
    expect(ids({ only: ["h1", "k2"] })).toEqual(["k2", "h1"]);
    expect(ids({ area: ["http"] })).toEqual(["h1"]);
    expect(ids({ changed: new Set(["l.ts", "z.test.ts"]) })).toEqual(["k2", "k1", "h1"]);
    expect(ids({ changed: new Set(["h.ts"]) })).toEqual(["h1"]);
    expect(() => ids({ only: ["h2"] })).toThrow("There is no mutant h2");
    expect(() => ids({ area: ["htp"] })).toThrow("The areas are: kernel, http");
  });

  it("is one of equal slices, which together are all", () => {
    const slices = [1, 2].map((part) => ids({ slice: { part, of: 2 } }));
    expect(slices).toEqual([["k2", "k1"], ["h1"]]);
    expect(sliceFrom("2/8")).toEqual({ part: 2, of: 8 });
    expect(sliceFrom("any/8", () => 0.99)).toEqual({ part: 8, of: 8 });
    for (const wrong of ["", "0/8", "9/8", "1/0", "1", "any", "1/8/2", "-1/8"])
      expect(() => sliceFrom(wrong), wrong).toThrow(/MUTANTS_SLICE/);
  });
});

describe("the verdict on a mutant", () => {
  const reportOf = (tests: Record<string, string>, more: Partial<Report> = {}): Report => ({
    success: !Object.values(tests).includes("failed"),
    testResults: [
      {
        status: "",
        message: "",
        assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
      },
    ],
    ...more,
  });

  it("is that its test noticed it only if that test failed", () => {
    expect(verdictOn(reportOf({ "a sum adds one": "failed" }), "adds one").kind).toBe("noticed");
    expect(verdictOn(reportOf({ "a sum adds one": "passed" }), "adds one").kind).toBe("survived");
    expect(verdictOn("hung", "adds one").kind).toBe("hung");
    expect(verdictOn(reportOf({ "adds one": "passed", other: "failed" }), "adds one")).toEqual({
      kind: "wrong",
      why: "another test noticed it: other",
    });
  });

  it("is that the entry is wrong if the fault cannot be loaded", () => {
    const failed = { status: "failed", message: "SyntaxError", assertionResults: [] };
    const report = { success: false, testResults: [failed] };
    expect(verdictOn(report, "adds one")).toMatchObject({
      kind: "wrong",
      why: expect.stringContaining("SyntaxError"),
    });
  });

  it("needs tests that run and pass without it", () => {
    expect(unfit(reportOf({ "a sum adds one": "passed" }), ["adds one"])).toBeUndefined();
    expect(unfit(reportOf({ "a sum adds one": "skipped" }), ["adds one"])).toMatch(
      /no passing test/,
    );
    expect(unfit(reportOf({ "adds one": "passed", b: "failed" }), ["adds one"])).toBe(
      "does not pass",
    );
    expect(unfit("hung", ["adds one"])).toBe("takes too long");
  });
});
