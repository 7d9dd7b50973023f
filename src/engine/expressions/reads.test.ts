import { describe, expect, it } from "vitest";
import type { Node } from "./ast.ts";
import { parse } from "./parse.ts";
import { factsOf, isGuarded, isSameFact, outerFactsOf, readsOf } from "./reads.ts";

function parsed(text: string): Node {
  const result = parse(text);
  if (result.kind === "parsed") return result.node;
  throw new Error(result.problem.kind);
}

/** Each read as `root.path`, with `!` after what has to exist and `?` after what is guarded. */
function reads(text: string): string[] {
  return readsOf(parsed(text)).map((read) => {
    expect(text.slice(read.start, read.end)).toContain(read.root);
    return [read.root, ...read.path].join(".") + (isGuarded(read) ? "?" : "!");
  });
}

describe("the reads of an expression", () => {
  it.for<[text: string, ...found: string[]]>([
    ["a.b[0]['c d'].e", "a.b.0.c d.e!"],
    ["a + b.c", "a!", "b.c!"],
    ["a[b.c].d", "a!", "b.c!"],
    ["f.trim(a)", "f!", "a!"],
    ["json.encode(a)", "a!"],
    ["l.map(x, x.a + y)", "l!", "y!"],
    ["x.map(x, x)", "x!"],
    ["l.transformMap(k, v, k == z, v)", "l!", "z!"],
    ["cel.bind(x, x, x + y)", "x!", "y!"],
    ["a.?b.optMap(x, x + c)", "a.b?", "c!"],
    ["{a: [b], ?'c': d.?e}", "a!", "b!", "d.e?"],
    ["has(a)", "a?"],
    ["has(a.b)", "a.b?"],
    ["has(a.b.c)", "a.b.c!"],
    ["a.?b.c", "a.b.c?"],
    ["a[?'b']", "a.b?"],
    ["a.b.?c", "a.b.c!"],
    ["has(a) ? a.b : a.c", "a?", "a.b?", "a.c!"],
    ["!has(a) ? a.b : a.c", "a?", "a.b!", "a.c?"],
    ["has(a) && a.b == 1", "a?", "a.b?"],
    ["a.b == 1 && has(a)", "a.b!", "a?"],
    ["!has(a) || a.b == 1", "a?", "a.b?"],
    ["has(a) || a.b == 1", "a?", "a.b!"],
    ["has(a) && has(b) ? a.x + b.x + c.x : 1", "a?", "b?", "a.x?", "b.x?", "c.x!"],
    ["a.?b.hasValue() ? a.b.c : 1", "a.b?", "a.b.c?"],
    ["has(a.b) ? a.c : 1", "a.b?", "a.c!"],
    ["has(a) ? l.map(a, a.b) : 1", "a?", "l!"],
    ["!(has(a) && b) ? 1 : a.b", "a?", "b!", "a.b?"],
    ["!(has(a) || b) ? 1 : a.b", "a?", "b!", "a.b!"],
    ["!has(a) || b ? 1 : a.b", "a?", "b!", "a.b?"],
    ["!has(a) && b ? 1 : a.b", "a?", "b!", "a.b!"],
    ["!(!has(a)) ? a.b : a.c", "a?", "a.b?", "a.c!"],
    ["has(a) == true ? a.b : 1", "a?", "a.b!"],
    ["l.map(x, has(a) ? a.b : x)", "l!", "a?", "a.b?"],
  ])("%s", ([text, ...found]) => {
    expect(reads(text)).toEqual(found);
  });

  it("have the conditions around them", () => {
    const [, read] = readsOf(parsed('e == "prod" ? m.id : "none"'));
    const [condition] = read?.conditions ?? [];
    expect(condition).toMatchObject({ holds: true, node: { kind: "binary", operator: "==" } });
  });
});

describe("a fact", () => {
  const factsWhere = (text: string) => factsOf({ node: parsed(text), holds: true });
  const isSame = (a: string, b: string) => {
    const [first, second] = [factsWhere(a), factsWhere(b)];
    return (
      first.length === second.length &&
      first.every((fact) => second.some((other) => isSameFact(fact, other)))
    );
  };

  it.for([
    ['e == "prod"', "e=='prod'"],
    ['e == "prod"', '"prod" == e'],
    ['e == "prod"', '!(e != "prod")'],
    ['e != "prod"', '!("prod" == e)'],
    ["a && b", "b&&a"],
    ["a && (b && c)", "!(!a || !(b && c))"],
    ["!(a || b)", "!a && !b"],
    ["!!a", "(a)"],
    ["a || b", "!(!(a || b))"],
  ] as const)("is the same in %s and %s", ([a, b]) => {
    expect(isSame(a, b)).toBe(true);
  });

  it.for([
    ['e == "prod"', 'e == "dev"'],
    ['e == "prod"', 'e != "prod"'],
    ["a", "!a"],
    ["a && b", "a || b"],
    ["a && b", "a"],
    ["!(a && b)", "!a && !b"],
    ["a < b", "b < a"],
    ["a.b", "a.?b"],
    ["a in b", "b in a"],
  ] as const)("is another one in %s and %s", ([a, b]) => {
    expect(isSame(a, b)).toBe(false);
  });

  it("about a variable of a loop is none about the name that it hides", () => {
    const [, , , read] = readsOf(parsed("l.map(e, e == p && a ? m.id : 1)"));
    expect(read?.conditions.flatMap(outerFactsOf)).toMatchObject([{ node: { name: "a" } }]);
  });
});
