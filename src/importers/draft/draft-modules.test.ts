import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { MAX_READING, MAX_WORK, workOf } from "#importers/import-work.ts";
import { parseFiles } from "#importers/parse-files.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { draftModules } from "./draft-modules.ts";

const queues = (length: number) =>
  Array.from({ length }, (_, at) => `resource "aws_sqs_queue" "q${at}" {\n  name = "q"\n}\n`).join(
    "",
  );
const call = (folder: string) => `module "below" {\n  source = "../${folder}"\n}\n`;

it("drafts a small root before one whose calls lead to a large module", async () => {
  const log = new ImportLog();
  const { modules } = await parseFiles(
    [
      { path: "large/main.tf", text: call("between") },
      { path: "between/main.tf", text: call("below") },
      { path: "below/main.tf", text: queues(400) },
      { path: "small/main.tf", text: queues(1) },
    ],
    log,
  );
  const work = workOf(log);
  work.spend(work.readable + MAX_WORK - MAX_READING - 4_000);
  const drafts = await draftModules(modules, log, {
    adopt: false,
    ids: new Map(),
    assets: builtAssets,
  });
  expect(drafts.map(({ module, mapped }) => [module, mapped])).toEqual([
    ["large", 0],
    ["small", 1],
  ]);
  expect(log.warnings().map(({ code }) => code)).toEqual(["drafts_incomplete"]);
});
