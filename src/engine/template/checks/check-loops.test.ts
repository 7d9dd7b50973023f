import { describe, expect, it } from "vitest";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";

const catalog = {
  facts: () => ({
    immutable: [],
    writeOnly: [],
    required: [],
    deleteBeforeReplace: false,
    outputs: ["address"],
  }),
  types: () => ["mock:Server"],
  openProviders: new Set<string>(),
};

function check(resources: string, more = "") {
  const source = `
config: { zones: { type: object }, label: { type: string }, token: { type: string, secret: true } }
resources:
  uses: { type: mock:Server, properties: { zones: "\${zones}", token: "\${token}", label: "\${label}" } }
${resources}
${more}
`;
  const { template, diagnostics } = parseTemplate(source);
  return template === undefined ? diagnostics : checkTemplate(template, catalog);
}

const node =
  '  node: { type: mock:Server, forEach: "${zones}", properties: { name: "${each.key}" } }';

describe("a loop", () => {
  it("is a map from key to resource, whose outputs are known", () => {
    const outputs = (text: string) => check(node, `outputs: { o: '${text}' }`);
    expect(outputs('${node["a"].address}')).toEqual([]);
    expect(outputs("${node.transformList(k, n, n.address)}")).toEqual([]);
    expect(outputs('${node["a"].adress}')).toMatchObject([
      { code: "unknown_output", message: expect.stringContaining('${node["a"].adress}') },
    ]);
  });

  it.for([
    [
      "`each` outside of it",
      "  b: { type: mock:Server, properties: { k: '${each.key}' } }",
      "unknown_reference",
    ],
    [
      "`each` in `forEach` itself",
      "  b: { type: mock:Server, forEach: '${each.key}', properties: {} }",
      "unknown_reference",
    ],
    [
      "itself in `forEach`",
      "  b: { type: mock:Server, forEach: '${b}', properties: {} }",
      "self_reference",
    ],
    ["a secret", "  b: { type: mock:Server, forEach: '${token}', properties: {} }", "sealed_value"],
    [
      "`import`",
      "  b: { type: mock:Server, forEach: [a], properties: {}, options: { import: i } }",
      "invalid_option",
    ],
    [
      "a config value of another type",
      "  b: { type: mock:Server, forEach: '${label}', properties: {} }",
      "invalid_loop",
    ],
    [
      "a text as its condition",
      "  b: { type: mock:Server, when: '${label}', properties: {} }",
      "invalid_condition",
    ],
    [
      "an output of a resource",
      "  b: { type: mock:Server, forEach: '${uses.address}', properties: {} }",
      "not_known_yet",
    ],
    [
      "an output as its condition",
      "  b: { type: mock:Server, when: '${uses.address != \"x\"}', properties: {} }",
      "not_known_yet",
    ],
    [
      "an output of another loop's turn",
      `${node}\n  b: { type: mock:Server, when: '\${node["a"].address == "x"}', properties: {} }`,
      "not_known_yet",
    ],
    ["a number", "  b: { type: mock:Server, forEach: 3, properties: {} }", "invalid_loop"],
    [
      "a resource named each",
      `${node}\n  each: { type: mock:Server, properties: {} }`,
      "reserved_name",
    ],
  ] as const)("with %s is refused", ([, resources, code]) => {
    expect(check(resources).map((one) => one.code)).toContain(code);
  });
});

it("may be over another loop, and ask whether a resource is there", () => {
  expect(
    check(`${node}
  c: { type: mock:Server, forEach: "\${node}", properties: { a: "\${each.value.address}" } }
  d: { type: mock:Server, when: "\${label == 'x'}", properties: {} }
  e: { type: mock:Server, when: "\${has(d)}", properties: {} }`),
  ).toEqual([]);
});

describe("a formula", () => {
  const output = (text: string) => check("", `outputs: { o: ${JSON.stringify(text)} }`);

  it.for([
    ["${zones + }", "malformed_expression"],
    ["${zonez.size()}", "unknown_reference"],
    ["${zones.sizes()}", "unknown_function"],
    ["${token == 'x' ? 1 : 2}", "sealed_value"],
    ["${1 + 'a'}", "wrong_kind"],
    ["${9007199254740993}", "number_too_large"],
  ] as const)("%s is refused, with its place", ([text, code]) => {
    const [found] = output(text);
    expect(found).toMatchObject({ severity: "error", code });
    expect(found?.endColumn).toBeGreaterThan(found?.column ?? 0);
  });

  it("may join a secret to a text", () => {
    expect(output('${"token " + token}')).toEqual([]);
  });
});
