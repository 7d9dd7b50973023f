/**
 * Reads the files and the report of an import into an inventory, warnings, and a draft template for each root module.
 * Keeps no value of a file that could be a secret, and never throws for the content of a file.
 */
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { draftModules } from "./draft/draft-modules.ts";
import type { Draft } from "./draft/values/draft.ts";
import type { ImportFile } from "./import-file.ts";
import type { ImportLog } from "./import-log.ts";
import { type Inventory, listInventory } from "./inventory/inventory.ts";
import { withinNameLimits } from "./name-limits.ts";
import { type ParsedFile, parseFiles } from "./parse-files.ts";
import { existingIds, type ExistingIds } from "./reports/existing-ids.ts";
import { readReport } from "./reports/read-report.ts";
import { type Report, reportsIn, type SentReport } from "./reports/report.ts";
import { withoutSecrets } from "./without-secrets.ts";

export interface ImportReading {
  /** One entry for each file, by path. */
  files: ReadonlyMap<string, ParsedFile>;
  inventory: Inventory;
  /** Undefined: no report was sent, or it was not recognised. */
  report: Report | undefined;
  drafts: readonly Draft[];
}

export interface ReadingOptions {
  /** Whether the draft adopts the objects whose ids a plan or a state contains. */
  adopt: boolean;
  assets: Assets;
}

export async function readImport(
  files: readonly ImportFile[],
  report: SentReport | undefined,
  log: ImportLog,
  { adopt, assets }: ReadingOptions,
): Promise<ImportReading> {
  const parsed = await parseFiles(files, log);
  const modules = withoutSecrets(withinNameLimits(parsed.modules, log));
  const known = report === undefined ? undefined : readReport(report, log);
  const inventory = listInventory(modules, log);
  const ids: ExistingIds = new Map(
    adopt && report !== undefined ? reportsIn(report).flatMap((one) => [...existingIds(one)]) : [],
  );
  const drafts = await draftModules(modules, log, { adopt, ids, assets });
  return { files: parsed.files, inventory, report: known, drafts };
}
