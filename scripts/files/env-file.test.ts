import { assert, constantFrom, property, string } from "fast-check";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { formatEnvFile } from "./env-file.ts";

/** Wrangler's expansion of a parsed value without references: unescapes dollar signs. */
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
  ])("preserves %j", ([value = ""]) => {
    expect(expanded(parseEnv(formatEnvFile({ NAME: value }))["NAME"])).toBe(value);
  });

  it("preserves any value without one kind of quotation mark", () => {
    assert(
      property(string({ unit: "grapheme-ascii" }), constantFrom("'", "`"), (text, mark) => {
        const value = text.replaceAll(mark, "");
        expect(expanded(parseEnv(formatEnvFile({ NAME: value }))["NAME"])).toBe(value);
      }),
    );
  });

  it("rejects what the format cannot represent", () => {
    expect(() => formatEnvFile({ NAME: "'`\"" })).toThrow("The value of NAME cannot be passed on");
    expect(() => formatEnvFile({ NAME: "'`\\n" })).toThrow("The value of NAME cannot be passed on");
    expect(() => formatEnvFile({ NAME: "a\rb" })).toThrow("The value of NAME cannot be passed on");
    expect(() => formatEnvFile({ "a=b": "x" })).toThrow('"a=b" is not a valid variable name');
  });
});
