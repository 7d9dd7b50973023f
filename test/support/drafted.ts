import { parse } from "yaml";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import type { JsonMap } from "#platform/json.ts";
import { builtAssets } from "./built-assets.ts";

/** The first draft of an import of these files, by path. */
export async function drafted(files: Readonly<Record<string, string>>) {
  const log = new ImportLog();
  const given = Object.entries(files).map(([path, text]) => ({ path, text }));
  const reading = await readImport(given, undefined, log, { adopt: false, assets: builtAssets });
  const [draft] = reading.drafts;
  const document = parse(draft?.source ?? "") as { [section: string]: JsonMap | undefined } | null;
  const section = (name: string): JsonMap => document?.[name] ?? {};
  return {
    config: section("config"),
    variables: section("variables"),
    resources: section("resources"),
    outputs: section("outputs"),
    drafts: reading.drafts.map(({ module }) => module),
    lost: draft?.unsupported.map(({ address, path, line }) => [address, path, line]),
    unresolved: draft?.unresolved.map(({ config }) => config),
    counts: [draft?.mapped, draft?.partlyMapped, draft?.notMapped],
    warnings: log.warnings().map(({ code }) => code),
    /** Everything that an import stores or answers. */
    text: JSON.stringify([reading, log.warnings()]),
  };
}
