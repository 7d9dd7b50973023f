/** Generates expressions of a source, with secrets in the places where a source has them. */
import * as fc from "fast-check";
import type { Expression, Member, ReferenceTarget } from "#importers/expression.ts";
import { anyCharacter } from "./any-character.ts";
import {
  functions,
  hostileNames,
  hostileTexts,
  plainNames,
  secretNames,
  settingNames,
} from "./generated-words.ts";

/** Stands for a secret of the source. It must not be in the result of an import. */
export const CANARY = "canary-of-the-source";

export const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...plainNames) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileNames) },
);
export const text = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.constantFrom("nyc3", "web", "tcp", "22", "shop.example", "eu-central-1"),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
);
const literal = scalar.map((value): Expression => ({ kind: "literal", value }));

/** Within a module with these addresses. */
export function expressions(addresses: readonly string[], calls: readonly string[]) {
  const target = fc.oneof(
    fc
      .constantFrom(...addresses, "data.aws_region.x", "no.such")
      .map((address): ReferenceTarget => ({ kind: "resource", address })),
    name.map((one): ReferenceTarget => ({ kind: "variable", name: one })),
    name.map((one): ReferenceTarget => ({ kind: "local", name: one })),
    fc.constantFrom<ReferenceTarget>(
      { kind: "each", name: "key" },
      { kind: "each", name: "value" },
      { kind: "count", name: "index" },
      { kind: "item", name: "k" },
      { kind: "item", name: "v" },
    ),
    fc
      .constantFrom(...calls, "none")
      .map((one): ReferenceTarget => ({ kind: "module", name: one })),
  );
  const path = fc.array(fc.oneof(name, fc.constantFrom("id", "arn", "name"), fc.nat(3)), {
    maxLength: 3,
  });
  const reference = fc
    .tuple(target, path)
    .map(([to, steps]): Expression => ({ kind: "reference", target: to, path: steps, line: 9 }));
  return fc.letrec<{ any: Expression }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 4, arbitrary: literal },
      { weight: 3, arbitrary: reference },
      fc.constantFrom<Expression>(
        { kind: "opaque", text: "a ? b : c", references: [], line: 3 },
        { kind: "opaque", text: "", references: [], line: 3 },
      ),
      fc.array(tie("any"), { maxLength: 3 }).map((items): Expression => ({ kind: "list", items })),
      members(tie("any")).map((of): Expression => ({ kind: "object", members: of })),
      fc
        .array(tie("any"), { minLength: 1, maxLength: 3 })
        .map((parts): Expression => ({ kind: "text", parts })),
      fc
        .tuple(fc.constantFrom(...functions), fc.array(tie("any"), { maxLength: 3 }))
        .map(([called, args]): Expression => ({ kind: "call", name: called, args, line: 5 })),
      forOf(tie("any")),
      fc
        .array(
          fc.oneof(forOf(members(tie("any")).map(objectOf)), members(tie("any")).map(objectOf)),
          {
            minLength: 1,
            maxLength: 3,
          },
        )
        .map((args): Expression => ({ kind: "call", name: "{}", args, line: 5 })),
    ),
  })).any;
}

function objectOf(of: readonly Member[]): Expression {
  return { kind: "object", members: of };
}

/** A `for`, mostly over a literal. */
function forOf(any: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc
    .record({
      names: fc.constantFrom(["v"], ["k", "v"]),
      of: fc.oneof(
        fc.array(any, { maxLength: 3 }).map((items): Expression => ({ kind: "list", items })),
        members(any).map(objectOf),
        any,
      ),
      key: fc.option(any, { nil: undefined }),
      value: any,
      condition: fc.option(any, { nil: undefined, freq: 1 }),
      isGrouped: fc.boolean(),
    })
    .map((made): Expression => ({ kind: "for", ...made, line: 6 }));
}

/** A secret of a source, in each possible form. */
const secret: fc.Arbitrary<Expression> = fc.constantFrom<Expression>(
  { kind: "literal", value: CANARY },
  {
    kind: "text",
    parts: [
      { kind: "literal", value: `${CANARY}-` },
      { kind: "literal", value: 1 },
    ],
  },
  { kind: "list", items: [{ kind: "literal", value: CANARY }] },
  {
    kind: "object",
    members: [{ name: "value", value: { kind: "literal", value: CANARY }, line: 4 }],
  },
  {
    kind: "call",
    name: "jsonencode",
    args: [
      {
        kind: "object",
        members: [{ name: "pass", value: { kind: "literal", value: CANARY }, line: 4 }],
      },
    ],
    line: 4,
  },
  { kind: "reference", target: { kind: "local", name: "hidden" }, path: [], line: 4 },
  { kind: "reference", target: { kind: "variable", name: "plain" }, path: [], line: 4 },
);

const secretMember = fc
  .tuple(fc.constantFrom(...secretNames), secret)
  .map(([own, value]): Member => ({ name: own, value, line: 4 }));
/** A secret in a place with another name: in a URL, or beside a member that names it. */
const toldMember = fc.constantFrom<Member>(
  {
    name: "image",
    value: { kind: "literal", value: `https://someone:${CANARY}@host.example/x` },
    line: 4,
  },
  {
    name: "env",
    value: {
      kind: "list",
      items: [
        {
          kind: "object",
          members: [
            { name: "name", value: { kind: "literal", value: "DB_PASSWORD" }, line: 4 },
            { name: "value", value: { kind: "literal", value: CANARY }, line: 4 },
          ],
        },
      ],
    },
    line: 4,
  },
  {
    name: "tags",
    value: {
      kind: "object",
      members: [{ name: "api_key", value: { kind: "literal", value: CANARY }, line: 4 }],
    },
    line: 4,
  },
);

export function members(value: fc.Arbitrary<Expression>): fc.Arbitrary<Member[]> {
  const plain = fc
    .tuple(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...settingNames) }, name), value)
    .map(([own, of]): Member => ({ name: own, value: of, line: 5 }));
  return fc.uniqueArray(
    fc.oneof({ weight: 8, arbitrary: plain }, { weight: 1, arbitrary: secretMember }, toldMember),
    { maxLength: 5, selector: (one) => one.name },
  );
}
