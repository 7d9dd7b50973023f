import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parseFiles } from "#importers/parse-files.ts";
import { withoutSecrets } from "#importers/without-secrets.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { draftModules } from "./draft-modules.ts";

it("asks once for the name of the folder in which Terraform runs", async () => {
  const log = new ImportLog();
  const text = `locals {
  name = "ex-\${basename(path.cwd)}"
}
resource "aws_sqs_queue" "jobs" {
  name = local.name
}
resource "aws_sqs_queue" "mail" {
  name = "\${local.name}-mail"
}
`;
  const { modules } = await parseFiles([{ path: "main.tf", text }], log);
  const [draft] = await draftModules(withoutSecrets(modules), log, {
    adopt: false,
    ids: new Map(),
    assets: builtAssets,
  });
  expect(draft).toMatchObject({ mapped: 2, partlyMapped: 0 });
  expect(draft?.source).toContain("QueueName: ex-${folderName}\n");
  expect(draft?.source).toContain("QueueName: ex-${folderName}-mail\n");
  expect(draft?.unresolved).toEqual([
    {
      config: "folderName",
      address: "aws_sqs_queue.jobs",
      file: "main.tf",
      line: 5,
      reason: "The name of the folder that Terraform is run in, which no file tells.",
    },
  ]);
});
