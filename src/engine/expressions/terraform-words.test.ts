import { describe, expect, it } from "vitest";
import { unknown } from "#engine/value.ts";
import { Budget } from "./budget.ts";
import { check } from "./check.ts";
import { parse } from "./parse.ts";
import { explain, type Problem } from "./problem.ts";

const scope = { lookup: () => ({ kind: "value", value: unknown }) as const, names: () => [] };

function problemsOf(text: string): Problem[] {
  const parsed = parse(text);
  return parsed.kind === "problem"
    ? [parsed.problem]
    : check(parsed.node, scope, new Budget()).filter(({ kind }) => kind !== "hidden_name");
}

function hintFor(text: string): string | undefined {
  const [problem] = problemsOf(text);
  return problem === undefined ? undefined : explain(problem).hint;
}

describe("a word of Terraform has a hint", () => {
  it.for([
    ['lookup(m, k, "x")', 'map[?key].orValue("other")'],
    ['try(a.b, "x")', 'a.?b.orValue("other")'],
    ["can(a.b)", "has(value.member)"],
    ["coalesce(a, b)", 'a != null && a != "" ? a : b'],
    ["length(a)", "value.size()"],
    ["a.length()", "value.size()"],
    ["concat(a, b)", "a + b"],
    ["merge(a, b)", "map.merge(other)"],
    ["jsonencode(a)", "json.encode(value)"],
    ["jsondecode(a)", "json.decode(text)"],
    ["base64encode(a)", "base64.encode(text)"],
    ["base64decode(a)", "base64.decode(text)"],
    ['format("%s", a)', '"%s-%d".format([text, number])'],
    ['join(",", a)', 'list.join(",")'],
    ["cidrsubnet(a, 8, 2)", "cidrSubnet"],
    ["element(a, 1)", "list[index]"],
    ["contains(a, b)", "item in list"],
    ["lower(a)", "text.lowerAscii()"],
    ["upper(a)", "text.upperAscii()"],
    ["trimspace(a)", "text.trim()"],
    ["tostring(a)", "string(value)"],
    ["tonumber(a)", "int(text)"],
    ["tobool(a)", "bool(value)"],
    ["toset(a)", "list.distinct()"],
    ["range(a)", "lists.range(count)"],
    ["sensitive(a)", "secret(value)"],
    ["not(a)", "!condition"],
    ["max(a, b)", "a > b ? a : b"],
    ["min(a, b)", "list.sort()[0]"],
    ["zipmap(a, b)", "keys.transformMapEntry(i, key, {key: values[i]})"],
    ['regexall("a", b)', "text.matches(pattern)"],
    ["[for x in a : x.id]", "list.map(x, x.id)"],
    ["{for k, v in a : k => v.id}", "map.transformMap(key, x, x.id)"],
    ["a[*].id", "list.map(x, x.id)"],
    ["a.*.id", "node.transformList(key, x, x.id)"],
    ["a ?? b", 'a.?b.orValue("other")'],
    ["a?.b", 'a.?b.orValue("other")'],
    ["a and b", "a && b"],
    ["a or b", "a || b"],
    ["not a", "!a"],
    ["a not in b", "!(item in list)"],
    ["if a then b else c", "condition ? a : b"],
    ["b if a else c", "condition ? a : b"],
  ] as const)("%s: %s", ([text, written]) => {
    const hint = hintFor(text);
    expect(hint).toContain(`\`${written}\``);
    // The advice is an expression itself, of functions that exist.
    for (const [, form = ""] of (hint ?? "").matchAll(/`([^`]+)`/g))
      if (form !== "cidrSubnet") expect(problemsOf(form)).toEqual([]);
  });

  it.for([
    ['file("a.txt")', "reads no files"],
    ["uuid()", "the same value"],
  ] as const)("%s: why there is none", ([text, reason]) => {
    expect(hintFor(text)).toContain(reason);
  });

  it.for(["a b", "a[", "a ? b", "notation a", "a.b c", "[fortune x]"])("%s has none", (text) => {
    expect(problemsOf(text)).toMatchObject([{ kind: "malformed_expression" }]);
    expect(hintFor(text)).toBeUndefined();
  });

  it("no name of one's own", () => {
    for (const text of ["and + or", "not + if", "for.x", "map.lookup"])
      expect(problemsOf(text)).toEqual([]);
  });
});
