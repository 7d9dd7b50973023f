import { describe, expect, it } from "vitest";
import type { Node } from "./ast.ts";
import { parse } from "./parse.ts";
import { isGuarded, isSameExpression, readsOf } from "./reads.ts";

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
  ])("%s", ([text, ...found]) => {
    expect(reads(text)).toEqual(found);
  });

  it("have the conditions around them", () => {
    const [, read] = readsOf(parsed('e == "prod" ? m.id : "none"'));
    const [condition] = read?.conditions ?? [];
    if (condition === undefined) throw new Error("There is no condition");
    expect(condition.holds).toBe(true);
    expect(isSameExpression(condition.node, parsed("e=='prod'"))).toBe(true);
    expect(isSameExpression(condition.node, parsed("e == 'dev'"))).toBe(false);
  });
});
