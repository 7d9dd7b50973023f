import { expressionOf, objectOf, type DataLanguage } from "#importers/data-expression.ts";
import type { Expression, Member } from "#importers/expression.ts";
import { withoutLiterals } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { SourceModule, SourceResource } from "#importers/source-module.ts";
import { lineOf, memberOf, type DataNode } from "#importers/text/data-node.ts";
import {
  addressOf,
  composeSections,
  dependenciesOf,
  kindOfSection,
  type ComposeSection,
} from "./compose-dependencies.ts";
import { ComposeVariables } from "./compose-variables.ts";

/** The module of a Compose file. */
export function readCompose(root: DataNode, file: string, log: ImportLog): SourceModule {
  const variables = new ComposeVariables(file);
  const written = composeSections.flatMap((section) =>
    membersOf(root, section, file, log).map(([name, node]) => ({ section, name, node })),
  );
  const declared = new Set(written.map(({ section, name }) => addressOf(section, name)));
  const resources = written.map(({ section, name, node }): SourceResource => {
    const address = addressOf(section, name);
    const isService = section === "services";
    return {
      address,
      mode: isExternal(node) ? "data" : "managed",
      type: `compose/${kindOfSection[section]}`,
      name,
      file,
      line: lineOf(node),
      endLine: node.endLine,
      provider: "compose",
      repeated: isService && isRepeated(node),
      settings: settingsOf(node, section, variables),
      dependsOn: isService ? dependenciesOf(node, address, declared) : [],
    };
  });
  return {
    format: "compose",
    path: file,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources,
    variables: variables.all(),
    outputs: [],
    locals: [],
    moduleCalls: [],
    providers: [],
  };
}

function membersOf(
  root: DataNode,
  section: ComposeSection,
  file: string,
  log: ImportLog,
): readonly [string, DataNode][] {
  const node = memberOf(root, section);
  if (node === undefined || (node.kind === "scalar" && node.value === null)) return [];
  if (node.kind === "map") return [...node.members].filter(([name]) => name !== "<<");
  const message = `\`${section}\` is no map: it was not read.`;
  log.add("warning", "section_not_read", message, { file, line: lineOf(node) });
  return [];
}

/** Of what a file sets for a service or a store; what it waits for is a dependency. */
function settingsOf(
  node: DataNode,
  section: ComposeSection,
  variables: ComposeVariables,
): SourceResource["settings"] {
  const { language } = variables;
  const { members } = objectOf(node, language, (name) => name === "depends_on");
  return {
    kind: "object",
    members: members.map((member) => {
      if (section === "secrets" && member.name === "content")
        return { ...member, value: withoutLiterals(member.value, member.line) };
      if (section === "services" && member.name === "environment")
        return { ...member, value: environmentOf(memberOf(node, "environment"), variables) };
      return member;
    }),
  };
}

/** As a map, however it is written. A name without a value is taken from the environment of Compose. */
function environmentOf(node: DataNode | undefined, variables: ComposeVariables): Expression {
  const found = new Map<string, Member>();
  for (const { name, value, line } of settingsIn(node, variables.language)) {
    if (value === undefined) variables.use({ name, line, default: undefined });
    const given: Expression = value ?? {
      kind: "reference",
      target: { kind: "variable", name },
      path: [],
      line,
    };
    found.set(name, { name, value: given, line });
  }
  return { kind: "object", members: [...found.values()] };
}

interface Setting {
  name: string;
  value: Expression | undefined;
  line: number;
}

function settingsIn(node: DataNode | undefined, language: DataLanguage): readonly Setting[] {
  if (node?.kind === "map")
    return [...node.members].map(([name, value]) => ({
      name,
      value:
        value.kind === "scalar" && value.value === null
          ? undefined
          : expressionOf(value, language, name),
      line: lineOf(value),
    }));
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item): Setting[] => {
    if (item.kind !== "scalar" || typeof item.value !== "string") return [];
    const { value: text, line } = item;
    const sign = text.indexOf("=");
    if (sign === -1) return [{ name: text, value: undefined, line }];
    const name = text.slice(0, sign);
    const value = expressionOf({ ...item, value: text.slice(sign + 1) }, language, name);
    return [{ name, value, line }];
  });
}

function isExternal(node: DataNode): boolean {
  const external = memberOf(node, "external");
  return external?.kind === "map" || (external?.kind === "scalar" && external.value === true);
}

/** It runs several times, or only with a profile. */
function isRepeated(node: DataNode): boolean {
  if (memberOf(node, "profiles") !== undefined) return true;
  const count = memberOf(node, "scale") ?? memberOf(memberOf(node, "deploy"), "replicas");
  return count !== undefined && !(count.kind === "scalar" && count.value === 1);
}
