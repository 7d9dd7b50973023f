import { describe, expect, it } from "vitest";
import { PartlyKnown, Secret, unknown, unknownOf, type Value } from "#engine/value.ts";
import { Budget } from "./budget.ts";
import { check } from "./check.ts";
import { parse } from "./parse.ts";
import { explain, severityOf } from "./problem.ts";

const values: { [name: string]: Value } = {
  environment: unknownOf("string"),
  count: unknownOf("integer"),
  zones: unknownOf("object"),
  names: unknownOf("array"),
  password: new Secret(unknown),
  server: new PartlyKnown({ name: "web" }, { id: unknownOf("string") }),
  control: { instance: { id: unknown, name: unknown } },
};

function problems(text: string): string[] {
  const parsed = parse(text);
  if (parsed.kind === "problem") throw new Error(explain(parsed.problem).message);
  const found = check(
    parsed.node,
    {
      lookup: (name) => {
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        return value === undefined ? { kind: "unknown name" } : { kind: "value", value };
      },
      names: () => Object.keys(values),
    },
    new Budget(),
  );
  return found.map((one) => `${severityOf(one)} ${one.kind}: ${text.slice(one.start, one.end)}`);
}

describe("the check", () => {
  it.for([
    'environment == "prod" ? "large" : omit()',
    "zones.transformList(k, v, v.size * 2)",
    "names.map(n, n + '!').join(',')",
    "names.transformMapEntry(i, n, {n: i})",
    "server.name + server.id + server.anything",
    "control.instance.name + '-' + string(count)",
    "has(control.instance.region) ? control.instance.region : 'none'",
    "control.instance.?region.orValue('none')",
    "'x' + password",
    "cel.bind(n, count + 1, n * n)",
    "names[count] + names[0]",
    "count == null || count > 1",
  ])("accepts %s", (text) => {
    expect(problems(text)).toEqual([]);
  });

  it.for<[text: string, ...found: string[]]>([
    ["environmnt + cout", "error unknown_name: environmnt", "error unknown_name: cout"],
    ["false ? nothing : other", "error unknown_name: nothing", "error unknown_name: other"],
    ["true || nothing", "error unknown_name: nothing"],
    ["names.map(n, m) + names.filter(n, o)", "error unknown_name: m", "error unknown_name: o"],
    ["zones.?a.orValue(nothing)", "error unknown_name: nothing"],
    ["names.mpa(n, n + 1)", "error unknown_function: mpa"],
    ["nothing.nothing(other)", "error unknown_name: nothing", "error unknown_function: nothing"],
    ["environment.trim(1)", "error wrong_count: environment.trim(1)"],
    ["count + environment", "error wrong_kind: count + environment"],
    ["environment + 1", "error wrong_kind: environment + 1"],
    ["count ? 1 : 2", "error wrong_kind: count"],
    ["count && true", "error wrong_kind: count"],
    ["count.map(x, x)", "error wrong_kind: count"],
    ["names.a", "error wrong_kind: names.a"],
    ["zones[0]", "error wrong_kind: zones[0]"],
    ["count.startsWith('a')", "error wrong_kind: count"],
    ["names.filter(n, 1)", "error wrong_kind: 1"],
    ["zones.map(k, k + 1)", "error wrong_kind: k + 1"],
    ["names.transformMapEntry(i, n, n + '!')", "error wrong_kind: n + '!'"],
    ["names.transformMapEntry(i, n, {i: n})", "error wrong_kind: i"],
    ["names.transformMapEntry(i, n, {password: n})", "error sealed_value: password"],
    ["control.instance.nme", "error no_such_member: nme"],
    ["password == 'a'", "error sealed_value: password == 'a'"],
    ["names.exists(n, n == password)", "error sealed_value: n == password"],
    ["zones.?a + 1", "error optional_not_unwrapped: zones.?a"],
    ["omit() + 1", "error omission_not_used: omit()"],
    ["names.map(count, 1)", "warning hidden_name: count"],
    ["count > 1 ? 'web-${count}' : 'x'", "warning not_interpolated: 'web-${count}'"],
    ["names.map(n, names.map(n, n))", "warning hidden_name: n"],
    ["cel.bind(server, 1, server)", "warning hidden_name: server"],
    ["count-1", "error unknown_name: count-1"],
    ["1 / 0", "error invalid_argument: 0"],
  ])("finds the problems of %s", ([text, ...found]) => {
    expect(problems(text)).toEqual(found);
  });

  it("checks deep expressions once", () => {
    const nested = `${"dyn(".repeat(60)}nothing${")".repeat(60)}`;
    expect(problems(nested)).toEqual(["error unknown_name: nothing"]);
  });
});
