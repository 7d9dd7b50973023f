import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonMap } from "#platform/json.ts";
import { knownType } from "#test/support/draft-of-table.ts";
import { acceptable, fitting, namesIn } from "./acceptable.ts";

const types: Record<string, ReturnType<typeof knownType>> = {
  "aws:AWS::Fake::Box": knownType(
    {
      properties: {
        Name: { type: "string" },
        Sizes: { type: "array", items: { type: "integer" } },
        Lid: {
          type: "object",
          object: { properties: { Color: { type: "string" } } },
        },
      },
      required: ["Name"],
    },
    { outputs: ["Arn"] },
  ),
};
const catalogue = {
  facts: (type: string) => types[type],
  types: () => Object.keys(types),
  openProviders: new Set<string>(),
  unavailableProviders: new Set<string>(),
};

function accepted(resources: JsonMap, more: JsonMap = {}) {
  const document = { name: "x", runtime: "yaml", resources, ...more };
  const accepted = acceptable(document, catalogue);
  const { source, removed } = fitting(accepted, catalogue);
  const told = removed.map(({ section, name, path }) => [section, name, path]);
  return {
    document: source === null ? null : (parse(source) as JsonMap),
    told,
    names: [...namesIn(accepted, "resources")],
  };
}

const box = (properties: JsonMap, options?: JsonMap): JsonMap => ({
  type: "aws:AWS::Fake::Box",
  properties,
  ...(options === undefined ? {} : { options }),
});

describe("a document that is made acceptable", () => {
  it("stays unchanged where it passes", () => {
    const { document, told } = accepted({ a: box({ Name: "a", Sizes: [1] }) });
    expect(told).toEqual([]);
    expect(document?.["resources"]).toEqual({ a: box({ Name: "a", Sizes: [1] }) });
  });

  it("loses the refused parts, and no more", () => {
    const { document, told } = accepted({
      a: box({ Name: "a", Sizes: [1, "two", 3, "four"], Lid: { Color: ["red"] } }),
      b: box({ Name: "b" }),
    });
    expect(document?.["resources"]).toEqual({
      a: box({ Name: "a", Sizes: [1, 3], Lid: {} }),
      b: box({ Name: "b" }),
    });
    expect(new Set(told.map(String))).toEqual(
      new Set(["resources,a,Sizes.1", "resources,a,Sizes.3", "resources,a,Lid.Color"]),
    );
  });

  it("loses a resource without required properties, and the output that reads it", () => {
    const { document, told, names } = accepted(
      { a: box({}), b: box({ Name: "b" }) },
      { outputs: { arn: "${a.Arn}", other: "${b.Arn}" } },
    );
    expect(names).toEqual(["b"]);
    expect(document?.["outputs"]).toEqual({ other: "${b.Arn}" });
    expect(told).toContainEqual(["resources", "a", null]);
    expect(told).toContainEqual(["outputs", "arn", null]);
  });

  it("loses a resource whose import is refused, because a deploy would create the object a second time", () => {
    const { told, names } = accepted({
      a: box({ Name: "a" }, { import: "one" }),
      b: box({ Name: "b" }, { import: "one" }),
    });
    expect(names).toHaveLength(1);
    expect(told).toHaveLength(1);
    expect(told[0]?.[2]).toBeNull();
  });

  it("asks for no unused config value", () => {
    const { document } = accepted(
      { a: box({ Name: "${used}" }), b: box({ Sizes: ["${wrong}"] }) },
      {
        config: { used: { type: "string" }, wrong: { type: "string" }, unread: { type: "string" } },
      },
    );
    expect(document?.["config"]).toEqual({ used: { type: "string" } });
  });

  it("is null where no part passes", () => {
    expect(accepted({ a: box({}) })).toMatchObject({ document: null, names: [] });
    expect(accepted({})).toMatchObject({ document: null, told: [] });
  });
});
