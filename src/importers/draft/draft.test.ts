import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { ResolvedComponents } from "#engine/template/checks/check-components.ts";
import { describeRead, readSource } from "#engine/template/describe.ts";
import { pinName } from "#engine/template/levels/level.ts";
import { ImportLog } from "#importers/import-log.ts";
import type { SafeModule } from "#importers/source-module.ts";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { countFor, testSeed } from "#test/support/depth.ts";
import { CANARY } from "#test/support/generated-expressions.ts";
import { generatedModules } from "#test/support/generated-modules.ts";
import { draftModules } from "./draft-modules.ts";
import type { Draft } from "./values/draft.ts";

const options = { adopt: false, ids: new Map(), assets: builtAssets };

/** The drafts that others use, as if their templates had been made. */
function componentsAmong(drafts: readonly Draft[]): ResolvedComponents {
  const templates = drafts.flatMap(({ release, source }) => {
    const { template } = readSource(release === undefined ? "" : (source ?? ""));
    return template === undefined ? [] : [{ name: template.name ?? "", template, release }];
  });
  const pins = Object.fromEntries(
    templates.map(({ name, release }) => [
      pinName({ component: name, version: `^${release}` }),
      name,
    ]),
  );
  const library = Object.fromEntries(
    templates.map(({ name, template }) => [name, { template, pins }]),
  );
  return { pins, library, problems: {} };
}

it("passes the check and reveals no secret, whatever the module contains", async () => {
  let drafted = 0;
  await fc.assert(
    fc.asyncProperty(generatedModules, async (modules) => {
      const drafts = await draftModules(modules as SafeModule[], new ImportLog(), options);
      expect(JSON.stringify(drafts)).not.toContain(CANARY);
      const components = componentsAmong(drafts);
      for (const { source } of drafts) {
        if (source === null) continue;
        drafted += 1;
        const read = readSource(source);
        const catalogue = await catalogueFor(read.types, builtAssets);
        const { diagnostics } = describeRead(read, catalogue, components);
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      }
    }),
    { seed: testSeed, numRuns: countFor({ ordinary: 300, deep: 5_000 }) },
  );
  expect(drafted).toBeGreaterThan(50);
}, 120_000);
