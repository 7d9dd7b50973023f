import { expect, it } from "vitest";
import { unknownWords } from "./mapping-words.ts";

it("finds unknown words at every place of a table", () => {
  const wrong = { to: "A", wrong: 1 };
  const table = {
    provider: "fake",
    wrong: 1,
    common: { a: wrong },
    types: {
      fake_a: {
        type: "x",
        wrong: 1,
        properties: { b: { to: "", members: { c: { to: "C", more: [wrong] } } } },
        beside: [{ each: "d", wrong: 1, members: { e: wrong } }],
        outputs: { any: "Word" },
      },
    },
    variants: { fake_b: { by: "f", wrong: 1, of: { kind: { type: "x", wrong: 1 } } } },
    parts: { fake_c: { partOf: "g", wrong: 1, properties: { h: wrong } } },
  };
  expect(unknownWords(table)).toEqual([
    ".wrong",
    "common.a.wrong",
    "fake_a.wrong",
    "fake_a.b.c.more.0.wrong",
    "fake_a.beside.0.wrong",
    "fake_a.beside.0.e.wrong",
    "fake_b.wrong",
    "fake_b kind.wrong",
    "fake_c.wrong",
    "fake_c.h.wrong",
  ]);
  expect(
    unknownWords({ provider: "fake", naming: "same", types: { fake_a: { type: "x" } } }),
  ).toEqual([]);
});
