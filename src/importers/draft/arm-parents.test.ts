import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { armParser } from "#importers/arm/arm.ts";
import { ImportLog } from "#importers/import-log.ts";
import { withoutSecrets } from "#importers/without-secrets.ts";
import type { JsonMap } from "#platform/json.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { draftModules } from "./draft-modules.ts";

const schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";

async function drafted(...resources: JsonMap[]) {
  const log = new ImportLog();
  const text = JSON.stringify({
    $schema: schema,
    parameters: { p: { type: "string" } },
    resources,
  });
  const { modules } = parsedBy(armParser, [{ path: "main.json", text }], log);
  const options = { adopt: false, ids: new Map(), assets: builtAssets };
  const [draft] = await draftModules(withoutSecrets(modules), log, options);
  const read = parse(draft?.source ?? "{}") as {
    resources: Record<string, { properties: JsonMap }>;
  };
  return {
    properties: Object.values(read.resources).map((one) => one.properties),
    asked: draft?.unresolved.length,
  };
}

const apiVersion = "2024-01-01";
const account = (name: string): JsonMap => ({
  type: "Microsoft.Storage/storageAccounts",
  apiVersion,
  name,
  location: "westeurope",
  kind: "StorageV2",
  sku: { name: "Standard_LRS" },
  properties: {},
});
const container = (name: string): JsonMap => ({
  type: "Microsoft.Storage/storageAccounts/blobServices/containers",
  apiVersion,
  name,
  properties: {},
});

describe("a child in an ARM template", () => {
  it("has the id of its parent and its own name, even with a missing object between them", async () => {
    const { properties, asked } = await drafted(
      account("[concat(parameters('p'), 'files')]"),
      container("[concat(parameters('p'), 'files/default/', 'docs')]"),
    );
    expect(asked).toBe(0);
    const [, child] = properties;
    expect(child).toMatchObject({ name: "docs" });
    expect(child?.["parent"]).toMatch(/^\$\{\w+\.id\}\/blobServices\/default$/);
  });

  it("asks for a parent outside the template", async () => {
    const { properties, asked } = await drafted(container("elsewhere/default/docs"));
    expect(properties[0]).toMatchObject({ name: "docs" });
    expect(properties[0]?.["parent"]).toMatch(/^\$\{\w+\}$/);
    expect(asked).toBe(1);
  });

  it("asks once for the parent of several children", async () => {
    const service = (kind: string): JsonMap => ({
      type: `Microsoft.Storage/storageAccounts/${kind}Services`,
      apiVersion,
      name: "elsewhere/default",
      properties: {},
    });
    const { properties, asked } = await drafted(service("blob"), service("queue"));
    expect(properties.map(({ parent }) => parent)).toEqual(
      Array.from({ length: 2 }, () => "${idOfStorageAccountsElsewhere}"),
    );
    expect(asked).toBe(1);
  });

  it("has no parent of another name", async () => {
    const { properties, asked } = await drafted(
      account("files"),
      account("files2"),
      container("files3/default/docs"),
    );
    expect(asked).toBe(1);
    expect(properties[2]?.["parent"]).not.toContain(".id");
  });
});
