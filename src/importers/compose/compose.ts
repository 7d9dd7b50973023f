import { failureCode } from "#importers/failure-code.ts";
import type { ImportFile } from "#importers/import-file.ts";
import type { FileVerdict, FormatParserOf, ParsedFormat } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { SourceModule } from "#importers/source-module.ts";
import { lineOf, memberOf, type DataMap } from "#importers/text/data-node.ts";
import { loadYaml } from "#importers/text/load-yaml.ts";
import { readCompose } from "./compose-file.ts";
import { overridesIn } from "./compose-overrides.ts";

/**
 * Reads Compose files, a module per file. An override file belongs to the module of the file that Compose merges it
 * into. Environment values under names of secrets are not kept.
 */
export const composeParser: FormatParserOf = (files, log) => {
  const roots = new Map<string, DataMap>();
  const verdicts = new Map<string, FileVerdict>();
  return {
    read: (file) => {
      const root = rootOf(file, log);
      if ("members" in root) roots.set(file.path, root);
      else verdicts.set(file.path, root);
    },
    finish: () => combined(files, roots, verdicts, log),
  };
};

function combined(
  files: readonly ImportFile[],
  roots: ReadonlyMap<string, DataMap>,
  unread: ReadonlyMap<string, FileVerdict>,
  log: ImportLog,
): ParsedFormat {
  const verdicts = new Map(unread);
  const overrides = overridesIn(files.filter(({ path }) => roots.has(path)));
  const merged = new Set([...overrides.values()].map(({ path }) => path));
  const modules: SourceModule[] = [];
  for (const file of files) {
    const root = roots.get(file.path);
    if (root === undefined || merged.has(file.path)) continue;
    const { path: over = "" } = overrides.get(file) ?? {};
    const [override] = [roots.get(over)].flatMap((node) =>
      node ? [{ root: node, file: over }] : [],
    );
    const module = readCompose({ root, file: file.path }, override, log);
    modules.push(module);
    for (const path of override === undefined ? [file.path] : [file.path, over])
      verdicts.set(path, { path, state: "PARSED", counts: countsOf(module, path) });
    if (override !== undefined)
      log.add(
        "info",
        "override_merged",
        `Compose merges this file into \`${file.path}\`: what both have is listed there, as this one changes it.`,
        { file: over },
      );
  }
  return { verdicts: files.flatMap(({ path }) => verdicts.get(path) ?? []), modules };
}

function countsOf({ resources, variables }: SourceModule, path: string) {
  const own = ({ file }: { file: string }) => file === path;
  return { resource: resources.filter(own).length, variable: variables.filter(own).length };
}

/** The sections of a file, or the verdict on a file without sections. */
function rootOf(file: ImportFile, log: ImportLog): DataMap | FileVerdict {
  const { path } = file;
  // JSON is YAML: the output of `docker compose config --format json` is read too.
  const documents = loadYaml(file, log);
  if (documents === undefined)
    return { path, state: "FAILED", reason: failureCode(log, path), counts: {} };
  const [root] = documents;
  if (root === undefined) {
    log.add("info", "empty_file", "The file has no content.", { file: path });
    return { path, state: "SKIPPED", reason: "empty_file", counts: {} };
  }
  if (root.kind !== "map") {
    log.add("error", "not_a_compose_file", "The file is no Compose file: it has no sections.", {
      file: path,
    });
    return { path, state: "FAILED", reason: "not_a_compose_file", counts: {} };
  }
  const included = memberOf(root, "include");
  if (included !== undefined)
    log.add(
      "info",
      "include_not_followed",
      "The files that this one includes are read on their own, if they are in the import.",
      { file: path, line: lineOf(included) },
    );
  return root;
}
