import { parseText } from "#engine/template/references.ts";
import { Report } from "#engine/template/report.ts";
import { isFormula } from "#engine/template/string-parts.ts";
import type { Reference } from "#engine/template/template.ts";
import { expressionOf, type DataLanguage } from "#importers/data-expression.ts";
import { literal, MAX_EXPRESSION_TEXT, textOf, type Expression } from "#importers/expression.ts";
import { withoutLiterals } from "#importers/hidden-values.ts";
import type { DataMap, DataNode } from "#importers/text/data-node.ts";
import { targetOf, type PulumiNames } from "./pulumi-names.ts";

/** The functions of Pulumi YAML: https://www.pulumi.com/docs/iac/languages-sdks/yaml/yaml-language-reference/#built-in-functions */
const functions = new Map(
  [
    "assetArchive",
    "fileArchive",
    "fileAsset",
    "fromBase64",
    "invoke",
    "join",
    "length",
    "method",
    "readFile",
    "remoteArchive",
    "remoteAsset",
    "secret",
    "select",
    "sha1",
    "singleOrNone",
    "split",
    "stackReference",
    "stringAsset",
    "toBase64",
    "toJSON",
    "unsecret",
  ].map((name) => [name.toLowerCase(), name]),
);

/** Functions that take a list of arguments. The others take one argument, which may be a list. */
const severalArguments = new Set(["fn::join", "fn::select", "fn::split"]);

/** Settings of the program: `${pulumi.stack}`. */
const settings = new Set(["cwd", "organization", "project", "rootDirectory", "stack"]);

/** The expressions of Pulumi YAML. Calls `unknown` with the name of each unresolved reference. */
export function pulumiLanguage(
  names: PulumiNames,
  unknown: (name: string, line: number) => void,
): DataLanguage {
  const language: DataLanguage = {
    text: (text, line) => {
      if (!text.includes("$")) return literal(text);
      const report = new Report();
      const parsed = parseText(
        withoutProject(text, names),
        { path: "", line, column: 1 },
        undefined,
        report,
      );
      const opaque = (): Expression => ({
        kind: "opaque",
        text: text.slice(0, MAX_EXPRESSION_TEXT),
        references: [],
        line,
      });
      if (report.failed) return opaque();
      const meant = (reference: Reference): Expression =>
        meaningOf(reference, names, line, unknown);
      if (parsed.kind === "reference") return meant(parsed.reference);
      if (parsed.kind === "literal") return literal(parsed.value);
      if (parsed.kind !== "interpolation") return opaque();
      const parts = parsed.parts.flatMap((part) => (isFormula(part) ? [] : [part]));
      if (parts.length < parsed.parts.length) return opaque();
      return textOf(parts.map((part) => (typeof part === "string" ? literal(part) : meant(part))));
    },
    map: (node) => callIn(node, language),
    memberName: (name) => name.replaceAll("$${", "${"),
  };
  return language;
}

/** Removes the project from a config key: in the project `shop`, `${shop:size}` is its config value `size`. */
function withoutProject(text: string, { project }: PulumiNames): string {
  if (project === undefined || text.includes(`$\${${project}:`)) return text;
  return text.replaceAll(`\${${project}:`, () => "${");
}

function meaningOf(
  { root, path }: Reference,
  names: PulumiNames,
  line: number,
  unknown: (name: string, line: number) => void,
): Expression {
  const target = targetOf(root, names);
  if (target !== undefined) return { kind: "reference", target, path, line };
  const [setting, ...more] = path;
  if (root === "pulumi" && typeof setting === "string" && more.length === 0)
    if (settings.has(setting)) return { kind: "call", name: `pulumi.${setting}`, args: [], line };
  unknown(root, line);
  const text = `\${${[root, ...path].join(".")}}`.slice(0, MAX_EXPRESSION_TEXT);
  return { kind: "opaque", text, references: [], line };
}

/** The call of a map with a key `fn::…`. */
function callIn(node: DataMap, language: DataLanguage): Expression | undefined {
  for (const [key, argument] of node.members) {
    if (!/^fn::/i.test(key)) continue;
    const written = key.slice("fn::".length);
    const name = `fn::${functions.get(written.toLowerCase()) ?? written}`;
    const call: Expression = {
      kind: "call",
      name,
      args: argumentsOf(name, argument, language),
      line: node.line,
    };
    return name === "fn::secret" ? withoutLiterals(call, node.line) : call;
  }
  return undefined;
}

function argumentsOf(
  name: string,
  argument: DataNode,
  language: DataLanguage,
): readonly Expression[] {
  if (severalArguments.has(name) && argument.kind === "list")
    return argument.items.map((item) => expressionOf(item, language));
  return [expressionOf(argument, language)];
}
