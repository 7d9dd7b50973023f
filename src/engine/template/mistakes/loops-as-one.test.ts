import { describe, expect, it } from "vitest";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { createResolver } from "#engine/template/resolve.ts";
import type { Template } from "#engine/template/template.ts";
import { unknown, type ValueMap } from "#engine/value.ts";

const catalog = {
  facts: () => ({ immutable: [], writeOnly: [], required: [], deleteBeforeReplace: false }),
  types: () => ["mock:Server"],
  openProviders: new Set<string>(),
};

function parsed(output: string): Template {
  const { template, diagnostics } = parseTemplate(`
config: { zones: { type: object } }
resources:
  node: { type: mock:Server, forEach: "\${zones}", properties: { name: a } }
  disk: { type: mock:Server, forEach: [eu-1, us-1], properties: { name: a } }
  web: { type: mock:Server, properties: { name: a } }
outputs:
  o: ${JSON.stringify(output)}
`);
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  return template;
}

function hintsFor(output: string): (string | undefined)[] {
  return checkTemplate(parsed(output), catalog)
    .filter(({ severity }) => severity === "error")
    .map(({ hint }) => hint);
}

const loop = (name: string, key: string, member: string) =>
  `\`${name}\` is a loop: name a turn, as in \`\${${name}["${key}"].${member}}\`, or all, as in \`\${${name}.transformList(k, x, x.${member})}\`.`;

describe("a loop that is read like one resource has a hint", () => {
  it.for<[output: string, hint: string]>([
    ["${disk.id}", loop("disk", "eu-1", "id")],
    ["a ${disk.id}", loop("disk", "eu-1", "id")],
    ["${disk.tags.name}", loop("disk", "eu-1", "name")],
    ["${disk[0].id}", loop("disk", "eu-1", "id")],
    ["${node[0].id}", loop("node", "a", "id")],
    ['${disk.id + "x"}', loop("disk", "a", "id")],
    ['${[disk[0].id, "x"]}', loop("disk", "a", "id")],
    [
      "${node.map(x, x.id)}",
      "`x` is a key of the loop `node`. For the values, write `node.transformList(k, x, x.id)`.",
    ],
    [
      '${disk.filter(d, d.id != "x")}',
      "`d` is a key of the loop `disk`. For the values, write `disk.transformList(k, d, …)`.",
    ],
    [
      '${node.exists(x, x.id == "x")}',
      "`x` is a key of the loop `node`. For the values, write `node.exists(k, x, …)`.",
    ],
    [
      "${zones.map(z, z.size)}",
      "`z` is a key of the map `zones`. For the values, write `zones.transformList(k, z, z.size)`.",
    ],
  ])("%s", ([output, hint]) => {
    expect(hintsFor(output)).toEqual([hint]);
  });

  it("in a plan, where the keys are known", () => {
    const read = (output: string, config: ValueMap) => {
      const control = { instance: { id: "", name: "" }, tenant: { id: "", slug: "" } };
      const target = { name: "", region: "", environment: "" };
      const scope = { config, control: { ...control, target }, outputsOf: () => unknown };
      try {
        return createResolver(parsed(output), scope).outputs();
      } catch (error) {
        if (error instanceof ResolveError) return error.hint;
        throw error;
      }
    };
    expect(read("${node.id}", { zones: { b: 1 } })).toBe(loop("node", "b", "id"));
    expect(read("${node.id + 'x'}", { zones: { b: 1 } })).toBe(loop("node", "a", "id"));
  });

  it.for<[output: string, ...hints: (string | undefined)[]]>([
    ['${disk["eu-2"].id}', 'Did you mean "eu-1"?'],
    ['${disk["eu-2"].id + "x"}', "Did you mean `eu-1`?"],
    ["${cel.bind(disk, 1, disk.id)}", undefined],
    ["${zones.map(z, z + 1)}", "Make a string with `string(…)`."],
    ["${zones.transformList(k, z, k.size)}", undefined],
    ["${[1].map(x, x.id)}", undefined],
    ['${node["a"].id}'],
    ['${disk["eu-1"].id}'],
    ["${node.transformList(k, x, x.id)}"],
    ["${node.map(x, x + '!')}"],
    ["${web.id}"],
  ])("but %s has none", ([output, ...hints]) => {
    expect(hintsFor(output)).toEqual(hints);
  });
});
