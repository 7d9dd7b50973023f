import { failureCode } from "#importers/failure-code.ts";
import type { ImportFile } from "#importers/import-file.ts";
import type { FileVerdict, FormatParserOf, ParsedFormat } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { SourceModule } from "#importers/source-module.ts";
import { memberOf, type DataMap } from "#importers/text/data-node.ts";
import { loadYaml } from "#importers/text/load-yaml.ts";
import { readCompose } from "./compose-file.ts";
import { overridesIn } from "./compose-overrides.ts";
import { ComposeProjects } from "./compose-project.ts";
import { isEnvironmentFile } from "./detect-compose.ts";

/**
 * Reads Compose files, a module per project. The files that one includes and its override file belong to its module.
 * Environment values under names of secrets are not kept.
 */
export const composeParser: FormatParserOf = (files, log) => {
  const documents = new Map<string, readonly DataMap[]>();
  const verdicts = new Map<string, FileVerdict>();
  return {
    read: (file) => {
      const read = documentsOf(file, log);
      if ("state" in read) verdicts.set(file.path, read);
      else documents.set(file.path, read);
    },
    finish: () => combined(files, documents, verdicts, log),
  };
};

function combined(
  files: readonly ImportFile[],
  documents: ReadonlyMap<string, readonly DataMap[]>,
  unread: ReadonlyMap<string, FileVerdict>,
  log: ImportLog,
): ParsedFormat {
  const readable = files.filter(({ path }) => documents.has(path));
  const overrides = overridesIn(readable);
  const merged = new Set([...overrides.values()].map(({ path }) => path));
  const projects = new ComposeProjects(documents, log);
  const included = projects.included();
  const roots = readable.filter(({ path }) => !merged.has(path) && !included.has(path));
  const modules: SourceModule[] = [];
  const taken = new Set<string>();
  const addProject = (file: ImportFile): void => {
    const { path: over } = overrides.get(file) ?? {};
    const sources = projects.sourcesOf(file.path, over);
    modules.push(readCompose(file.path, sources, projects, log));
    for (const one of sources) taken.add(one.file);
    if (over === undefined) return;
    const message = `Compose merges this file into \`${file.path}\`: what both have is listed there, as this one changes it.`;
    log.add("info", "override_merged", message, { file: over });
  };
  for (const file of roots) addProject(file);
  // Files that include each other have no root.
  for (const file of readable) if (!taken.has(file.path)) addProject(file);
  const listed = modules.flatMap(({ resources, variables }) => [
    ...resources.map(({ file }) => ({ file, kind: "resource" as const })),
    ...variables.map(({ file }) => ({ file, kind: "variable" as const })),
  ]);
  const ofFile = Map.groupBy(listed, ({ file }) => file);
  const verdicts = files.flatMap(({ path }): FileVerdict[] => {
    const verdict = unread.get(path);
    if (verdict !== undefined) return [verdict];
    const own = ofFile.get(path) ?? [];
    const count = (kind: string) => own.filter((one) => one.kind === kind).length;
    const counts = { resource: count("resource"), variable: count("variable") };
    return [{ path, state: "PARSED", counts }];
  });
  return { verdicts, modules };
}

/** The documents of a file, or the verdict on a file without sections. */
function documentsOf(file: ImportFile, log: ImportLog): readonly DataMap[] | FileVerdict {
  const { path } = file;
  if (isEnvironmentFile(file)) {
    const message = "The file sets variables, which may be secrets: an import keeps none of them.";
    log.add("info", "environment_file", message, { file: path });
    return { path, state: "SKIPPED", reason: "environment_file", counts: {} };
  }
  // JSON is YAML: the output of `docker compose config --format json` is read too.
  const documents = loadYaml(file, log);
  if (documents === undefined)
    return { path, state: "FAILED", reason: failureCode(log, path), counts: {} };
  if (documents.length === 0) {
    log.add("info", "empty_file", "The file has no content.", { file: path });
    return { path, state: "SKIPPED", reason: "empty_file", counts: {} };
  }
  const maps = documents.filter((root) => root.kind === "map");
  if (maps.length === 0) {
    log.add("error", "not_a_compose_file", "The file is no Compose file: it has no sections.", {
      file: path,
    });
    return { path, state: "FAILED", reason: "not_a_compose_file", counts: {} };
  }
  const [first] = maps;
  const isOldest =
    maps.length === 1 &&
    first?.members.has("services") === false &&
    [...first.members.values()].some((one) => memberOf(one, "image") ?? memberOf(one, "build"));
  if (isOldest)
    log.add(
      "warning",
      "no_services",
      "The file has services at its top, as the first version of Compose had: put them below `services`.",
      { file: path, line: first?.line ?? 1 },
    );
  return maps;
}
