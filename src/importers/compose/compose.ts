import { failureCode } from "#importers/failure-code.ts";
import type { ImportFile } from "#importers/import-file.ts";
import type { FileVerdict, ParseFormat } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { SourceModule } from "#importers/source-module.ts";
import { lineOf, memberOf } from "#importers/text/data-node.ts";
import { loadYaml } from "#importers/text/load-yaml.ts";
import { readCompose } from "./compose-file.ts";

/** Reads Compose files, a module per file. Environment values under names of secrets are not kept. */
export const parseCompose: ParseFormat = (files, log) => {
  const verdicts: FileVerdict[] = [];
  const modules: SourceModule[] = [];
  for (const file of files) {
    const { verdict, module } = readFile(file, log);
    verdicts.push(verdict);
    if (module !== undefined) modules.push(module);
  }
  return { verdicts, modules };
};

interface ReadFile {
  verdict: FileVerdict;
  module?: SourceModule;
}

function readFile(file: ImportFile, log: ImportLog): ReadFile {
  const { path } = file;
  // JSON is YAML: what `docker compose config --format json` writes is read too.
  const documents = loadYaml(file, log);
  if (documents === undefined)
    return { verdict: { path, state: "FAILED", reason: failureCode(log, path), counts: {} } };
  const [root] = documents;
  if (root === undefined) {
    log.add("info", "empty_file", "The file has no content.", { file: path });
    return { verdict: { path, state: "SKIPPED", reason: "empty_file", counts: {} } };
  }
  if (root.kind !== "map") {
    log.add("error", "not_a_compose_file", "The file is no Compose file: it has no sections.", {
      file: path,
    });
    return { verdict: { path, state: "FAILED", reason: "not_a_compose_file", counts: {} } };
  }
  const included = memberOf(root, "include");
  if (included !== undefined)
    log.add(
      "info",
      "include_not_followed",
      "The files that this one includes are read on their own, if they are in the import.",
      { file: path, line: lineOf(included) },
    );
  const module = readCompose(root, path, log);
  const { resources, variables } = module;
  const counts = { resource: resources.length, variable: variables.length };
  return { verdict: { path, state: "PARSED", counts }, module };
}
