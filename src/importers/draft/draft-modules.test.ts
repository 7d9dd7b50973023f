import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { MAX_READING, MAX_WORK, workOf } from "#importers/import-work.ts";
import { parseFiles } from "#importers/parse-files.ts";
import { withoutSecrets } from "#importers/without-secrets.ts";
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
  const drafts = await draftModules(withoutSecrets(modules), log, {
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

it("lists a call whose module the import lacks, also in a called module", async () => {
  const { modules } = await parseFiles(
    [
      {
        path: "main.tf",
        text: `module "vpc" {\n  source = "terraform-aws-modules/vpc/aws"\n}\nmodule "inner" {\n  source = "./inner"\n}\n${queues(1)}`,
      },
      { path: "inner/main.tf", text: call("gone") },
    ],
    new ImportLog(),
  );
  const [draft] = await draftModules(withoutSecrets(modules), new ImportLog(), {
    adopt: false,
    ids: new Map(),
    assets: builtAssets,
  });
  expect(draft?.mapped).toBe(1);
  expect(draft?.unsupported).toMatchObject([
    { address: "module.vpc", file: "main.tf", line: 1, path: null, code: "no_module" },
    { address: "module.inner.module.below", file: "inner/main.tf", line: 1, code: "no_module" },
  ]);
});
