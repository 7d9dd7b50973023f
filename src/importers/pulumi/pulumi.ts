import { failureCode } from "#importers/failure-code.ts";
import { fileNameOf, folderOf, type ImportFile } from "#importers/import-file.ts";
import type { FormatParserOf, ReadFile } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { parsedFormat } from "#importers/single-files.ts";
import { memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { loadYaml } from "#importers/text/load-yaml.ts";
import { configName, isSecured } from "./pulumi-config.ts";
import { readProgram } from "./pulumi-program.ts";

/**
 * Reads Pulumi programs in YAML and JSON, each as a module. Of a stack's config only the names are read: its encrypted
 * values are secrets of the program beside it.
 */
export const pulumiParser: FormatParserOf = (files, log) => {
  const loaded = new Map<string, readonly DataNode[] | undefined>();
  return {
    read: (file) => {
      loaded.set(file.path, rootsOf(file, log));
    },
    finish: () => {
      const secured = new Map<string, Set<string>>();
      for (const file of files)
        if (isStackConfig(file))
          noteSecured(loaded.get(file.path)?.[0], folderOf(file.path), secured);
      return parsedFormat(files.map((file) => readFile(file, loaded.get(file.path), secured, log)));
    },
  };
};

const none: ReadonlySet<string> = new Set();

function readFile(
  file: ImportFile,
  roots: readonly DataNode[] | undefined,
  secured: ReadonlyMap<string, ReadonlySet<string>>,
  log: ImportLog,
): ReadFile {
  const { path } = file;
  const left = (state: "FAILED" | "SKIPPED", reason: string): ReadFile => ({
    verdict: { path, state, reason, counts: {} },
  });
  if (roots === undefined) return left("FAILED", failureCode(log, path));
  const [root] = roots;
  if (root === undefined) {
    log.add("info", "empty_file", "The file has no content.", { file: path });
    return left("SKIPPED", "empty_file");
  }
  if (isStackConfig(file)) {
    const config = memberOf(root, "config");
    const count = config?.kind === "map" ? config.members.size : 0;
    return { verdict: { path, state: "PARSED", counts: { config: count } } };
  }
  const runtime = memberOf(root, "runtime");
  const language = textIn(runtime) ?? textIn(memberOf(runtime, "name"));
  if (language !== undefined && language !== "yaml") {
    log.add("warning", "unsupported_runtime", otherRuntime(language), { file: path });
    return left("SKIPPED", "unsupported_runtime");
  }
  if (root.kind !== "map") {
    log.add("error", "not_a_program", "The file is no Pulumi program: it has no sections.", {
      file: path,
    });
    return left("FAILED", "not_a_program");
  }
  const { module, providers } = readProgram(root, path, secured.get(folderOf(path)) ?? none, log);
  const counts = {
    resource: module.resources.length,
    provider: providers,
    config: module.variables.length,
    variable: module.locals.length,
    output: module.outputs.length,
  };
  return { verdict: { path, state: "PARSED", counts }, module };
}

function rootsOf(file: ImportFile, log: ImportLog): readonly DataNode[] | undefined {
  if (!file.path.endsWith(".json")) return loadYaml(file, log);
  const root = loadJson(file, log);
  return root === undefined ? undefined : [root];
}

/** Whether the file is a stack's config: `Pulumi.<stack>.yaml`. */
function isStackConfig({ path }: ImportFile): boolean {
  return /^Pulumi\.[^/]+\.(?:ya?ml|json)$/.test(fileNameOf(path));
}

function noteSecured(
  root: DataNode | undefined,
  folder: string,
  secured: Map<string, Set<string>>,
): void {
  const config = memberOf(root, "config");
  const names = secured.get(folder) ?? new Set();
  secured.set(folder, names);
  for (const [key, value] of config?.kind === "map" ? config.members : [])
    if (isSecured(value)) names.add(configName(key).name);
}

const runtimes = new Set(["dotnet", "go", "java", "nodejs", "python"]);

function otherRuntime(language: string): string {
  const named = runtimes.has(language) ? ` in ${language}` : " in another language";
  return `The project's program is${named}, and imports run no code. Only programs in Pulumi YAML are read: write its resources as one, or import Terraform code or a state instead.`;
}
