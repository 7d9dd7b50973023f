import { describe, expect, it } from "vitest";
import { parseTracestate } from "./tracestate.ts";

const members = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => `m${at}=`.padEnd(length, "x"));

describe("parseTracestate", () => {
  it.each([
    ["one member", "rojo=00f067aa0ba902b7", "rojo=00f067aa0ba902b7"],
    ["several, in their order", "b=2,a=1", "b=2,a=1"],
    ["spaces around members, and empty ones", " a=1 ,\t,, b=2,", "a=1,b=2"],
    ["a key of a tenant's system", "0fw529@nr=v, a_-*/z=1", "0fw529@nr=v,a_-*/z=1"],
    ["spaces inside a value", "a=x y !~", "a=x y !~"],
    ["as many members as there may be", members(32, 6).join(","), members(32, 6).join(",")],
  ])("keeps %s", (_, header, kept) => {
    expect(parseTracestate(header)).toBe(kept);
  });

  it.each([
    ["nothing", undefined],
    ["an empty one", " , ,"],
    ["a member without a value", "a=1,b"],
    ["an empty value", "a="],
    ["an equals sign in a value", "a=b=c"],
    ["an empty key", "=1"],
    ["a capital letter in a key", "A=1"],
    ["a key that begins with a digit", "1a=1"],
    ["a space before the equals sign", "a =1"],
    ["two systems in a key", "a@b@c=1"],
    ["a key that is too long", `${"a".repeat(257)}=1`],
    ["a value that is too long", `a=${"1".repeat(257)}`],
    ["a control character", "a=1\u00002"],
    ["a line break", "a=1\r\nx: y"],
    ["other than ASCII", "a=ü"],
    ["a key twice", "a=1,b=2,a=3"],
    ["too many members", members(33, 6).join(",")],
  ])("drops the whole header with %s", (_, header) => {
    expect(parseTracestate(header)).toBeUndefined();
  });

  it("shortens more than 512 characters: first by long members, then by the last ones", () => {
    const exact = members(4, 127).map((member, at) => (at === 0 ? `${member}x` : member));
    expect(parseTracestate(exact.join(","))).toHaveLength(512);
    expect(parseTracestate([...exact, "z=1"].join(","))).toBe(exact.join(","));
    const [long] = members(1, 129);
    const short = ["b=2", ...members(3, 128).map((member) => `k${member}`.slice(0, 128)), "c=3"];
    expect(parseTracestate([long, ...short].join(","))).toBe(short.join(","));
  });

  it("takes linear time", () => {
    const startedMs = performance.now();
    parseTracestate(`a=1${" ".repeat(200_000)}x`);
    parseTracestate("a=1,".repeat(50_000));
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
