import { describe, expect, it } from "vitest";
import { parseTraceparent, traceHeaders, traceOf, withoutState } from "./trace.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

describe("parseTraceparent", () => {
  it.each([
    ["of version 00", `00-${traceId}-${spanId}-01`, "01"],
    ["not recorded", `00-${traceId}-${spanId}-00`, "00"],
    ["with unknown flags", `00-${traceId}-${spanId}-ff`, "03"],
    ["of a later version", `01-${traceId}-${spanId}-01`, "01"],
    [
      "of a later version with more fields",
      `cc-${traceId}-${spanId}-01-what-the-future-will-be`,
      "01",
    ],
  ])("parses one %s", (_, header, flags) => {
    expect(parseTraceparent(header)).toEqual({ traceId, flags });
  });

  it.each([
    ["none", undefined],
    ["an empty one", ""],
    ["the version ff", `ff-${traceId}-${spanId}-01`],
    ["extra fields in version 00", `00-${traceId}-${spanId}-01-more`],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${spanId}-01`],
    ["a span id of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["capital letters", `00-${traceId.toUpperCase()}-${spanId}-01`],
    ["a short trace id", `00-${traceId.slice(1)}-${spanId}-01`],
    ["no flags", `00-${traceId}-${spanId}`],
    ["leading text", ` 00-${traceId}-${spanId}-01`],
    ["trailing text", `00-${traceId}-${spanId}-01 `],
    ["two headers", `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ["a later version with an invalid separator", `01-${traceId}-${spanId}-01.x`],
  ])("ignores %s", (_, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});

describe("traceOf", () => {
  const header = `00-${traceId}-${spanId}-01`;

  it("continues the caller's trace, with its tracestate", () => {
    expect(traceOf(header, "vendor=value")).toEqual({
      traceId,
      flags: "01",
      state: "vendor=value",
    });
    expect(traceOf(header, undefined)).toEqual({ traceId, flags: "01" });
    expect(traceOf(header, "not valid")).toEqual({ traceId, flags: "01" });
  });

  it.each([undefined, "", "00-zz-zz-01"])("begins a trace for the traceparent %j", (malformed) => {
    const [one, other] = [traceOf(malformed, "vendor=value"), traceOf(malformed, undefined)];
    expect(one).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      flags: "00",
      begunHere: true,
    });
    expect(one.traceId).not.toBe(other.traceId);
    expect(traceOf(malformed, undefined, new Uint8Array(16)).traceId).toBe(`${"0".repeat(31)}1`);
  });
});

describe("traceHeaders", () => {
  const trace = { traceId, flags: "01", state: "vendor=value" };
  const headerOf = (...args: Parameters<typeof traceHeaders>) => traceHeaders(...args).traceparent;

  it("keep the trace and start a new span each time", () => {
    const [one, other] = [headerOf(trace), headerOf(trace)];
    expect(one).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(one).not.toBe(other);
    expect(parseTraceparent(one)).toEqual(withoutState(trace));
  });

  it("never use the invalid all-zero span id", () => {
    expect(headerOf(trace, new Uint8Array(8))).toBe(`00-${traceId}-0000000000000001-01`);
  });

  it("have the caller's tracestate, if there is one", () => {
    expect(traceHeaders(trace)).toHaveProperty("tracestate", "vendor=value");
    expect(traceHeaders(withoutState(trace))).not.toHaveProperty("tracestate");
  });

  it("are absent without a caller's trace", () => {
    expect(traceHeaders(undefined)).toEqual({});
    expect(traceHeaders(traceOf(undefined, undefined))).toEqual({});
  });
});
