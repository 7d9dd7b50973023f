import { expressionOf, objectOf, type DataLanguage } from "#importers/data-expression.ts";
import { referencesIn, type Expression } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { Dependency, SourceResource } from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import type { DeclaredProvider } from "./pulumi-providers.ts";
import { importedId, optionsOf } from "./resource-options.ts";

/** The context for reading the resources of a program. */
interface ResourceContext {
  file: string;
  language: DataLanguage;
  /** The program's explicit providers by name. */
  providers: ReadonlyMap<string, DeclaredProvider>;
  log: ImportLog;
}

/** Reads a resource of a program. Undefined, with a warning, if it has no type. */
export function readResource(
  name: string,
  node: DataNode,
  { file, language, providers, log }: ResourceContext,
): SourceResource | undefined {
  const line = lineOf(node);
  const { endLine } = node;
  const type = textIn(memberOf(node, "type"));
  if (type === undefined) {
    const message = `The resource \`${shown(name)}\` has no \`type\`: it was left out.`;
    log.add("warning", "resource_without_type", message, { file, line });
    return undefined;
  }
  const options = memberOf(node, "options");
  const got = memberOf(node, "get");
  const gotId = memberOf(got, "id");
  const settings = objectOf(got ?? memberOf(node, "properties"), language);
  const properties = memberOf(node, "properties");
  if (got === undefined && properties !== undefined && properties.kind !== "map") {
    const message = `The properties of \`${shown(name)}\` are no map: they were left out.`;
    log.add("warning", "properties_not_read", message, { file, line: lineOf(properties) });
  }
  const region = settings.members.find((one) => one.name === "region" || one.name === "location");
  return {
    address: name,
    mode: got === undefined ? "managed" : "data",
    type,
    name,
    file,
    line,
    endLine,
    provider: providerOf(type, memberOf(options, "provider"), providers),
    region: isPlace(region?.value) ? region?.value : undefined,
    repeated: false,
    ...(gotId === undefined ? {} : { got: expressionOf(gotId, language) }),
    settings,
    dependsOn: dependenciesIn(memberOf(options, "dependsOn"), language),
    id: importedId(memberOf(options, "import")),
    options: optionsOf(node),
  };
}

/** The package of a type: `azure-native` for `azure-native:network:VirtualNetwork`. */
function packageOf(type: string): string {
  return type.split(":", 1)[0] ?? type;
}

/** The name in a text that consists of `${name}`. */
export function nameIn(node: DataNode | undefined): string | undefined {
  return /^\$\{([A-Za-z_][\w-]*)\}$/.exec(textIn(node) ?? "")?.[1];
}

export function shown(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name;
}

function providerOf(
  type: string,
  option: DataNode | undefined,
  providers: ReadonlyMap<string, DeclaredProvider>,
): string {
  const declared = providers.get(nameIn(option) ?? "");
  if (declared === undefined) return packageOf(type);
  return declared.isDefault ? declared.package : `${declared.package}.${declared.name}`;
}

function dependenciesIn(node: DataNode | undefined, language: DataLanguage): Dependency[] {
  if (node === undefined) return [];
  const found = new Map<string, Dependency>();
  for (const { target, line } of referencesIn(expressionOf(node, language)))
    if (target.kind === "resource") found.set(target.address, { address: target.address, line });
  return [...found.values()];
}

function isPlace(value: Expression | undefined): boolean {
  return value?.kind === "reference" || (value?.kind === "literal" && value.value !== null);
}
