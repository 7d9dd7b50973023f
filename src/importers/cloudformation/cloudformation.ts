import type { ImportFile } from "#importers/import-file.ts";
import type { FileVerdict, FormatParserOf } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { parserOfSingleFiles } from "#importers/single-files.ts";
import type { LeftOutPart, SourceModule } from "#importers/source-module.ts";
import { lineOf, memberOf, membersOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { loadYaml } from "#importers/text/load-yaml.ts";
import { withoutLoops } from "./for-each.ts";
import { argumentsIn } from "./intrinsic.ts";
import { placeStacks } from "./nested-stacks.ts";
import { outputsOf } from "./outputs.ts";
import { parameterOf } from "./parameters.ts";
import { resourcesOf } from "./resources.ts";
import { TemplateFiles } from "./template-files.ts";
import { namesOf } from "./template-names.ts";
import { ValueReader } from "./value-reader.ts";

/** Reads CloudFormation templates in JSON and YAML, each as a module. */
export const cloudFormationParser: FormatParserOf = (files, log) => {
  const templates = new TemplateFiles(files.map(({ path }) => path));
  const { read, finish } = parserOfSingleFiles(files, (file) => {
    const { path } = file;
    const root = rootOf(file, log);
    if (root === undefined) {
      const reason = log.errorOf(path) ?? "not_a_template";
      return { verdict: { path, state: "FAILED", reason, counts: {} } };
    }
    const { module, counts } = readTemplate(withoutLoops(root, path, log), {
      path,
      templates,
      log,
    });
    return { verdict: { path, state: "PARSED", counts }, module };
  });
  return {
    read,
    finish: () => {
      const { verdicts, modules } = finish();
      return { verdicts, modules: placeStacks(modules, log) };
    },
  };
};

function rootOf(file: ImportFile, log: ImportLog): DataNode | undefined {
  const isJson = /\.json$/i.test(file.path) || /^\uFEFF?\s*\{\s*"/.test(file.text);
  const [root, second] =
    (isJson ? single(loadJson(file, log)) : loadYaml(file, log, "cloudformation")) ?? [];
  if (second !== undefined)
    log.add("warning", "several_documents", "Only the first document of the file was read.", {
      file: file.path,
      line: second.line,
    });
  if (root?.kind === "map") return root;
  if (log.errorOf(file.path) === undefined) {
    const message = "The file is no CloudFormation template: it has no sections.";
    log.add("error", "not_a_template", message, { file: file.path });
  }
  return undefined;
}

function single(node: DataNode | undefined): readonly DataNode[] | undefined {
  return node === undefined ? undefined : [node];
}

interface Reading {
  path: string;
  templates: TemplateFiles;
  log: ImportLog;
}

function readTemplate(
  root: DataNode,
  { path: file, templates, log }: Reading,
): { module: SourceModule; counts: FileVerdict["counts"] } {
  const names = namesOf(root, file, templates, log);
  const reader = new ValueReader(names);
  const sections = reportSections(root, file, log);
  const variables = [...membersOf(memberOf(root, "Parameters"))].map(([name, node]) =>
    parameterOf(name, node, file, log),
  );
  const secrets = new Set(variables.filter(({ sensitive }) => sensitive).map(({ name }) => name));
  const read = resourcesOf(memberOf(root, "Resources"), names, reader, file, log);
  const { resources, calls, leftOut } = read;
  const outputs = outputsOf(memberOf(root, "Outputs"), names, reader, secrets, file);
  const module: SourceModule = {
    format: "cloudformation",
    path: file,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources,
    variables,
    outputs: outputs.outputs,
    locals: [
      ...names.conditions.locals((node) => reader.readOrNull(node), file),
      ...reader.mappings.locals(file),
    ],
    moduleCalls: calls,
    providers: [],
    leftOut: [...sections, ...leftOut, ...outputs.leftOut],
  };
  const counts = {
    resource: resources.length,
    variable: variables.length,
    output: outputs.outputs.length,
    module: calls.length,
    condition: names.conditions.count,
    mapping: membersOf(names.mappings).size,
  };
  return { module, counts };
}

const readTransforms = new Set(["AWS::LanguageExtensions"]);

const ignored: Readonly<Record<string, string>> = {
  Globals: "Only AWS SAM gives the resources of the template these settings: give them to each.",
  Hooks: "A draft has no hooks of CloudFormation.",
  Rules:
    "A draft has no rules about several parameters: say them in the schema of a config value, or leave them to its user.",
};

function reportSections(root: DataNode, file: string, log: ImportLog): LeftOutPart[] {
  const leftOut: LeftOutPart[] = [];
  const found: string[] = [];
  for (const [name, reason] of Object.entries(ignored)) {
    const node = memberOf(root, name);
    if (node === undefined) continue;
    found.push(name);
    for (const [part, one] of membersOf(node))
      leftOut.push({ address: name, file, line: lineOf(one), path: shown(part), reason });
  }
  if (found.length > 0)
    log.add("info", "ignored_section", `Not read of this template: ${found.join(", ")}.`, { file });
  const included = memberOf(root, "Fn::Transform");
  if (included !== undefined) {
    const place = { file, line: lineOf(included) };
    leftOut.push({ address: "Fn::Transform", ...place, path: null, reason: byMacro });
  }
  for (const address of ["Parameters", "Mappings", "Conditions"])
    for (const [name, one] of membersOf(memberOf(root, address))) {
      const place = { file, line: lineOf(one) };
      if (!name.startsWith("Fn::")) continue;
      const reason = name === "Fn::Transform" ? byMacro : byLoop;
      leftOut.push({ address, ...place, path: shown(name), reason });
    }
  if (membersOf(memberOf(root, "Resources")).size === 0)
    log.add("warning", "no_resources", "The template has no resources.", { file });
  const transform = memberOf(root, "Transform");
  if (transform === undefined) return leftOut;
  const named = argumentsIn(transform).map((one) => textIn(one) ?? textIn(memberOf(one, "Name")));
  const place = { file, line: lineOf(transform) };
  if (named.some((name) => name?.startsWith("AWS::Serverless") === true))
    log.add(
      "warning",
      "serverless_transform",
      "The resources that AWS SAM adds to those of this template are not known here: only those written are read.",
      place,
    );
  const macros = named.filter(
    (name) => name?.startsWith("AWS::Serverless") !== true && !readTransforms.has(name ?? ""),
  );
  for (const name of macros)
    leftOut.push({ address: "Transform", ...place, path: shown(name ?? ""), reason: byMacro });
  if (macros.length > 0)
    log.add(
      "warning",
      "unsupported_transform",
      "A macro changes this template before it is deployed: what it does is not known here.",
      place,
    );
  return leftOut;
}

const byLoop = "Only the source's own tool can compute the names that its loop makes.";
const byMacro =
  "A macro changes the template before it is deployed: what it does is not known here.";

function shown(name: string): string {
  return name.slice(0, 256);
}
