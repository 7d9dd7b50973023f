import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { vendorDescription } from "./vendor-description.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "specs-"));
  mkdirSync(join(folder, "acme"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string, file = "v1.json") => writeFileSync(join(folder, "acme", file), text);

describe("a vendor's description", () => {
  it("is the one JSON file of its folder", () => {
    write(`{"openapi":"3.0.0","paths":{"/a":{"$ref":"#/components/x"}}}`);
    expect(vendorDescription(folder, "acme")).toHaveProperty("paths");
  });

  it.for([
    ["not JSON", "openapi: 3.0.0", "is not JSON: bundle it as JSON"],
    ["a list", "[]", "is no OpenAPI 3 description"],
    ["of Swagger", `{"swagger":"2.0","paths":{}}`, "is no OpenAPI 3 description"],
    ["without paths", `{"openapi":"3.0.0"}`, "is no OpenAPI 3 description"],
    [
      "in several files",
      `{"openapi":"3.0.0","paths":{"/a":{"$ref":"resources/a.yml"}}}`,
      "refers to resources/a.yml: bundle it into one file",
    ],
  ])("that is %s is refused in one sentence", ([, text, problem]) => {
    write(String(text));
    expect(() => vendorDescription(folder, "acme")).toThrow(problem);
  });

  it("that is missing, or there twice, is refused by its path", () => {
    expect(() => vendorDescription(folder, "other")).toThrow(join(folder, "other", "*.json"));
    write("{}", "v1.json");
    write("{}", "v2.json");
    expect(() => vendorDescription(folder, "acme")).toThrow("has to be one file, and is 2");
  });
});
