import { expressionOf } from "#importers/data-expression.ts";
import { referencesIn, type Expression } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { isSecretName } from "#importers/secrets/secret-name.ts";
import type { SourceModule, SourceOutput } from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { readConfig } from "./pulumi-config.ts";
import { pulumiLanguage } from "./pulumi-language.ts";
import { declaredProvider, readProviders, type DeclaredProvider } from "./pulumi-providers.ts";
import { readResource, shown } from "./pulumi-resources.ts";

/**
 * The module of a program, and the number of providers that it configures. `secured`: config values that a stack of the
 * project stores encrypted.
 */
export function readProgram(
  root: DataNode,
  file: string,
  secured: ReadonlySet<string>,
  log: ImportLog,
): { module: SourceModule; providers: number } {
  const project = textIn(memberOf(root, "name"));
  const config = readConfig(
    [memberOf(root, "config"), memberOf(root, "configuration")],
    file,
    project,
    secured,
  );
  const providers = new Map<string, DeclaredProvider>();
  const declarations: [string, DataNode][] = [];
  for (const [name, node] of membersOf(root, "resources", file, log)) {
    const provider = declaredProvider(name, node);
    if (provider === undefined) declarations.push([name, node]);
    else providers.set(name, provider);
  }
  const variables = membersOf(root, "variables", file, log);
  const language = pulumiLanguage(
    {
      project,
      resources: new Set(declarations.map(([name]) => name)),
      variables: new Set(variables.map(([name]) => name)),
      config: new Set(config.variables.map(({ name }) => name)),
    },
    (name, line) => {
      if (providers.has(name)) return;
      const message = `Nothing in the program has the name \`${shown(name)}\`, which is referred to here.`;
      log.add("warning", "unknown_reference", message, { file, line });
    },
  );
  const context = { file, language, providers, log };
  const resources = declarations.flatMap(([name, node]) => readResource(name, node, context) ?? []);
  const components = memberOf(root, "components");
  if (components !== undefined)
    log.add(
      "warning",
      "components_not_read",
      "The components that this file defines were not read: write their resources out.",
      { file, line: lineOf(components) },
    );
  const secrets = new Set(
    config.variables.filter(({ sensitive }) => sensitive).map(({ name }) => name),
  );
  const module: SourceModule = {
    format: "pulumi",
    path: file,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources,
    variables: config.variables,
    outputs: membersOf(root, "outputs", file, log).map(([name, node]): SourceOutput => {
      const value = expressionOf(node, language, name);
      return {
        name,
        value,
        sensitive: isSecretName(name) || isSecretValue(value, secrets),
        description: null,
        file,
        line: lineOf(node),
      };
    }),
    locals: variables.map(([name, node]) => ({
      name,
      value: expressionOf(node, language, name),
      file,
      line: lineOf(node),
    })),
    moduleCalls: [],
    providers: readProviders(providers.values(), resources, config.ofProviders, file, language),
  };
  return { module, providers: providers.size };
}

/** The members of a section. Empty, with a warning, if the section is not a map. */
function membersOf(
  root: DataNode,
  section: string,
  file: string,
  log: ImportLog,
): readonly [string, DataNode][] {
  const node = memberOf(root, section);
  if (node?.kind === "map") return [...node.members];
  if (node !== undefined && !(node.kind === "scalar" && node.value === null)) {
    const message = `\`${section}\` is no map: it was not read.`;
    log.add("warning", "section_not_read", message, { file, line: lineOf(node) });
  }
  return [];
}

function isSecretValue(value: Expression, secrets: ReadonlySet<string>): boolean {
  if (value.kind === "call" && value.name === "fn::unsecret") return false;
  if (value.kind === "call" && value.name === "fn::secret") return true;
  return referencesIn(value).some(
    ({ target }) => target.kind === "variable" && secrets.has(target.name),
  );
}
