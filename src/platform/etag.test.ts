import { describe, expect, it } from "vitest";
import { matchesIfNoneMatch, allowedByIfMatch } from "./etag.ts";

describe("If-None-Match", () => {
  it.each([
    [undefined, '"5"', false],
    ["", '"5"', false],
    ['"5"', '"5"', true],
    ['W/"5"', '"5"', true],
    ['"5"', 'W/"5"', true],
    ['"4", W/"5"', '"5"', true],
    ["*", '"5"', true],
    ['"4", *', '"5"', false],
    ["5", '"5"', false],
    ['"50"', '"5"', false],
    ['w/"5"', '"5"', false],
  ])("%s matches %s: %s", (header, etag, known) => {
    expect(matchesIfNoneMatch(header, etag)).toBe(known);
  });
});

describe("If-Match", () => {
  it.each([
    [undefined, '"5"', true],
    ["", '"5"', false],
    ['"5"', '"5"', true],
    ['"4", "5"', '"5"', true],
    ["*", '"5"', true],
    ['W/"5"', '"5"', false],
    ['W/"5"', 'W/"5"', false],
    ['"4", *', '"5"', false],
    ["5", '"5"', false],
  ])("%s allows changing %s: %s", (header, etag, allowed) => {
    expect(allowedByIfMatch(header, etag)).toBe(allowed);
  });
});
