/**
 * The conformance tests of the CEL specification. A test runs unless a row of `exclusions` covers it. A covered test that
 * passes is an error, except one that expects an evaluation to fail: so the table says no more than is true.
 */
import { getConformanceSuite, type IncrementalTest } from "@bufbuild/cel-spec/testdata/tests.js";
import { describe, expect, it } from "vitest";
import type { Value } from "#engine/value.ts";
import { Budget } from "./budget.ts";
import { evaluate } from "./evaluate.ts";
import { parse } from "./parse.ts";

interface Exclusion {
  reason: string;
  /** Suites or sections of suites. */
  sections?: readonly string[];
  /** Tests whose expression has this syntax. */
  syntax?: RegExp;
  /** Single tests. */
  tests?: readonly string[];
}

const exclusions: readonly Exclusion[] = [
  {
    reason: "There are no Protobuf messages, enums and wrappers.",
    sections: ["dynamic", "enums", "proto2", "proto2_ext", "proto3", "wrappers"],
    syntax: /TestAllTypes|google\.protobuf/,
  },
  {
    reason: "There are no timestamps and durations.",
    sections: ["timestamps"],
    syntax: /timestamp\(|duration\(/,
  },
  { reason: "There are no unsigned numbers.", syntax: /[0-9a-fA-F][uU]\b|\buint\b/ },
  {
    reason: "There are no bytes, so Base64 is that of a text.",
    syntax: /(?<![\w"'%])[bB][rR]?["']|\bbytes(?:\(|$)/,
    tests: ["encoders_ext/decode/hello", "encoders_ext/decode/hello_without_padding"],
  },
  {
    reason: "Keys of maps are texts, as in JSON.",
    syntax: /[{,]\s*(?:[0-9]+|true|false)\s*:(?!.*(?:\|\| true|&& false)$)/,
  },
  {
    reason: "Numbers are JSON's: whole ones end at 2^53, all are finite, and -0 is 0.",
    syntax: /9007199254740992|[0-9]{17,}|double\(["']-?(?:NaN|Inf)|\/ ?0\.0(?![0-9])/,
    tests: [
      "fp_math/fp_math/negative_zero",
      "fp_math/fp_math/fp_overflow_positive",
      "fp_math/fp_math/fp_overflow_negative",
    ],
  },
  {
    reason: "`type` gives the name of a JSON type, and types have no names of their own.",
    sections: ["type_deductions"],
    syntax:
      /^(?:type\((?:true|0|3\.14|null|'foo'|\[1, 2, 3\]|int|type|dyn\(\[1, 'one'\]\)|\{.*\})\)|bool|int|double|null_type|string|list|map|type|type\(0\.0\) != type\(0\))$/,
  },
  {
    reason: "These functions are not part of the language.",
    sections: ["block_ext", "math_ext", "string_ext/quote"],
  },
  {
    reason: "Names have no namespaces, except those of functions.",
    sections: ["namespace"],
    syntax: /^a\.b\.c$/,
  },
  {
    reason: "An optional is not a value: it has no type, and no list or map contains it.",
    syntax: /type\(optional\.none\(\)\)|\{'foo': optional\.none\(\)\}/,
  },
];

/** The number of tests that run in each section. Suites without a section here have none. */
const sections: { readonly [section: string]: number } = {
  "basic/self_eval_zeroish": 12,
  "basic/self_eval_nonzeroish": 12,
  "basic/variables": 3,
  "basic/functions": 3,
  "basic/reserved_const": 3,
  "bindings_ext/bind": 5,
  "comparisons/eq_literal": 49,
  "comparisons/ne_literal": 23,
  "comparisons/lt_literal": 23,
  "comparisons/gt_literal": 18,
  "comparisons/lte_literal": 23,
  "comparisons/gte_literal": 24,
  "comparisons/in_list_literal": 4,
  "comparisons/in_map_literal": 3,
  "comparisons/bound": 8,
  "conversions/double": 13,
  "conversions/int": 7,
  "conversions/string": 4,
  "conversions/type": 4,
  "conversions/bool": 12,
  "conversions/identity": 4,
  "fields/map_fields": 11,
  "fields/map_has": 3,
  "fields/quoted_map_fields": 6,
  "fields/qualified_identifier_resolution": 4,
  "fields/in": 3,
  "fp_math/fp_math": 26,
  "integer_math/int64_math": 35,
  "lists/concatenation": 6,
  "lists/index": 16,
  "lists/in": 6,
  "lists/size": 3,
  "logic/conditional": 5,
  "logic/AND": 11,
  "logic/OR": 11,
  "logic/NOT": 3,
  "macros/exists": 9,
  "macros/all": 9,
  "macros/exists_one": 8,
  "macros/map": 5,
  "macros/filter": 8,
  "macros/nested": 2,
  "macros2/exists": 9,
  "macros2/all": 10,
  "macros2/existsOne": 8,
  "macros2/transformList": 8,
  "macros2/transformMap": 8,
  "optionals/optionals": 50,
  "parse/nest": 3,
  "parse/repeat": 9,
  "parse/string_literals": 80,
  "parse/selectors": 17,
  "parse/receiver_function_names": 17,
  "plumbing/min": 1,
  "plumbing/eval_results": 2,
  "plumbing/check_inputs": 1,
  "plumbing/eval_inputs": 1,
  "string/size": 5,
  "string/starts_with": 7,
  "string/ends_with": 7,
  "string/matches": 9,
  "string/concatenation": 9,
  "string/contains": 8,
  "string_ext/char_at": 3,
  "string_ext/index_of": 14,
  "string_ext/last_index_of": 14,
  "string_ext/ascii_casing": 6,
  "string_ext/replace": 4,
  "string_ext/split": 4,
  "string_ext/substring": 6,
  "string_ext/trim": 5,
  "string_ext/join": 4,
  "string_ext/format": 48,
  "string_ext/format_errors": 13,
  "string_ext/value_errors": 9,
  "string_ext/type_errors": 27,
};

/** A value of CEL that is none of ours. */
class Foreign extends Error {}

type CelValue = Extract<IncrementalTest["original"]["resultMatcher"], { case: "value" }>["value"];

function valueOf({ kind }: CelValue): Value {
  switch (kind.case) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
    case "doubleValue":
      return kind.value;
    case "int64Value":
    case "uint64Value":
      return Number(kind.value);
    case "listValue":
      return kind.value.values.map(valueOf);
    case "mapValue":
      return Object.fromEntries(
        kind.value.entries.map(({ key, value }) => [keyOf(key), member(value)]),
      );
    case "bytesValue":
    case "enumValue":
    case "objectValue":
    case "typeValue":
    case undefined:
      throw new Foreign(kind.case);
  }
}

function keyOf(key: CelValue | undefined): string {
  if (key?.kind.case === "stringValue") return key.kind.value;
  throw new Foreign("key");
}

function member(value: CelValue | undefined): Value {
  if (value === undefined) throw new Foreign("member");
  return valueOf(value);
}

type Result = { value: Value } | "an error";

function resultOf({ original: { expr, bindings, container } }: IncrementalTest): Result {
  const parsed = parse(expr);
  if (parsed.kind === "problem") throw new Foreign(parsed.problem.kind);
  if (container !== "") throw new Foreign("container");
  const values = new Map(
    Object.entries(bindings).map(([name, { kind }]): [string, Value] => {
      if (kind.case !== "value") throw new Foreign("binding");
      return [name, valueOf(kind.value)];
    }),
  );
  const evaluated = evaluate(
    parsed.node,
    {
      lookup: (name) => {
        const value = values.get(name);
        return value === undefined ? { kind: "unknown name" } : { kind: "value", value };
      },
      names: () => [...values.keys()],
    },
    new Budget(),
  );
  return evaluated.kind === "value" ? { value: evaluated.value } : "an error";
}

function expectedOf({ original: { resultMatcher } }: IncrementalTest): Result {
  switch (resultMatcher.case) {
    case undefined:
      return { value: true };
    case "value":
      return { value: valueOf(resultMatcher.value) };
    case "evalError":
      return "an error";
    case "anyEvalErrors":
    case "anyUnknowns":
    case "typedResult":
    case "unknown":
      throw new Foreign(resultMatcher.case);
  }
}

function passes(test: IncrementalTest): boolean {
  try {
    expect(resultOf(test)).toEqual(expectedOf(test));
    return true;
  } catch {
    return false;
  }
}

const suites = getConformanceSuite().suites.flatMap(({ name, suites: parts }) =>
  parts.map((part) => ({ suite: name, section: `${name}/${part.name}`, tests: part.tests })),
);

function exclusionOf(suite: string, section: string, test: IncrementalTest): Exclusion | undefined {
  return exclusions.find(
    ({ sections: covered, syntax, tests }) =>
      covered?.includes(suite) === true ||
      covered?.includes(section) === true ||
      syntax?.test(test.original.expr) === true ||
      tests?.includes(`${section}/${test.name}`) === true,
  );
}
const cases = suites.flatMap(({ suite, section, tests }) =>
  tests.map((test) => ({ section, test, exclusion: exclusionOf(suite, section, test) })),
);

describe("the conformance tests of CEL", () => {
  it("run in the listed sections", () => {
    const running = Object.groupBy(
      cases.filter(({ exclusion }) => exclusion === undefined),
      ({ section }) => section,
    );
    expect(
      Object.fromEntries(Object.entries(running).map(([name, some = []]) => [name, some.length])),
    ).toEqual(sections);
  });

  it("pass", () => {
    const running = cases.filter(({ exclusion }) => exclusion === undefined);
    expect(running.length).toBeGreaterThan(800);
    for (const { section, test } of running)
      expect(resultOf(test), `${section}/${test.name}: ${test.original.expr}`).toEqual(
        expectedOf(test),
      );
  });

  it("are excluded only where they fail", () => {
    const passing = cases.filter(
      ({ test, exclusion }) =>
        exclusion !== undefined && test.original.resultMatcher.case !== "evalError" && passes(test),
    );
    expect(passing.map(({ section, test }) => `${section}/${test.name}`)).toEqual([]);
  });

  it.for(exclusions)("need the exclusion: $reason", (exclusion) => {
    expect(cases.some((one) => one.exclusion === exclusion)).toBe(true);
    for (const name of exclusion.tests ?? [])
      expect(cases.map(({ section, test }) => `${section}/${test.name}`)).toContain(name);
    for (const name of exclusion.sections ?? [])
      expect(suites.some(({ suite, section }) => suite === name || section === name)).toBe(true);
  });
});
