import { expect, it } from "vitest";
import { ImportLog } from "./import-log.ts";
import { MAX_NAME, MAX_RESOURCES, withinNameLimits } from "./name-limits.ts";
import type { SourceModule, SourceResource } from "./source-module.ts";

function moduleOf(path: string, names: readonly string[], locals = 0): SourceModule {
  const place = { file: `${path}/main.tf`, line: 1 };
  const resource = (name: string): SourceResource => ({
    ...place,
    address: `aws_vpc.${name}`,
    mode: "managed",
    type: "aws_vpc",
    name,
    endLine: 1,
    provider: "aws",
    repeated: false,
    settings: { kind: "object", members: [] },
    dependsOn: [],
  });
  return {
    format: "terraform",
    path,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources: names.map(resource),
    variables: [],
    outputs: [],
    locals: Array.from({ length: locals }, (_, at) => ({
      ...place,
      name: `l${at}`,
      value: { kind: "literal", value: at },
    })),
    moduleCalls: [],
    providers: [],
  };
}

const numbered = (length: number) => Array.from({ length }, (_, at) => `v${at}`);

function kept(modules: readonly SourceModule[]) {
  const log = new ImportLog();
  const found = withinNameLimits(modules, log);
  return {
    resources: found.map(({ resources }) => resources.length),
    locals: found.map(({ locals }) => locals.length),
    warnings: log.warnings().map(({ code, message }) => `${code}: ${message}`),
  };
}

it("modules within the limits stay as they are, without a warning", () => {
  const { resources, locals, warnings } = kept([moduleOf("a", numbered(MAX_RESOURCES), 50_000)]);
  expect([resources, locals, warnings]).toEqual([[MAX_RESOURCES], [50_000], []]);
});

it("a small module after large ones has all its resources and names", () => {
  const large = numbered(MAX_RESOURCES);
  const { resources, locals, warnings } = kept([
    moduleOf("large", large, 50_000),
    moduleOf("other", large, 50_000),
    moduleOf("small", numbered(2), 2),
  ]);
  expect(resources).toEqual([9_999, 9_999, 2]);
  expect(locals).toEqual([24_999, 24_999, 2]);
  expect(warnings).toEqual([
    expect.stringMatching(/^too_many_resources: 20002 more/),
    expect.stringMatching(/^too_many_names: 50002 more/),
  ]);
});

it("what is left out for its name takes no share", () => {
  const long = "n".repeat(MAX_NAME + 1);
  const { resources, warnings } = kept([
    moduleOf("a", [long, ...numbered(MAX_RESOURCES - 1)]),
    moduleOf("b", ["v"]),
  ]);
  expect(resources).toEqual([MAX_RESOURCES - 1, 1]);
  expect(warnings).toEqual([expect.stringMatching(/^name_too_long/)]);
});
