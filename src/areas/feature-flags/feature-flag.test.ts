import { describe, expect, it } from "vitest";
import { completeFlag, type FlagDraft } from "./feature-flag.ts";

const draft = (more: Partial<FlagDraft>): FlagDraft => ({
  type: "boolean",
  enabled: true,
  rules: [],
  ...more,
});

const faultsOf = (more: Partial<FlagDraft>): string[] => {
  const completed = completeFlag(draft(more));
  return "faults" in completed ? completed.faults.map(({ path }) => path.join("/")) : [];
};

describe("the draft of a flag", () => {
  it.for<[Partial<FlagDraft>, object]>([
    [{}, { variants: { on: true, off: false }, defaultVariant: "on", rules: [] }],
    [{ enabled: false }, { defaultVariant: "off" }],
    [
      { rules: [{ percentage: 10 }] },
      { defaultVariant: "off", rules: [{ percentage: 10, variant: "on" }] },
    ],
    [{ defaultVariant: "off" }, { defaultVariant: "off" }],
    [
      { type: "string", variants: { a: "A" }, defaultVariant: "a" },
      { variants: { a: "A" }, defaultVariant: "a" },
    ],
    [{ type: "number", variants: { a: 1.5 }, defaultVariant: "a" }, { type: "number" }],
    [{ type: "object", variants: { a: { b: [] } }, defaultVariant: "a" }, { type: "object" }],
  ])("is completed with defaults: %j", ([more, expected]) => {
    expect(completeFlag(draft(more))).toMatchObject({ definition: expected });
  });

  it.for<[Partial<FlagDraft>, string[]]>([
    [{ type: "string" }, ["variants"]],
    [{ variants: {} }, ["variants", "defaultVariant"]],
    [{ variants: { on: "yes", off: false } }, ["variants/on"]],
    [{ type: "string", variants: { a: 1 }, defaultVariant: "a" }, ["variants/a"]],
    [{ type: "number", variants: { a: "1" }, defaultVariant: "a" }, ["variants/a"]],
    [
      { type: "object", variants: { a: [1], b: null, c: "x" }, defaultVariant: "a" },
      ["variants/a", "variants/b", "variants/c"],
    ],
    [{ type: "string", variants: { a: "A" } }, ["defaultVariant"]],
    [{ type: "string", variants: { a: "A" }, defaultVariant: "b" }, ["defaultVariant"]],
    [{ type: "string", variants: { a: "A" }, defaultVariant: "constructor" }, ["defaultVariant"]],
    [{ variants: { yes: true } }, ["defaultVariant"]],
    [{ rules: [{}, { variant: "maybe" }] }, ["rules/1/variant"]],
    [
      { type: "string", variants: { a: "A" }, defaultVariant: "a", rules: [{}] },
      ["rules/0/variant"],
    ],
  ])("is rejected with all its faults: %j", ([more, paths]) => {
    expect(faultsOf(more)).toEqual(paths);
  });
});
