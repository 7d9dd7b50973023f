import { describe, expect, it } from "vitest";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";

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
