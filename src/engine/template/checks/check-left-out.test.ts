import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget } from "#engine/expressions/budget.ts";
import { evaluate } from "#engine/expressions/evaluate.ts";
import { parse } from "#engine/expressions/parse.ts";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import type { Value } from "#engine/value.ts";

const catalog = {
  facts: () => ({ immutable: [], writeOnly: [], required: [], deleteBeforeReplace: false }),
  types: () => ["mock:Server"],
  openProviders: new Set<string>(),
};

function check(source: string) {
  const { template, diagnostics } = parseTemplate(source);
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  return checkTemplate(template, catalog).filter(({ code }) => !code.startsWith("unused"));
}

/** The kind of a formula's result; a name without a value is left out. */
function evaluated(text: string, values: { [name: string]: Value | undefined }) {
  const parsed = parse(text);
  if (parsed.kind === "problem") throw new Error(parsed.problem.kind);
  const lookup = (name: string) => {
    const value = values[name];
    return value === undefined
      ? ({ kind: "absent" } as const)
      : ({ kind: "value", value } as const);
  };
  const result = evaluate(parsed.node, { lookup, names: () => Object.keys(values) }, new Budget());
  if (result.kind === "problem") return { kind: result.problem.kind };
  return { kind: result.kind === "value" ? `value: ${JSON.stringify(result.value)}` : result.kind };
}

const header = `
config: { environment: string, alarm: { type: boolean, default: true } }
resources:
  monitor: { type: mock:Server, when: '\${environment == "prod" && alarm}', properties: { name: m } }
`;

describe("a reference to a resource with a condition", () => {
  it.for([
    ["an output", "outputs: { id: '${monitor.id}' }"],
    ["a variable", "variables: { id: '${monitor.id}' }\noutputs: { o: '${id}' }"],
    [
      "a resource without the condition",
      "  reader: { type: mock:Server, properties: { id: '${monitor.id}' } }",
    ],
    [
      "a resource with a part of the condition",
      "  reader: { type: mock:Server, when: '${alarm}', properties: { id: '${monitor.id}' } }",
    ],
    ["the other branch", "outputs: { id: '${environment == \"prod\" && alarm ? 1 : monitor.id}' }"],
    ["another name's guard", "outputs: { id: '${has(monitor.name) ? monitor.id : 1}' }"],
  ] as const)("is refused in %s", ([, reader]) => {
    expect(check(`${header}${reader}\n`)).toMatchObject([
      { severity: "error", code: "may_be_left_out", hint: expect.stringContaining(".?member") },
    ]);
  });

  it.for([
    ["with `.?`", "outputs: { id: '${monitor.?id.orValue(\"none\")}' }"],
    ["after `has`", "outputs: { id: '${has(monitor) ? monitor.id : \"none\"}' }"],
    [
      "under the same condition",
      `outputs: { id: '\${environment == "prod" && alarm ? monitor.id : 1}' }`,
    ],
    [
      "in a resource with the same condition",
      `  reader: { type: mock:Server, when: '\${environment=="prod" && alarm}', properties: { id: '\${monitor.id}' } }`,
    ],
    [
      "in a resource with a stricter condition",
      `  reader: { type: mock:Server, when: '\${alarm && environment == "prod" && environment != "dev"}', properties: { id: '\${monitor.id}' } }`,
    ],
    [
      "in `dependsOn`",
      "  reader: { type: mock:Server, properties: {}, options: { dependsOn: ['${monitor}'] } }",
    ],
  ] as const)("is fine %s", ([, reader]) => {
    expect(check(`${header}${reader}\n`)).toEqual([]);
  });

  it.for([
    "!has(monitor) ? 1 : monitor.id",
    "!!has(monitor) ? monitor.id : 1",
    'has(monitor) && monitor.id == "x"',
    '!has(monitor) || monitor.id == "x"',
    "!(has(monitor) && alarm) ? 1 : monitor.id",
    '"prod"==environment && alarm ? monitor.id : 1',
    'environment != "prod" || !alarm ? 1 : monitor.id',
    '!(alarm && environment == "prod") ? 1 : monitor.id',
    'environment == "prod" ? (alarm ? monitor.id : 1) : 2',
    'environment != "prod" ? 1 : !alarm ? 2 : monitor.id',
    'environment == "prod" && alarm && monitor.id == "x"',
    '[1].map(x, environment == "prod" && alarm ? monitor.id : x)',
  ])("is guarded in %s", (formula) => {
    expect(check(`${header}outputs: { id: ${JSON.stringify(`\${${formula}}`)} }\n`)).toEqual([]);
  });

  it("is guarded by the condition of its reader in other words", () => {
    const reader = `  reader: { type: mock:Server, when: '\${!(environment != "prod" || !alarm)}', properties: { id: '\${monitor.id}' } }`;
    expect(check(`${header}${reader}\n`)).toEqual([]);
  });

  it.for([
    'environment != "prod" && alarm ? monitor.id : 1',
    'environment == "prod" || alarm ? monitor.id : 1',
    'environment == "dev" && alarm ? monitor.id : 1',
    'environment == "prod" && !alarm ? monitor.id : 1',
    'environment == "prod" && alarm ? 1 : monitor.id',
    '!(environment == "prod") || alarm ? 1 : monitor.id',
    'environment == "prod" ? monitor.id : 1',
    "!has(monitor) ? monitor.id : 1",
    'has(monitor) || monitor.id == "x"',
    '!has(monitor) && monitor.id == "x"',
    "!(has(monitor) || alarm) ? 1 : monitor.id",
    'cel.bind(environment, "prod", environment == "prod" && alarm ? monitor.id : 1)',
    '["prod"].exists(environment, environment == "prod" && alarm && monitor.id == "x")',
    'alarm ? ["prod"].map(environment, environment == "prod" ? monitor.id : 1) : []',
  ])("is not guarded in %s", (formula) => {
    const found = check(`${header}outputs: { id: ${JSON.stringify(`\${${formula}}`)} }\n`);
    expect(found.map(({ code }) => code)).toContain("may_be_left_out");
  });

  it("that the check accepts is never evaluated where the resource is left out", () => {
    const { formula } = fc.letrec<{ formula: string; condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom("a", "b", 'c == "x"', 'c != "x"', '"x" == c', "m.on"),
        fc.constantFrom("has(m)", "!has(m)", "a && b", 'c == "x" && a', "a || b"),
        tie("condition").map((one) => `!(${one})`),
        fc
          .tuple(tie("condition"), fc.constantFrom("&&", "||"), tie("condition"))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc
          .tuple(fc.constantFrom("a", "z"), tie("condition"))
          .map(([variable, body]) => `[true].exists(${variable}, ${body})`),
      ),
      formula: fc
        .tuple(
          tie("condition"),
          fc.constantFrom("has(m)", "a && b", 'a && c == "x"', "!(a || b)", "b && a"),
          fc.constantFrom(
            "C && (G) ? m.id : 1",
            "!(G) || C ? 1 : m.id",
            "!(G && C) ? 1 : m.id",
            "!(G && C) ? m.id : 1",
            "C || G ? m.id : 1",
            "C ? m.id : 1",
            "C ? 1 : m.id",
            "[true].map(a, G && C ? m.id : 1)",
          ),
        )
        .map(([condition, guard, form]) => form.replace("C", condition).replace("G", guard)),
    }));
    let accepted = 0;
    fc.assert(
      fc.property(
        formula,
        fc.constantFrom("a && b", 'a && c == "x"', "!(a || b)"),
        (text, when) => {
          const found = check(`
config: { a: { type: boolean }, b: { type: boolean }, c: { type: string } }
resources: { m: { type: mock:Server, when: ${JSON.stringify(`\${${when}}`)}, properties: {} } }
outputs: { o: ${JSON.stringify(`\${${text}}`)} }
`);
          if (found.some(({ severity }) => severity === "error")) return;
          if (text.includes("m.")) accepted += 1;
          for (const a of [true, false])
            for (const b of [true, false])
              for (const c of ["x", "y"]) {
                const isIncluded = evaluated(when, { a, b, c }).kind === "value: true";
                const m = isIncluded ? { id: 1, on: true } : undefined;
                expect(evaluated(text, { a, b, c, m }).kind).not.toBe("absent_name");
              }
        },
      ),
      { numRuns: 600 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it("takes a reference and the same name in a formula for one condition", () => {
    const source = `
config: { on: { type: boolean } }
resources:
  monitor: { type: mock:Server, when: "\${on}", properties: {} }
outputs: { id: "\${on ? monitor.id : 1}" }
`;
    expect(check(source)).toEqual([]);
  });
});
