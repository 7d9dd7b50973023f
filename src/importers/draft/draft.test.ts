import * as fc from "fast-check";
import { expect, it } from "vitest";
import { describeRead, readSource } from "#engine/template/describe.ts";
import { ImportLog } from "#importers/import-log.ts";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { countFor, testSeed } from "#test/support/depth.ts";
import { CANARY } from "#test/support/generated-expressions.ts";
import { generatedModules } from "#test/support/generated-modules.ts";
import { draftModules } from "./draft-modules.ts";

const options = { adopt: false, ids: new Map(), assets: builtAssets };

it("passes the check and reveals no secret, whatever the module contains", async () => {
  let drafted = 0;
  await fc.assert(
    fc.asyncProperty(generatedModules, async (modules) => {
      const drafts = await draftModules(modules, new ImportLog(), options);
      expect(JSON.stringify(drafts)).not.toContain(CANARY);
      for (const { source } of drafts) {
        if (source === null) continue;
        drafted += 1;
        const read = readSource(source);
        const { diagnostics } = describeRead(read, await catalogueFor(read.types, builtAssets));
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      }
    }),
    { seed: testSeed, numRuns: countFor({ ordinary: 300, deep: 5_000 }) },
  );
  expect(drafted).toBeGreaterThan(50);
}, 120_000);
