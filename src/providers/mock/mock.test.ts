import { describe, expect, it } from "vitest";
import { empty, json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { MOCK_CONFIG_HEADER, MockConfig } from "./config.ts";
import { mockProvider } from "./mock-provider.ts";

const read = { type: "mock:Server", id: "srv-1", properties: { name: "a" } };

describe("the config header", () => {
  it("sends the known config keys to the built-in cloud in ASCII", async () => {
    const cloud = scriptedCloud(empty(404));
    const faults = [{ kind: "servers", name: "höst\n", on: "read" }];
    const config = { latencyMs: 5, faults, note: "mine" };
    await mockProvider().read(cloud.context({ config, credential: null }), read);
    const header = cloud.requests[0]?.headers.get(MOCK_CONFIG_HEADER) ?? "";
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(header)).toEqual(MockConfig.parse(config));
    expect(header).not.toContain("mine");
  });

  it("is not sent to an endpoint set by the operator", async () => {
    const cloud = scriptedCloud(empty(404));
    await mockProvider().read(cloud.context({ endpoint: "http://localhost:9" }), read);
    expect(cloud.requests[0]?.headers.has(MOCK_CONFIG_HEADER)).toBe(false);
  });

  it("is not sent when the config is invalid; the outcome names the field", async () => {
    const cloud = scriptedCloud();
    const config = { latencyMs: -1, faults: [{ kind: "servers", on: "read", effect: "fails" }] };
    const outcome = await mockProvider().read(cloud.context({ config }), read);
    expect(outcome).toMatchObject({
      kind: "failed",
      code: "invalid_config",
      message: expect.stringContaining("latencyMs, faults.0.effect"),
    });
  });
});

describe("errors", () => {
  it("use the answer's code and message, or else the status", async () => {
    const throttled = scriptedCloud(json({ code: "throttled", message: "later" }, 429));
    expect(await mockProvider().read(throttled.context(), read)).toMatchObject({
      code: "throttled",
      message: "mock answered 429 to GET /v1/servers/srv-1: later",
      retryable: true,
    });
    const page = scriptedCloud(new Response("<html>", { status: 502 }));
    expect(await mockProvider().read(page.context(), read)).toMatchObject({ code: "http_502" });
  });
});
