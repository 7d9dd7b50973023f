import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "#kernel/errors.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";

let { builtFile } = await import("./built-file.ts");

beforeEach(async () => {
  vi.resetModules();
  ({ builtFile } = await import("./built-file.ts"));
});

it("reads each file once, and tells them apart", async () => {
  const fetch = vi.fn<Assets["fetch"]>(async (url) => new Response(`of ${new URL(url).pathname}`));
  const json = await builtFile({ fetch }, "openapi/openapi.json");
  const yaml = await builtFile({ fetch }, "openapi/openapi.yaml");
  expect(json.text).toBe("of /openapi/openapi.json");
  expect(yaml.text).toBe("of /openapi/openapi.yaml");
  expect(json.etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(json.etag).not.toBe(yaml.etag);
  expect(await builtFile({ fetch }, "openapi/openapi.json")).toBe(json);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it("answers 503 while the assets fail or lack it, and keeps nothing of that", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const failures = [
    async () => new Response("<html>", { status: 404 }),
    async () => new Response("", { status: 500 }),
    async () => Promise.reject(new Error("no assets")),
  ];
  for (const fetch of failures) {
    const failed = await builtFile({ fetch }, "openapi/openapi.json").catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ name: ApiError.name, code: "unavailable" });
  }
  expect(log).toHaveBeenCalledTimes(failures.length);
  const fetch = async () => new Response("{}");
  expect((await builtFile({ fetch }, "openapi/openapi.json")).text).toBe("{}");
});
