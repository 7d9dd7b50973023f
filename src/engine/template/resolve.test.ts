import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measure } from "#engine/expressions/values/measure.ts";
import {
  hasSecret,
  PartlyKnown,
  Secret,
  unknown,
  unknownOf,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import type { JsonMap } from "#platform/json.ts";
import { parseTemplate } from "./parse.ts";
import { ResolveError } from "./resolve-error.ts";
import { configValues, createResolver, type Resolver } from "./resolve.ts";
import type { Template } from "./template.ts";
import { MAX_EXPANDED } from "./value-limit.ts";

function parsed(source: string): Template {
  const { template, diagnostics } = parseTemplate(source);
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  return template;
}

const control = {
  instance: { id: "i-1", name: "web" },
  tenant: { id: "t-1", slug: "acme" },
  target: { name: "main", region: "fra1", environment: "staging" },
};

function resolver(
  source: string,
  config: ValueMap = {},
  outputs: { [resource: string]: Value } = {},
): Resolver {
  const outputsOf = (name: string): Value => outputs[name] ?? unknown;
  return createResolver(parsed(source), { config, control, outputsOf });
}

/** The value of one expression, written as YAML, with `c` as config and `r` as a resource. */
function value(expression: string, given: { c?: Value; r?: Value } = {}): Value {
  const source = `
config: { c: { type: string } }
variables: { v: ${expression} }
resources: { r: { type: t:R } }
`;
  const config: ValueMap = given.c === undefined ? {} : { c: given.c };
  return resolver(source, config, given.r === undefined ? {} : { r: given.r }).variable("v");
}

function failure(work: () => unknown): ResolveError {
  try {
    work();
  } catch (error) {
    if (error instanceof ResolveError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("references", () => {
  it("keep the type of their value", () => {
    expect(value("'${r.list}'", { r: { list: [1, "a", null] } })).toEqual([1, "a", null]);
    expect(value("'${r}'", { r: { a: 1 } })).toEqual({ a: 1 });
  });

  it("follow members, items and keys", () => {
    const r = { a: [{ "x.y": 5 }, null], n: null };
    expect(value(`'\${r.a[0]["x.y"]}'`, { r })).toBe(5);
    expect(value("'${r.a[1]}'", { r })).toBeNull();
    expect(value("'${r.n}'", { r })).toBeNull();
  });

  it("into a secret are secret, into an unknown value are unknown", () => {
    expect(value("'${r.a.b}'", { r: { a: new Secret({ b: 1 }) } })).toEqual(new Secret(1));
    expect(value("'${r.a.b[3].c}'")).toBe(unknown);
    expect(value("'${r.a.b}'", { r: new Secret(unknown) })).toEqual(new Secret(unknown));
    expect(value("'${r.a.b}'", { r: new Secret({ a: unknown }) })).toEqual(new Secret(unknown));
  });

  it("into a partly known object give known members, and the known type of the rest", () => {
    const size = unknownOf("integer");
    const r = new PartlyKnown({ id: "i", none: null, secret: new Secret("s") }, { size, id: size });
    expect(value("'${r.id}'", { r })).toBe("i");
    expect(value("'${r.none}'", { r })).toBeNull();
    expect(value("'${r.secret}'", { r })).toEqual(new Secret("s"));
    expect(value("'${r.later.more}'", { r })).toBe(unknown);
    expect(value("'${r.size}'", { r })).toBe(size);
    expect(value("'${r}'", { r })).toBe(r);
  });

  it("into the sent values of a planned object are unknown if the cloud may add members", () => {
    const r = new PartlyKnown({ settings: { a: 1, none: null, list: [{ b: 2 }] } });
    expect(value("'${r.settings.a}'", { r })).toBe(1);
    expect(value("'${r.settings.none}'", { r })).toBeNull();
    expect(value("'${r.settings.list[0].b}'", { r })).toBe(2);
    for (const path of [
      "settings.filled",
      "settings.a.x",
      "settings.list[1]",
      "settings.list[0].c",
    ])
      expect(value(`'\${r.${path}}'`, { r })).toBe(unknown);
    // A map of the template itself stays as written.
    expect(() => value("'${r.settings.filled}'", { r: { settings: {} } })).toThrow("no member");
  });

  it.for<[string, Value, string]>([
    ["${r[0]}", new PartlyKnown({}), "${r} is a map, not a list"],
    ["${r.size.x}", new PartlyKnown({}, { size: unknownOf("integer") }), "${r.size} is a number"],
    ["${r.l.x}", { l: unknownOf("array") }, '${r.l} is a list and has no member "x"'],
    ["${r.m[0]}", { m: unknownOf("object") }, "${r.m} is a map, not a list"],
    ["${r.n.x}", { n: unknownOf("string", "number") }, "${r.n} is a string or a number"],
    ["a ${r}", new PartlyKnown({ id: "i" }), "${r} is a map and cannot be part of a string"],
    ["a ${r.m}", { m: unknownOf("object") }, "${r.m} is a map and cannot be part of a string"],
    ["a ${r.l}", { l: new Secret(unknownOf("array")) }, "${r.l} is a list and cannot"],
  ])("that fail for every value of an unknown one's type fail: %s", ([text, r, message]) => {
    expect(failure(() => value(JSON.stringify(text), { r })).message).toContain(message);
  });

  it("that some value of the type of an unknown one allows are unknown", () => {
    const r = { m: unknownOf("object", "string"), l: unknownOf("array"), s: unknownOf("string") };
    expect(value("'${r.m.x.y}'", { r })).toBe(unknown);
    expect(value("'${r.l[1].x}'", { r })).toBe(unknown);
    expect(value("'a ${r.m} ${r.s}'", { r })).toEqual(unknownOf("string"));
  });

  it("can read the names under control", () => {
    expect(
      value("'${control.instance.name} ${control.tenant.slug} ${control.target.region}'"),
    ).toBe("web acme fra1");
  });

  it.for<[string, Value, string]>([
    ["${r.hots}", { host: "h" }, '${r} has no member "hots"'],
    ["${r.a.b}", { a: null }, "${r.a} is null"],
    ["${r.a.b}", { a: "x" }, "${r.a} is a string"],
    ["${r.a[2]}", { a: [1] }, "${r.a} has no item 2"],
    ["${r.a.b}", { a: [1] }, "${r.a} is a list"],
    ["${r[0]}", { a: [1] }, "${r} is a map"],
    ["${r.constructor}", {}, '${r} has no member "constructor"'],
    ["${r.a.b}", { a: new Secret({}) }, '${r.a} has no member "b"'],
  ])("fail if %s does not exist", ([reference, r, message]) => {
    const error = failure(() => value(`'${reference}'`, { r }));
    expect(error).toMatchObject({
      code: "path_not_found",
      place: { path: "/variables/v", line: 3 },
    });
    expect(error.message).toContain(message);
  });

  it("suggest the nearest member", () => {
    expect(failure(() => value("'${r.hots}'", { r: { host: 1 } })).hint).toContain("host");
    const hidden = new Secret({ host: 1 });
    expect(failure(() => value("'${r.hots}'", { r: hidden })).hint).toBeUndefined();
    expect(failure(() => value("'${r.hots}'", { r: { host: hidden } })).hint).toContain("host");
  });
});

it("a list or a map with an entry that may be left out is not known as a whole", () => {
  const r = { u: unknown };
  const entry = "'${r.u == 1 ? 2 : omit()}'";
  expect(value(`[a, ${entry}, b]`, { r })).toEqual(unknownOf("array"));
  expect(value(`{ a: 1, b: ${entry} }`, { r })).toEqual(new PartlyKnown({ a: 1 }));
  expect(value(`{ a: 1, b: ${entry} }`, { r: { u: 2 } })).toEqual({ a: 1 });
});

describe("interpolation", () => {
  it("formats strings, numbers and booleans", () => {
    expect(value("'${r.a}-${r.b}-${r.c}'", { r: { a: "x", b: 1.5, c: false } })).toBe(
      "x-1.5-false",
    );
  });

  it.for<[Value, string]>([
    [{ x: 1 }, "a map"],
    [[1], "a list"],
    [null, "null"],
    [new Secret({}, { sealed: false }), "a map"],
  ])("rejects %j", ([a, kind]) => {
    const error = failure(() => value("'x ${r.a}'", { r: { a } }));
    expect(error).toMatchObject({ code: "not_a_text", message: expect.stringContaining(kind) });
  });

  it("tells neither the kind nor the length of a sealed value", () => {
    const of = (a: Value, text = "x ${r.a}") =>
      value(JSON.stringify(text), { r: { a: new Secret(a) } });
    expect(of({ b: [1] })).toEqual(new Secret('x {"b":[1]}'));
    expect(of(null)).toEqual(new Secret("x null"));
    const quotes = { a: ['"'.repeat(100), "\n\n"] };
    expect(measure(of(quotes)).size).toBe(measure(of({ a: ["b", "c"] })).size);
    const most = Math.floor(MAX_EXPANDED / 256) - 1;
    for (const content of ["", "y".repeat(250)]) {
      expect(measure(of(content, "${r.a}".repeat(most))).sealed).toBe(true);
      expect(failure(() => of(content, "${r.a}".repeat(most + 2))).code).toBe("value_too_large");
      expect(measure(of(content)).size).toBe(measure(of("")).size);
    }
  });

  it("tells no depth of a sealed value", () => {
    const nested = (depth: number): Value =>
      Array.from({ length: depth }).reduce<Value>((inner) => [inner], "x");
    for (const depth of [0, 32, 33, 90])
      expect(measure(new Secret(nested(depth))).depth).toBe(measure(new Secret("x")).depth);
  });

  it("is secret if any part is, unknown if any part is, or both", () => {
    expect(value("'a${r.s}'", { r: { s: new Secret("b") } })).toEqual(new Secret("ab"));
    const text = unknownOf("string");
    expect(value("'a${r.u}'", { r: { u: unknown } })).toEqual(text);
    expect(value("'${r.u}${r.s}'", { r: { u: unknown, s: new Secret("b") } })).toEqual(
      new Secret(text),
    );
    expect(value("'${r.s}${r.u}'", { r: { u: unknown, s: new Secret("b") } })).toEqual(
      new Secret(text),
    );
  });

  it("stays secret whatever the other parts are", () => {
    const part = fc.constantFrom<Value>("t", 1, unknown, new Secret("x"), new Secret(unknown));
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 6 }), (list) => {
        const text = list.map((_, index) => `\${r.l[${index}]}`).join("");
        expect(hasSecret(value(`'${text}'`, { r: { l: list } }))).toBe(list.some(hasSecret));
      }),
    );
  });
});

describe("a resolver", () => {
  it("computes properties, outputs and variables", () => {
    const made = resolver(
      `
config: { size: 2 }
variables: { name: "n\${size}" }
resources:
  a: { type: t:A, properties: { name: "\${name}", tags: [x, "\${size}"], deep: { "fn::join": ["-", [a, "\${size}"]] } } }
outputs: { id: "\${a.id}" }
`,
      { size: 2 },
      { a: { id: "a-1" } },
    );
    expect(made.properties("a")).toEqual({ name: "n2", tags: ["x", 2], deep: "a-2" });
    expect(made.outputs()).toEqual({ id: "a-1" });
    expect(made.variable("name")).toBe("n2");
    expect(made.properties("a")).toBe(made.properties("a"));
  });

  it("reads only the outputs it needs", () => {
    const asked: string[] = [];
    const template = parsed(
      "{ resources: { a: { type: t:A }, b: { type: t:B, properties: { x: '${a.id}' } }, c: { type: t:C } } }",
    );
    const outputsOf = (name: string): Value => (asked.push(name), unknown);
    createResolver(template, { config: {}, control, outputsOf }).properties("b");
    expect(asked).toEqual(["a"]);
  });

  it("computes a variable once, however often it is used", () => {
    let asked = 0;
    const template = parsed(
      "{ variables: { v: '${r.x}' }, resources: { r: { type: t:R } }, outputs: { a: '${v}', b: '${v}' } }",
    );
    const outputsOf = (): Value => ({ x: ++asked });
    const made = createResolver(template, { config: {}, control, outputsOf });
    expect(made.outputs()).toEqual({ a: 1, b: 1 });
  });

  it("fails instead of looping when variables depend on one another", () => {
    const made = resolver("{ variables: { a: 'x${b}', b: 'y${a}' } }");
    expect(failure(() => made.variable("a")).code).toBe("dependency_cycle");
    expect(failure(() => made.variable("b")).code).toBe("dependency_cycle");
  });

  it("reports names that do not exist", () => {
    const made = resolver("{ config: { c: { type: string } }, outputs: { a: '${nope}' } }");
    expect(failure(() => made.outputs())).toMatchObject({ code: "unknown_reference" });
    expect(failure(() => made.properties("x"))).toMatchObject({ code: "unknown_reference" });
    expect(failure(() => made.variable("toString"))).toMatchObject({ code: "unknown_reference" });
    expect(failure(() => value("'${c}'"))).toMatchObject({ code: "missing_value" });
  });

  it("treats names such as __proto__ and constructor like any other", () => {
    const made = resolver(
      "{ variables: { constructor: '${__proto__}b', __proto__: a }, outputs: { __proto__: '${constructor}' } }",
    );
    expect(made.variable("constructor")).toBe("ab");
    expect(Object.entries(made.outputs())).toEqual([["__proto__", "ab"]]);
  });

  it("follows a chain of 500 variables", () => {
    const links = Array.from({ length: 499 }, (_, i) => `  v${i + 1}: "\${v${i}}x"`);
    const made = resolver(`variables:\n  v0: x\n${links.join("\n")}`);
    expect(made.variable("v499")).toBe("x".repeat(500));
  });

  it.for([
    ["text", (i: number) => `"\${v${i}}\${v${i}}"`],
    ["list", (i: number) => `["\${v${i}}", "\${v${i}}"]`],
    ["map", (i: number) => `{ a: "\${v${i}}", b: "\${v${i}}" }`],
    ["JSON", (i: number) => `{ "fn::toJSON": ["\${v${i}}", "\${v${i}}"] }`],
  ] as const)("stops a %s that doubles itself again and again", ([, double]) => {
    const lines = Array.from({ length: 60 }, (_, i) => `  v${i + 1}: ${double(i)}`);
    const made = resolver(`variables:\n  v0: xxxxxxxx\n${lines.join("\n")}`);
    expect(failure(() => made.variable("v60")).code).toBe("value_too_large");
  });

  it("rejects a string beyond the limit before building it", () => {
    const c = "x".repeat(MAX_EXPANDED / 2);
    expect(failure(() => value(`"${"${c}".repeat(2_000)}"`, { c })).code).toBe("value_too_large");
    const join = `{ "fn::join": ["\${c}", [${"a, ".repeat(2_000)}]] }`;
    expect(failure(() => value(join, { c })).code).toBe("value_too_large");
  });

  it("limits the total size of all resources, including secrets and partly known values", () => {
    const big = "x".repeat(MAX_EXPANDED / 2 - 100);
    const source = `{ config: { c: { type: string } }, resources: {
      a: { type: t:R, properties: { x: "\${c}" } }, b: { type: t:R, properties: { x: "\${c}" } } } }`;
    const made = resolver(source, { c: new Secret(new PartlyKnown({ big })) });
    made.properties("a");
    made.properties("a");
    expect(failure(() => made.properties("b")).code).toBe("value_too_large");
  });

  it("limits the nesting of values after references are resolved", () => {
    const links = (length: number) =>
      Array.from({ length }, (_, i) => `  v${i + 1}: ["\${v${i}}"]`).join("\n");
    const deep = (levels: number) => resolver(`variables:\n  v0: x\n${links(levels)}`);
    expect(JSON.stringify(deep(100).variable("v100"))).toHaveLength(203);
    expect(failure(() => deep(101).variable("v101")).code).toBe("nesting_too_deep");
    const secret = resolver(`variables:\n  v0: { "fn::secret": x }\n${links(101)}`);
    expect(failure(() => secret.variable("v101")).code).toBe("nesting_too_deep");
  });

  it("interpolates ten thousand parts in linear time", () => {
    expect(value(`"${"${c}-".repeat(10_000)}"`, { c: "ab" })).toBe("ab-".repeat(10_000));
  });
});

describe("config values", () => {
  const template = parsed(`
config:
  region: { type: string, default: nyc3, enum: [nyc3, fra1] }
  password: { type: string, secret: true, minLength: 12 }
  size: { type: integer }
`);
  const given = { password: "correct horse", size: 3 };

  it("are the given values or the defaults, with secrets marked", () => {
    expect(configValues(template, given)).toEqual({
      values: { region: "nyc3", password: new Secret("correct horse"), size: 3 },
      problems: [],
    });
  });

  it("are also secret when the caller says so", () => {
    const { values } = configValues(template, given, new Set(["size", "region"]));
    expect(values).toMatchObject({ size: new Secret(3), region: new Secret("nyc3") });
  });

  it("report missing, invalid and unknown values together", () => {
    const { values, problems } = configValues(template, { region: "mars", sise: 1 });
    expect(problems).toMatchObject([
      { severity: "error", code: "invalid_value", path: "/region", line: 0, column: 0 },
      { severity: "error", code: "missing_value", path: "/password" },
      { severity: "error", code: "missing_value", path: "/size" },
      { severity: "warning", code: "unknown_value", path: "/sise", hint: 'Did you mean "size"?' },
    ]);
    expect(values).toEqual({});
  });

  it("do not treat null as a missing value", () => {
    expect(configValues(template, { ...given, region: null }).problems[0]).toMatchObject({
      code: "invalid_value",
      path: "/region",
    });
  });

  it("are not shown in problems", () => {
    const bad = { region: "hunter2", password: "hunter2", size: "hunter2" };
    const { problems } = configValues(template, bad);
    expect(problems.map(({ message }) => message)).toEqual([
      'The config value "region" is not valid. It must be one of "nyc3", "fra1".',
      'The config value "password" is not valid. It must have at least 12 characters.',
      'The config value "size" is not valid. It must be a whole number, not a string.',
    ]);
  });

  it("are checked only for their type if they are sealed, so that a schema cannot test them", () => {
    const strict = parsed(`
config:
  a: { type: string, pattern: "^x", minLength: 3, enum: [xyz] }
  b: { type: object, additionalProperties: false }
  c: { type: integer }
`);
    const sealed = configValues(
      strict,
      { a: "hunter2", b: { hunter2: 1 }, c: "hunter2" },
      new Set(["a", "b", "c"]),
    );
    expect(sealed.values).toEqual({ a: new Secret("hunter2"), b: new Secret({ hunter2: 1 }) });
    expect(sealed.problems).toMatchObject([{ code: "invalid_value", path: "/c" }]);
    expect(JSON.stringify(sealed.problems)).not.toContain("hunter2");
  });

  it("are never parsed as references", () => {
    const text = parsed("{ config: { c: { type: string } }, outputs: { o: '${c}' } }");
    const { values } = configValues(text, { c: "${control.tenant.id}" });
    const made = createResolver(text, { config: values, control, outputsOf: () => unknown });
    expect(made.outputs()).toEqual({ o: "${control.tenant.id}" });
  });

  it("have problems that point into the given values", () => {
    const list = parsed("{ config: { ports: { type: List<Integer> } } }");
    expect(configValues(list, { ports: [80, "x"] }).problems[0]?.path).toBe("/ports/1");
  });

  it("do not treat inherited names as values", () => {
    const odd = parsed("{ config: { constructor: { type: string } } }");
    expect(configValues(odd, {}).problems).toMatchObject([{ code: "missing_value" }]);
    const hostile: JsonMap = JSON.parse('{"__proto__": {"size": 9}}');
    expect(configValues(template, hostile).problems.map(({ path }) => path)).toContain(
      "/__proto__",
    );
  });
});
