import { expect, it } from "vitest";
import { parse } from "yaml";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";

const exported = {
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  resources: [
    {
      type: "Microsoft.Storage/storageAccounts",
      apiVersion: "2023-05-01",
      name: "shopfiles",
      location: "westeurope",
      kind: "StorageV2",
      sku: { name: "Standard_LRS", tier: "Standard" },
      properties: { creationTime: "2020-01-01T00:00:00Z", minimumTlsVersion: "TLS1_2" },
    },
  ],
};

it("an exported ARM template loses nothing by what only the cloud sets, as ARM itself ignores it", async () => {
  const files = [{ path: "exported.json", text: JSON.stringify(exported) }];
  const options = { adopt: false, assets: builtAssets };
  const { drafts } = await readImport(files, undefined, new ImportLog(), options);
  const [draft] = drafts;
  expect(draft).toMatchObject({ mapped: 1, partlyMapped: 0, unsupported: [] });
  const { resources } = parse(draft?.source ?? "") as { resources: object };
  expect(Object.values(resources)).toMatchObject([
    { properties: { sku: { name: "Standard_LRS" }, properties: { minimumTlsVersion: "TLS1_2" } } },
  ]);
  expect(draft?.source).not.toMatch(/tier|creationTime/);
});
