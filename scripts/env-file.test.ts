import { assert, constantFrom, property, string } from "fast-check";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { formatEnvFile } from "./env-file.ts";

/** What Wrangler's expansion makes of a parsed value without a live reference: escaped dollar signs are bare again. */
const expanded = (value: string | undefined): string | undefined => {
  expect(value).not.toMatch(/(?<!\\)\$/);
  return value?.replaceAll(String.raw`\$`, "$");
};

describe("an env file", () => {
  it.for([
    ["plain"],
    [""],
    ["a b # c"],
    ["it's"],
    ['say "yes"'],
    [`it's "both"`],
    ["line 1\nline 2"],
    ['{"mock":"http://127.0.0.1:9"}'],
    ["costs $HOME or ${HOME}"],
    [String.raw`a \n b`],
    ["  padded  "],
  ])("carries %j", ([value = ""]) => {
    expect(expanded(parseEnv(formatEnvFile({ NAME: value }))["NAME"])).toBe(value);
  });

  it("carries any value that leaves out one kind of quotation mark", () => {
    assert(
      property(string({ unit: "grapheme-ascii" }), constantFrom("'", "`"), (text, mark) => {
        const value = text.replaceAll(mark, "");
        expect(expanded(parseEnv(formatEnvFile({ NAME: value }))["NAME"])).toBe(value);
      }),
    );
  });

  it("refuses what the format cannot carry", () => {
    expect(() => formatEnvFile({ NAME: "'`\"" })).toThrow("The value of NAME cannot be handed on");
    expect(() => formatEnvFile({ NAME: "'`\\n" })).toThrow("The value of NAME cannot be handed on");
    expect(() => formatEnvFile({ NAME: "a\rb" })).toThrow("The value of NAME cannot be handed on");
    expect(() => formatEnvFile({ "a=b": "x" })).toThrow('"a=b" cannot be a variable');
  });
});
