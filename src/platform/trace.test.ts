import { describe, expect, it } from "vitest";
import { parseTraceparent, traceparentOf } from "./trace.ts";

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

describe("traceparentOf", () => {
  const trace = { traceId, flags: "01" };

  it("keeps the trace and starts a new span each time", () => {
    const [one, other] = [traceparentOf(trace), traceparentOf(trace)];
    expect(one).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(one).not.toBe(other);
    expect(parseTraceparent(one)).toEqual(trace);
  });

  it("never uses the invalid all-zero span id", () => {
    expect(parseTraceparent(traceparentOf(trace, new Uint8Array(8)))).toEqual(trace);
  });
});
