import { describe, expect, it } from "vitest";
import { describeSource } from "./describe-source.ts";

describe("describeSource", () => {
  it("parses the source of one request once, however often it is asked", () => {
    const body = { source: "name: a" };
    const description = describeSource(body, body.source);
    expect(description.valid).toBe(true);
    expect(describeSource(body, body.source)).toBe(description);
    expect(describeSource({ ...body }, body.source)).not.toBe(description);
  });
});
