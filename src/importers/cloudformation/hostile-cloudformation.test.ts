import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { sizeOf } from "#importers/text/joined-text.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { cloudFormationParser } from "./cloudformation.ts";

/** Processor time. Each of these took several times as much before. */
const MAX_SECONDS = 2.5;
/** The values that an import may read again: half the units of its reading. */
const MAX_VALUES = 1_000_000;

/** The values of these templates, the warnings, and the seconds of a processor that reading them takes. */
function read(templates: Readonly<Record<string, object>>) {
  const files = Object.entries(templates).map(([path, of]) => ({ path, text: JSON.stringify(of) }));
  const log = new ImportLog();
  const spentMs = processorTime();
  const { modules } = parsedBy(cloudFormationParser, files, log);
  const seconds = spentMs() / 1000;
  const read = modules.flatMap(({ resources, locals }) => [
    ...resources.flatMap(({ settings, when, forEach }) => [settings, when, forEach]),
    ...locals.map(({ value }) => value),
  ]);
  const values = read.reduce((sum, one) => sum + (one ? sizeOf(one, MAX_VALUES) : 0), 0);
  return { modules, values, seconds, codes: new Set(log.warnings().map(({ code }) => code)) };
}

type Entries = (length: number, of: (at: number) => [string, unknown]) => Record<string, unknown>;
const map: Entries = (length, of) => Object.fromEntries(Array.from({ length }, (_, at) => of(at)));
const list = (length: number, of: (at: number) => unknown) =>
  Array.from({ length }, (_, at) => of(at));
const topic = (properties: object, more: object = {}) => ({
  Type: "AWS::SNS::Topic",
  ...more,
  Properties: properties,
});
const ref = { Ref: "P" };
const parameters = { P: { Type: "String" }, L: { Type: "CommaDelimitedList" } };
const looping = { AWSTemplateFormatVersion: "2010-09-09", Transform: "AWS::LanguageExtensions" };

it("a choice between many mappings at many places", () => {
  const { values, seconds } = read({
    "a.json": {
      Parameters: parameters,
      Mappings: map(1_500, (at) => [`M${at}`, { a: { b: "c" } }]),
      Resources: { T: topic({ X: list(6_000, () => ({ "Fn::FindInMap": [ref, "a", "b"] })) }) },
    },
  });
  expect(values).toBeLessThan(MAX_VALUES);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("a choice of resources in a long mapping at many places", () => {
  const { values, seconds } = read({
    "a.json": {
      Parameters: parameters,
      Mappings: { M: map(4_000, (at) => [`k${at}`, { b: "T" }]) },
      Resources: {
        T: topic({ X: list(6_000, () => ({ Ref: { "Fn::FindInMap": ["M", ref, "b"] } })) }),
      },
    },
  });
  expect(values).toBeLessThan(MAX_VALUES);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("long lists of mappings that many templates find at many places", () => {
  const found = { "Fn::FindInMap": ["M", "a", "b"] };
  const { values, codes, seconds } = read(
    map(100, (at) => [
      `a${at}.json`,
      {
        Mappings: { M: { a: { b: list(50, () => "x") } } },
        Resources: { T: topic({ X: list(390, () => found) }) },
      },
    ]) as Record<string, object>,
  );
  expect(codes).toEqual(new Set());
  expect(values).toBeLessThan(MAX_VALUES);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("names that are compared with the ids of many loops", () => {
  const { seconds } = read({
    "a.json": {
      ...looping,
      Parameters: parameters,
      Resources: {
        ...map(3_000, (at) => [
          `Fn::ForEach::L${at}`,
          ["N", { Ref: "L" }, { [`T${at}\${N}X`]: topic({}) }],
        ]),
        T: topic({ X: list(25_000, (at) => ({ Ref: `T${at % 9}Y${at}` })) }),
      },
    },
  });
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("a long list that each resource of a loop runs over", () => {
  const { values, codes, seconds } = read({
    "a.json": {
      ...looping,
      Parameters: parameters,
      Resources: {
        "Fn::ForEach::L": [
          "N",
          { "Fn::Split": [",", { "Fn::Join": [ref, list(5_000, () => ref)] }] },
          map(4_000, (at) => [`T${at}\${N}X`, topic({})]),
        ],
      },
    },
  });
  expect(codes).toContain("too_many_values");
  expect(values).toBeLessThan(MAX_VALUES);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("a long text in each of many turns of a loop", () => {
  const { modules, codes, seconds } = read({
    "a.json": {
      ...looping,
      Resources: {
        "Fn::ForEach::L": [
          "N",
          list(8_000, (at) => `n${at}`),
          { "T${N}": topic({ X: `\${N}${"x=y ".repeat(50_000)}` }) },
        ],
      },
    },
  });
  expect(codes).toContain("too_many_values");
  expect(modules[0]?.resources.length).toBeLessThan(20);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("loops of many templates, which together make more than an import may have", () => {
  const turns = list(120, (at) => `n${at}`);
  const { values, codes, seconds } = read(
    map(120, (at) => [
      `a${at}.json`,
      {
        ...looping,
        Resources: {
          T: topic({
            "Fn::ForEach::A": ["A", turns, { "Fn::ForEach::B": ["B", turns, { "${A}${B}": 1 }] }],
          }),
        },
      },
    ]) as Record<string, object>,
  );
  expect(codes).toContain("too_many_values");
  expect(values).toBeGreaterThan(20_000);
  expect(values).toBeLessThan(MAX_VALUES);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("conditions of many parts that many templates name at many places", () => {
  const parts = { "Fn::And": list(10, (at) => ({ "Fn::Not": [{ Condition: `C${at}` }] })) };
  const either = { "Fn::If": ["All", 1, 2] };
  const { values, seconds } = read(
    map(300, (at) => [
      `a${at}.json`,
      {
        Parameters: parameters,
        Conditions: {
          All: parts,
          ...map(10, (one) => [`C${one}`, { "Fn::Equals": [ref, `${one}`] }]),
        },
        Resources: { T: topic({ X: list(600, () => either) }) },
      },
    ]) as Record<string, object>,
  );
  expect(values).toBeLessThan(MAX_VALUES);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("addresses of nested stacks beside many files of the same name", () => {
  const stack = {
    Type: "AWS::CloudFormation::Stack",
    Properties: { TemplateURL: "https://b.s3.amazonaws.com/x/template.json" },
  };
  const { seconds } = read({
    ...(map(1_500, (at) => [`f${at}/template.json`, { Resources: {} }]) as Record<string, object>),
    "a.json": { Resources: map(20_000, (at) => [`S${at}`, stack]) },
  });
  expect(seconds).toBeLessThan(MAX_SECONDS);
});
