import { objectOf, type DataLanguage } from "#importers/data-expression.ts";
import type { Member, ObjectExpression } from "#importers/expression.ts";
import type {
  SourceProvider,
  SourceProviderAlias,
  SourceResource,
} from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";

/** The prefix of resource types that configure a provider: `pulumi:providers:aws`. */
const PROVIDER_TYPE = "pulumi:providers:";

/** A resource of the program that configures a provider. */
export interface DeclaredProvider {
  name: string;
  package: string;
  /** Whether resources without a provider use it. */
  isDefault: boolean;
  node: DataNode;
}

/** The provider that a resource configures: its package is `aws` for the type `pulumi:providers:aws`. */
export function declaredProvider(name: string, node: DataNode): DeclaredProvider | undefined {
  const type = textIn(memberOf(node, "type"));
  if (type === undefined || !type.startsWith(PROVIDER_TYPE)) return undefined;
  const defaults = memberOf(node, "defaultProvider");
  return {
    name,
    package: type.slice(PROVIDER_TYPE.length),
    isDefault: defaults?.kind === "scalar" && defaults.value === true,
    node,
  };
}

/** The configured providers of a program, and the packages of its resources. */
export function readProviders(
  declared: Iterable<DeclaredProvider>,
  resources: readonly SourceResource[],
  ofProviders: ReadonlyMap<string, readonly Member[]>,
  file: string,
  language: DataLanguage,
): readonly SourceProvider[] {
  const providers = new Map<string, SourceProvider & { aliases: SourceProviderAlias[] }>();
  const named = (name: string, line: number) => {
    const before = providers.get(name);
    if (before !== undefined) return before;
    const configured = ofProviders.get(name);
    const provider = {
      name,
      source: null,
      constraints: [],
      aliases: [],
      settings: configured === undefined ? null : objectWith(configured),
      file,
      line: configured?.[0]?.line ?? line,
    };
    providers.set(name, provider);
    return provider;
  };
  for (const { name, package: of, isDefault, node } of declared) {
    const provider = named(of, lineOf(node));
    const settings = objectOf(memberOf(node, "properties"), language);
    if (isDefault) Object.assign(provider, { settings, line: lineOf(node) });
    else provider.aliases.push({ name, settings, file, line: lineOf(node) });
  }
  for (const { provider, line } of resources) named(provider.split(".", 1)[0] ?? provider, line);
  return [...providers.values()];
}

function objectWith(members: readonly Member[]): ObjectExpression {
  return { kind: "object", members };
}
