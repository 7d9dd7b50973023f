import { describe, expect, it, vi } from "vitest";
import { describeSource } from "./describe-source.ts";

const assets = {
  fetch: vi.fn<() => Promise<Response>>(async () => new Response(null, { status: 500 })),
};

describe("describeSource", () => {
  it("parses the source of a request once, without reading a catalogue that it does not need", async () => {
    const body = { source: "resources: { a: { type: mock:Bucket, properties: { name: a } } }" };
    const description = await describeSource(assets, body, body.source);
    expect(description.valid).toBe(true);
    expect(await describeSource(assets, body, body.source)).toBe(description);
    expect(await describeSource(assets, { ...body }, body.source)).not.toBe(description);
    expect(assets.fetch).not.toHaveBeenCalled();
  });

  it("asks to repeat the request when the catalogue cannot be read", async () => {
    const body = { source: "resources: { a: { type: 'azure:Microsoft.Fake/things' } }" };
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    // The module keeps the catalogue that other suites of this process have read.
    vi.resetModules();
    const fresh = await import("./describe-source.ts");
    await expect(fresh.describeSource(assets, body, body.source)).rejects.toMatchObject({
      code: "unavailable",
    });
    error.mockRestore();
  });
});
