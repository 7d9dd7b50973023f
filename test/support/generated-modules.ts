/** Generates modules of an import as its parsers may return them: right, wrong and hostile. */
import * as fc from "fast-check";
import type { Expression, Member } from "#importers/expression.ts";
import type {
  SourceLocal,
  SourceModule,
  SourceOutput,
  SourceResource,
  SourceVariable,
} from "#importers/source-module.ts";
import type { SourceOption } from "#importers/source-option.ts";
import { CANARY, expressions, members, name, text } from "./generated-expressions.ts";
import { type Format, types } from "./generated-words.ts";

const place = { file: "main.tf", line: 7 };

const sourceOptions: SourceOption[] = [
  { name: "protect", line: 7, kind: "protect" },
  { name: "retain", line: 7, kind: "retainOnDelete" },
  { name: "before", line: 7, kind: "deleteBeforeReplace" },
  {
    name: "ignored",
    line: 7,
    kind: "ignoreChanges",
    paths: ["name", "tags", 'tags["a"]', "a..b", ""],
  },
  { name: "replaced", line: 7, kind: "replaceOnChanges", paths: ["name[*]"] },
  { name: "secret", line: 7, kind: "additionalSecretOutputs", names: ["id", "a.b"] },
  { name: "former", line: 7, kind: "aliases", names: ["x", "${y}"] },
  {
    name: "times",
    line: 7,
    kind: "customTimeouts",
    timeouts: {
      create: { kind: "literal", value: "5m" },
      read: { kind: "reference", target: { kind: "local", name: "x" }, path: [], line: 7 },
      delete: { kind: "literal", value: "ever" },
    },
  },
  {
    name: "open",
    line: 7,
    kind: "protect",
    when: { kind: "reference", target: { kind: "variable", name: "x" }, path: [], line: 7 },
  },
  { name: "lost", line: 7, kind: "left out", reason: "A draft has nothing for it." },
];

function moduleOf(format: Format, path: string, calls: readonly string[]) {
  const named = fc.uniqueArray(fc.tuple(fc.constantFrom(...types[format]), name), {
    maxLength: 5,
    selector: ([type, own]) => `${type}.${own}`,
  });
  return named.chain((resources) => {
    const addresses = resources.map(([type, own]) => addressOf(format, type, own));
    const value = expressions(addresses, calls);
    const settings = members(value);
    const repetition = fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      value.map((forEach) => ({ repeated: true, forEach })),
      fc
        .oneof(
          value,
          fc.integer({ min: -1, max: 4 }).map((of): Expression => ({ kind: "literal", value: of })),
        )
        .map((count) => ({ repeated: true, count })),
      fc.constant({ repeated: true }),
    );
    const each = resources.map(([type, own]) =>
      fc
        .tuple(
          settings,
          fc.subarray(sourceOptions),
          fc.array(fc.constantFrom("x", "module.m", ...addresses), { maxLength: 2 }),
          repetition,
        )
        .map(([of, options, waits, many]): SourceResource => ({
          ...place,
          address: addressOf(format, type, own),
          mode: "managed",
          type,
          name: own,
          endLine: 9,
          provider: type.split(/[_:]/)[0] ?? "",
          repeated: false,
          settings: { kind: "object", members: of },
          dependsOn: waits.map((address) => ({ address, line: 8 })),
          options,
          ...many,
        })),
    );
    const locals = fc.uniqueArray(fc.tuple(name, value), {
      maxLength: 4,
      selector: ([own]) => own,
    });
    const variables = fc.uniqueArray(fc.tuple(name, fc.option(value), fc.option(text)), {
      maxLength: 4,
      selector: ([own]) => own,
    });
    const outputs = fc.uniqueArray(fc.tuple(name, value, fc.boolean()), {
      maxLength: 4,
      selector: ([own]) => own,
    });
    const given = fc.uniqueArray(fc.tuple(name, value), { maxLength: 3, selector: ([own]) => own });
    return fc
      .tuple(fc.tuple(...each), locals, variables, outputs, given, repetition)
      .map(([made, ofLocals, ofVariables, ofOutputs, ofCall, manyCalls]): SourceModule => ({
        format,
        path,
        isRoot: path === ".",
        requiredVersion: null,
        backend: null,
        resources: made,
        variables: [...ofVariables.map(variableOf), ...secretVariables],
        outputs: ofOutputs.map(([own, of, sensitive]): SourceOutput => ({
          ...place,
          name: own,
          value: of,
          sensitive,
          description: null,
        })),
        locals: [
          ...ofLocals.map(([own, of]): SourceLocal => ({ ...place, name: own, value: of })),
          hiddenLocal,
        ],
        moduleCalls: calls.map((call) => ({
          ...place,
          name: call,
          source: "./inner",
          version: null,
          target: "inner",
          repeated: false,
          dependsOn: [],
          ...manyCalls,
          settings: {
            kind: "object",
            members: [
              ...ofCall.map(([own, of]): Member => ({ name: own, value: of, line: 5 })),
              { name: "inner_password", value: { kind: "literal", value: CANARY }, line: 5 },
            ],
          },
        })),
        providers: [],
      }));
  });
}

function addressOf(format: Format, type: string, own: string): string {
  return format === "terraform" ? `${type}.${own}` : own;
}

function variableOf([own, initial, type]: readonly [
  string,
  Expression | null,
  string | null,
]): SourceVariable {
  return {
    ...place,
    name: own,
    type,
    description: null,
    ...(initial === null ? {} : { default: initial }),
    sensitive: false,
  };
}

/** A secret with an ordinary name, which its use reveals. */
const hiddenLocal: SourceLocal = {
  ...place,
  name: "hidden",
  value: { kind: "literal", value: CANARY },
};

const secretVariables: readonly SourceVariable[] = [
  {
    ...place,
    name: "sensitive_one",
    type: "string",
    description: null,
    default: { kind: "literal", value: CANARY },
    sensitive: true,
  },
  {
    ...place,
    name: "plain",
    type: "string",
    description: null,
    default: { kind: "literal", value: CANARY },
    sensitive: false,
  },
];

/** A root module, and one that it may call. */
export const generatedModules: fc.Arbitrary<SourceModule[]> = fc
  .constantFrom<Format>("terraform", "terraform", "cloudformation", "arm", "pulumi")
  .chain((format) =>
    format === "terraform"
      ? fc.tuple(moduleOf(format, ".", ["m"]), moduleOf(format, "inner", [])).map((all) => [...all])
      : moduleOf(format, ".", []).map((one) => [one]),
  );
