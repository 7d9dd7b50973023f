import { stripComments } from "jsonc-parser";
import { referencesIn } from "#importers/expression.ts";
import { isSecretSetting, withoutMarked } from "#importers/hidden-values.ts";
import type { ImportFile } from "#importers/import-file.ts";
import type { FormatParserOf } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { parserOfSingleFiles } from "#importers/single-files.ts";
import type { SourceLocal, SourceModule, SourceOutput } from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { readJson } from "#platform/json.ts";
import { declarationsOf } from "./arm-declarations.ts";
import { armNamesOf, copiesIn, membersOf } from "./arm-names.ts";
import { armParameter, isSecureType } from "./arm-parameters.ts";
import { ArmResources } from "./arm-resource-index.ts";
import { ArmResourceReader } from "./arm-resources.ts";
import { ArmValues } from "./arm-values.ts";
import { isArmParameters } from "./detect-arm.ts";

/** Reads Azure Resource Manager templates in JSON, each as a module. Nothing of a parameter file is kept. */
export const armParser: FormatParserOf = (files, log) =>
  parserOfSingleFiles(files, (file) => {
    const { path } = file;
    const root = rootOf(file, log);
    if (root === undefined) {
      const reason = log.errorOf(path) ?? "not_a_template";
      return { verdict: { path, state: "FAILED", reason, counts: {} } };
    }
    if (isArmParameters(file.text)) {
      const parameter = membersOf(memberOf(root, "parameters")).size;
      return { verdict: { path, state: "PARSED", counts: { parameter } } };
    }
    const module = readTemplate(root, path, log);
    const counts = {
      resource: module.resources.length,
      variable: module.variables.length,
      output: module.outputs.length,
    };
    return { verdict: { path, state: "PARSED", counts }, module };
  });

function rootOf(file: ImportFile, log: ImportLog): DataNode | undefined {
  const root = loadJson({ ...file, text: withoutComments(file.text) }, log);
  if (root === undefined || root.kind === "map") return root;
  const message = "The file is no template: it has no sections.";
  log.add("error", "not_a_template", message, { file: file.path });
  return undefined;
}

/** Removes comments, which ARM permits in templates. Spaces take their place, so that lines and columns stay. */
function withoutComments(text: string): string {
  const mayHaveComments = /\/[/*]/.test(text) && readJson(text) === undefined;
  return mayHaveComments ? stripComments(text, " ") : text;
}

function readTemplate(root: DataNode, file: string, log: ImportLog): SourceModule {
  const index = new ArmResources();
  const values = new ArmValues(armNamesOf(root), index);
  const section = memberOf(root, "resources");
  const variables = memberOf(root, "variables");
  const { all, loops } = declarationsOf(section, values, index, file, log);
  const reader = new ArmResourceReader({ values, index, variables, loops, file, log });
  if (membersOf(memberOf(root, "functions")).size > 0 || listSize(memberOf(root, "functions")) > 0)
    log.add("info", "ignored_section", "Not read of this template: functions.", { file });
  if (all.length === 0)
    log.add("warning", "no_resources", "The template has no resources.", { file });
  const parameters = [...membersOf(memberOf(root, "parameters"))].map(([name, node]) =>
    armParameter(name, node, values, file),
  );
  const secrets = new Set(parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name));
  return {
    format: "arm",
    path: file,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources: all.map((declaration) => reader.read(declaration)),
    variables: parameters,
    outputs: outputsOf(memberOf(root, "outputs"), values, secrets, file),
    locals: localsOf(variables, values, file),
    moduleCalls: [],
    providers: [],
  };
}

function listSize(node: DataNode | undefined): number {
  return node?.kind === "list" ? node.items.length : 0;
}

function localsOf(section: DataNode | undefined, values: ArmValues, file: string): SourceLocal[] {
  const locals = new Map<string, SourceLocal>();
  for (const [name, node] of membersOf(section)) {
    const made = name === "copy" ? copiesIn(node) : [];
    for (const { name: copied, item } of made)
      locals.set(copied, {
        name: copied,
        value: { kind: "opaque", text: "copy", references: [], line: item.line },
        file,
        line: item.line,
      });
    if (made.length === 0)
      locals.set(name, {
        name,
        value: values.read(node, new Map(), name),
        file,
        line: lineOf(node),
      });
  }
  return [...locals.values()];
}

function outputsOf(
  section: DataNode | undefined,
  values: ArmValues,
  secrets: ReadonlySet<string>,
  file: string,
): SourceOutput[] {
  const outputs: SourceOutput[] = [];
  for (const [name, node] of membersOf(section)) {
    const given = memberOf(node, "value");
    const copied = memberOf(memberOf(node, "copy"), "input");
    const source = given ?? copied;
    if (source === undefined) continue;
    const isSecure = isSecureType(textIn(memberOf(node, "type")) ?? null);
    const written = values.read(source, new Map(), name);
    const read = isSecure ? withoutMarked(written, source.line) : written;
    const references = referencesIn(read);
    const condition = memberOf(node, "condition");
    const holds = condition === undefined ? undefined : values.read(condition, new Map());
    if (holds?.kind === "literal" && holds.value === false) continue;
    const isSure = holds === undefined || (holds.kind === "literal" && holds.value === true);
    outputs.push({
      name,
      value:
        given !== undefined && isSure
          ? read
          : { kind: "opaque", text: isSure ? "copy" : "condition", references, line: source.line },
      sensitive:
        isSecure ||
        isSecretSetting(name) ||
        references.some(({ target }) => target.kind === "variable" && secrets.has(target.name)),
      description: textIn(memberOf(memberOf(node, "metadata"), "description")) ?? null,
      file,
      line: lineOf(node),
    });
  }
  return outputs;
}
