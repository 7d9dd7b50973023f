import type { DataLanguage } from "#importers/data-expression.ts";
import { expressionOf } from "#importers/data-expression.ts";
import type { Member } from "#importers/expression.ts";
import { hidden, isSecretVariable } from "#importers/hidden-values.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";

interface PulumiConfig {
  variables: readonly SourceVariable[];
  /** Settings by provider: `aws:region` configures the provider `aws`. */
  ofProviders: ReadonlyMap<string, readonly Member[]>;
}

/** Config values contain no expressions. */
const plain: DataLanguage = { text: (value) => ({ kind: "literal", value }) };

/** Reads a program's `config` and `configuration`. `secured`: names that a stack stores encrypted. */
export function readConfig(
  sections: readonly (DataNode | undefined)[],
  file: string,
  project: string | undefined,
  secured: ReadonlySet<string>,
): PulumiConfig {
  const variables = new Map<string, SourceVariable>();
  const ofProviders = new Map<string, Member[]>();
  for (const section of sections)
    for (const [key, node] of section?.kind === "map" ? section.members : []) {
      const { namespace, name } = configName(key);
      if (namespace === undefined || namespace === project)
        variables.set(name, variableOf(name, node, file, secured));
      else {
        const members = ofProviders.get(namespace) ?? [];
        ofProviders.set(namespace, members);
        const value = memberOf(node, "value") ?? memberOf(node, "default") ?? node;
        if (!members.some((member) => member.name === name) && members.length < MAX_SETTINGS)
          members.push({
            name,
            value: isSecured(node) ? hidden(node.line) : expressionOf(value, plain, name),
            line: lineOf(node),
          });
      }
    }
  return { variables: [...variables.values()], ofProviders };
}

/** The maximum number of settings of one provider. */
const MAX_SETTINGS = 200;

/** Splits a key: `aws:region` is `region` in the namespace `aws`. A name without a colon has no namespace. */
export function configName(key: string): { namespace: string | undefined; name: string } {
  const colon = key.indexOf(":");
  if (colon === -1) return { namespace: undefined, name: key };
  return { namespace: key.slice(0, colon), name: key.slice(colon + 1) };
}

/** Whether a value is stored encrypted: `{ secure: … }`. */
export function isSecured(node: DataNode): boolean {
  if (memberOf(node, "secure") !== undefined) return true;
  const secret = memberOf(node, "secret");
  return secret?.kind === "scalar" && secret.value === true;
}

function variableOf(
  name: string,
  node: DataNode,
  file: string,
  secured: ReadonlySet<string>,
): SourceVariable {
  const line = lineOf(node);
  const described = node.kind === "map";
  const given = described ? (memberOf(node, "default") ?? memberOf(node, "value")) : node;
  const isScalar = given === undefined || given.kind === "scalar";
  const sensitive = isSecured(node) || secured.has(name) || isSecretVariable(name, isScalar);
  const isGiven = given !== undefined && !(given.kind === "scalar" && given.value === null);
  return {
    name,
    type: typeIn(node) ?? null,
    description: textIn(memberOf(node, "description")) ?? null,
    default: isGiven ? (sensitive ? hidden(line) : expressionOf(given, plain)) : undefined,
    sensitive,
    file,
    line,
  };
}

function typeIn(node: DataNode): string | undefined {
  const type = textIn(memberOf(node, "type"));
  const items = textIn(memberOf(memberOf(node, "items"), "type"));
  return type === "array" && items !== undefined ? `array<${items}>` : type;
}
