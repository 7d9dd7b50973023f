import { describe, expect, it } from "vitest";
import type { FlagRule } from "#schema/feature-flags.ts";
import { evaluateFlag, type FlagSubject, placeOf } from "./evaluate-flag.ts";
import type { FlagDefinition } from "./feature-flag.ts";

const acme = "00000000-0000-4000-8000-00000000000a";
const other = "00000000-0000-4000-8000-00000000000b";

function flagOf(
  rules: readonly FlagRule[],
  more: Partial<FlagDefinition> = {},
): FlagDefinition & { key: string } {
  return {
    key: "flag",
    type: "string",
    enabled: true,
    variants: { a: "A", b: "B", none: "-" },
    defaultVariant: "none",
    rules,
    ...more,
  };
}

const keys = Array.from({ length: 4000 }, (_, at) => `user-${at}`);

async function shareOf(rules: readonly FlagRule[], value: string): Promise<number> {
  const results = await Promise.all(
    keys.map((targetingKey) => evaluateFlag(flagOf(rules), { targetingKey })),
  );
  return results.filter((one) => "value" in one && one.value === value).length / keys.length;
}

describe("the variant of a flag", () => {
  it.for<[string, readonly FlagRule[], FlagSubject, unknown]>([
    ["no rules", [], {}, { variant: "none", value: "-", reason: "STATIC" }],
    ["a rule for all", [{ variant: "a" }], {}, { variant: "a", reason: "TARGETING_MATCH" }],
    [
      "a rule for the tenant",
      [{ tenantIds: [acme], variant: "a" }],
      { tenantId: acme },
      { variant: "a", value: "A", reason: "TARGETING_MATCH" },
    ],
    [
      "a rule for another tenant",
      [{ tenantIds: [other], variant: "a" }],
      { tenantId: acme },
      { variant: "none", reason: "DEFAULT" },
    ],
    [
      "a rule for tenants, asked without one",
      [{ tenantIds: [other], variant: "a" }],
      {},
      { variant: "none", reason: "DEFAULT" },
    ],
    [
      "a rule for no tenant",
      [{ tenantIds: [], variant: "a" }],
      { tenantId: acme },
      { variant: "none", reason: "DEFAULT" },
    ],
    [
      "the first of two rules that fit",
      [{ tenantIds: [acme], variant: "b" }, { variant: "a" }],
      { tenantId: acme },
      { variant: "b" },
    ],
    [
      "the second where the first does not fit",
      [{ tenantIds: [acme], variant: "b" }, { variant: "a" }],
      { tenantId: other },
      { variant: "a" },
    ],
    ["100 %, without a key", [{ percentage: 100, variant: "a" }], {}, { variant: "a" }],
    [
      "0 %, without a key",
      [{ percentage: 0, variant: "a" }],
      {},
      { variant: "none", reason: "DEFAULT" },
    ],
    [
      "50 %, without a key",
      [{ percentage: 50, variant: "a" }],
      {},
      { error: "TARGETING_KEY_MISSING" },
    ],
    [
      "50 %, with an empty key",
      [{ percentage: 50, variant: "a" }],
      { targetingKey: "" },
      { error: "TARGETING_KEY_MISSING" },
    ],
    [
      "50 % of another tenant, without a key",
      [{ tenantIds: [other], percentage: 50, variant: "a" }],
      { tenantId: acme },
      { variant: "none", reason: "DEFAULT" },
    ],
    [
      "the rest, after a share",
      [{ percentage: 50, variant: "a" }, { variant: "a" }],
      { targetingKey: "anyone" },
      { variant: "a", reason: "SPLIT" },
    ],
  ])("is right for %s", async ([, rules, subject, expected]) => {
    expect(await evaluateFlag(flagOf(rules), subject)).toMatchObject(expected as object);
  });

  it("is the default variant while the flag is disabled, whatever the rules", async () => {
    const flag = flagOf([{ variant: "a" }], { enabled: false });
    const expected = { value: "-", variant: "none", reason: "DISABLED" };
    expect(await evaluateFlag(flag, { tenantId: acme, targetingKey: "x" })).toEqual(expected);
  });

  it("has the reason SPLIT inside and outside the percentage", async () => {
    const reasons = await Promise.all(
      keys
        .slice(0, 50)
        .map((targetingKey) =>
          evaluateFlag(flagOf([{ percentage: 50, variant: "a" }]), { targetingKey }),
        ),
    );
    const seen = reasons.map((one) => ("value" in one ? `${one.variant} ${one.reason}` : "error"));
    expect(new Set(seen)).toEqual(new Set(["a SPLIT", "none SPLIT"]));
  });

  it("finds variants by own properties only", async () => {
    const variants = JSON.parse('{"__proto__":"mine"}') as Record<string, string>;
    const flag = flagOf([], { variants, defaultVariant: "__proto__" });
    expect(await evaluateFlag(flag, {})).toMatchObject({ value: "mine" });
    const borrowed = flagOf([], { variants: {}, defaultVariant: "constructor" });
    expect(await evaluateFlag(borrowed, {})).toMatchObject({ value: null });
  });
});

describe("a percentage", () => {
  it.for([1, 20, 50, 99])("of %i selects about as many", async (percentage) => {
    const share = await shareOf([{ percentage, variant: "a" }], "A");
    expect(Math.abs(share - percentage / 100)).toBeLessThan(0.025);
  });

  it("selects the part of the range after the previous rule", async () => {
    const rules = [
      { percentage: 50, variant: "a" },
      { percentage: 30, variant: "b" },
    ];
    expect(Math.abs((await shareOf(rules, "A")) - 0.5)).toBeLessThan(0.025);
    expect(Math.abs((await shareOf(rules, "B")) - 0.3)).toBeLessThan(0.025);
    expect(Math.abs((await shareOf(rules, "-")) - 0.2)).toBeLessThan(0.025);
  });

  it("leaves nobody for the default if the percentages reach 100", async () => {
    for (const second of [50, 80]) {
      const rules = [
        { percentage: 50, variant: "a" },
        { percentage: second, variant: "b" },
      ];
      expect(await shareOf(rules, "-")).toBe(0);
    }
  });

  it("keeps its subjects when it is raised", async () => {
    const takenBy = async (percentage: number) => {
      const flag = flagOf([{ percentage, variant: "a" }]);
      const results = await Promise.all(
        keys.map((targetingKey) => evaluateFlag(flag, { targetingKey })),
      );
      return keys.filter((_, at) => {
        const result = results[at];
        return result !== undefined && "value" in result && result.value === "A";
      });
    };
    const [few, many] = [await takenBy(20), new Set(await takenBy(40))];
    expect(few.length).toBeGreaterThan(700);
    expect(few.filter((key) => !many.has(key))).toEqual([]);
  });
});

describe("the place of a targeting key", () => {
  it("never changes, per flag", async () => {
    expect(await placeOf("flag", "user-1")).toBeCloseTo(14.327559666708112, 6);
    expect(await placeOf("flag", "user-1")).toBe(await placeOf("flag", "user-1"));
    expect(await placeOf("other", "user-1")).not.toBe(await placeOf("flag", "user-1"));
  });

  it("is in the range", async () => {
    const places = await Promise.all(keys.map((key) => placeOf("flag", key)));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThan(100);
  });
});
