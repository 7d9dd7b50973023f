import { expect, it } from "vitest";
import { isArmExpression, parseArmExpression, unescapedArm } from "./arm-syntax.ts";

const text = (value: string) => ({ kind: "literal", value });
const call = (name: string, args: object[], path: object[] = []) => ({
  kind: "call",
  name,
  args,
  path: path.map((node) => ({ node, isOptional: false })),
});

it.for<[string, object | undefined]>([
  ["['it''s']", text("it's")],
  ["[ 12 ]", { kind: "literal", value: 12 }],
  ["[f()]", call("f", [])],
  [
    "[concat('a,)', g(1, -2))]",
    call("concat", [
      text("a,)"),
      call("g", [
        { kind: "literal", value: 1 },
        { kind: "literal", value: -2 },
      ]),
    ]),
  ],
  [
    "[p('x').a[0]['c']]",
    call("p", [text("x")], [text("a"), { kind: "literal", value: 0 }, text("c")]),
  ],
  [
    "[p().?b[?0]]",
    {
      ...call("p", []),
      path: [
        { node: text("b"), isOptional: true },
        { node: { kind: "literal", value: 0 }, isOptional: true },
      ],
    },
  ],
  ["[p('x')[q('y').z]]", call("p", [text("x")], [call("q", [text("y")], [text("z")])])],
  ["[ns.own( 'a' )]", call("ns.own", [text("a")])],
  ["[f('\n')\n ]", call("f", [text("\n")])],
  ["[]", undefined],
  ["[f(]", undefined],
  ["[f('a]", undefined],
  ["[f() g()]", undefined],
  ["[f(1,)]", undefined],
  ["[name]", undefined],
  ["[f().]", undefined],
])("reads %s", ([source, expected]) => {
  expect(parseArmExpression(source)).toEqual(expected);
});

it.for([
  ["calls", `[${"f(".repeat(200_000)}${")".repeat(200_000)}]`],
  ["unclosed calls", `[${"f(".repeat(200_000)}]`],
  ["quotation marks", `[f(${"'a".repeat(200_000)}]`],
  ["spaces", `[f(${" ".repeat(200_000)}g${" ".repeat(200_000)}]`],
])("gives up on many %s without delay", ([, source]) => {
  expect(parseArmExpression(source ?? "")).toBeUndefined();
});

it("reads long paths and long lists of arguments", () => {
  expect(parseArmExpression(`[f()${".a".repeat(100_000)}]`)).toMatchObject({ kind: "call" });
  expect(parseArmExpression(`[f(${"1,".repeat(100_000)}1)]`)).toMatchObject({ kind: "call" });
});

it("recognises expressions", () => {
  expect(["[a()]", "[[a]", "[a", "a]", ""].map(isArmExpression)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(["[[a]", "[a", "a"].map(unescapedArm)).toEqual(["[a]", "[a", "a"]);
});
