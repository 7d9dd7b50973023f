import { describe, expect, it } from "vitest";
import { forbiddenPlace, farCopyOf } from "#engine/resource-region.ts";
import { sealAt } from "#engine/value-paths.ts";
import { Secret } from "#engine/value.ts";
import { azureProvider } from "./azure-provider.ts";

const facts = azureProvider().facts("azure:Microsoft.Cache/redisEnterprise@2025-04-01");
if (facts === undefined) throw new Error("the type has no facts");

describe("a type without a row", () => {
  it("does not show what is called like a secret, at any level of its properties", () => {
    const outputs = {
      tags: { key: "shown" },
      properties: {
        hostName: "shown",
        primaryKey: "hidden",
        accessKeys: { primaryKey: "hidden" },
        keys: [{ name: "shown", connectionString: "hidden" }],
        a: { b: { c: { password: "hidden" } } },
      },
    };
    const texts: string[] = [];
    const hidden: string[] = [];
    const walk = (value: unknown): void => {
      if (value instanceof Secret) hidden.push(JSON.stringify(value.value));
      else if (typeof value === "string") texts.push(value);
      else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
    };
    walk(sealAt(outputs, facts.secretOutputs));
    expect(texts).toEqual(["shown", "shown", "shown"]);
    expect(hidden).toHaveLength(4);
  });

  it.each([
    ["a copy of a database", { properties: { locations: [{ locationName: "eastus" }] } }],
    [
      "a further place of a service",
      { properties: { additionalLocations: [{ location: "eastus" }] } },
    ],
    ["an image", { properties: { publishingProfile: { targetRegions: [{ name: "eastus" }] } } }],
  ])("is in the regions that it names: %s", (_, properties) => {
    expect(forbiddenPlace({ location: "westeurope", ...properties }, facts, ["westeurope"])).toBe(
      "eastus",
    );
  });

  it("says by its redundancy that it is copied elsewhere", () => {
    const backups = (value: string) => ({
      properties: { requestedBackupStorageRedundancy: value },
    });
    expect(farCopyOf(backups("Geo"), facts)).toBe("properties.requestedBackupStorageRedundancy");
    expect(farCopyOf(backups("Local"), facts)).toBeUndefined();
  });
});
