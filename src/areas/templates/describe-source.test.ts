import { describe, expect, it } from "vitest";
import { describeSource } from "./describe-source.ts";

describe("describeSource", () => {
  it("parses the source of a request once", () => {
    const body = { source: "name: a" };
    const description = describeSource(body, body.source);
    expect(description.valid).toBe(true);
    expect(describeSource(body, body.source)).toBe(description);
    expect(describeSource({ ...body }, body.source)).not.toBe(description);
  });
});
