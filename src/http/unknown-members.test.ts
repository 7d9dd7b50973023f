import { describe, expect, it } from "vitest";
import * as z from "zod";
import { FreeMap } from "./schemas.ts";
import { unknownMembers } from "./unknown-members.ts";

const Rule = z.object({ percentage: z.number().optional() });
const Body = z
  .object({
    name: z.string(),
    variables: FreeMap.optional(),
    rules: z.array(Rule).max(3).default([]),
    byKey: z.record(z.string(), Rule.nullable()).optional(),
    loose: z.looseObject({ inner: Rule }).optional(),
    one: z
      .discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), condition: Rule.default({}) }),
        z.object({ kind: z.literal("b"), size: z.number() }),
      ])
      .optional(),
    either: z.union([z.string(), Rule]).optional(),
  })
  .transform((body) => body);

const pointers = (value: unknown) =>
  unknownMembers(Body, value).map(({ path }) => `/${path.join("/")}`);

describe("unknown members", () => {
  it.each<[unknown, string[]]>([
    [{ name: "x" }, []],
    [{ nam: "x" }, ["/nam"]],
    [{ Name: "x", name: "x" }, ["/Name"]],
    [JSON.parse('{"__proto__": {}, "constructor": 1}'), ["/__proto__", "/constructor"]],
    [{ rules: [{}, { percent: 1 }] }, ["/rules/1/percent"]],
    [{ byKey: { a: { percent: 1 }, b: null } }, ["/byKey/a/percent"]],
    [{ variables: { anything: { deep: [{ at: "all" }] } } }, []],
    [{ loose: { more: 1, inner: { percent: 1 } } }, ["/loose/inner/percent"]],
    [{ one: { kind: "a", condition: { percent: 1 } } }, ["/one/condition/percent"]],
    [{ one: { kind: "b", condition: {} } }, ["/one/condition"]],
    [{ one: { kind: "c", condition: {} } }, []],
    [{ either: { percentage: 1, percent: 1 } }, ["/either/percent"]],
    [{ either: "text" }, []],
    [null, []],
    [[{ nam: 1 }], []],
    ["text", []],
  ])("of %j are %j", (value, expected) => {
    expect(pointers(value)).toEqual(expected);
  });

  it("come with the names that are declared in their place", () => {
    expect(unknownMembers(Body, { rules: [{ percent: 1 }] })).toEqual([
      { path: ["rules", "0", "percent"], known: ["percentage"] },
    ]);
  });
});
