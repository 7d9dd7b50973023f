import { describe, expect, it } from "vitest";
import { pageUrl } from "./page-url.ts";

describe("the address of a page", () => {
  it.each([
    ["https://control.example.com", "https://control.example.com/deployments/d1"],
    [" https://Control.example.com/ ", "https://control.example.com/deployments/d1"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787/deployments/d1"],
    ["", null],
    ["https://control.example.com/below", null],
    ["http://control.example.com", null],
    ["javascript:alert(1)", null],
  ])("with PUBLIC_URL=%j is %j", (PUBLIC_URL, address) => {
    expect(pageUrl({ PUBLIC_URL }, "deployment", "d1")).toBe(address);
  });

  it("stays on its page, whatever the id", () => {
    const env = { PUBLIC_URL: "https://control.example.com" };
    expect(pageUrl(env, "instance", "../a?b#c")).toBe(
      "https://control.example.com/instances/..%2Fa%3Fb%23c",
    );
  });
});
