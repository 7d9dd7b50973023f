import { expressionOf, objectOf, type DataLanguage } from "#importers/data-expression.ts";
import type { Expression, Member } from "#importers/expression.ts";
import { withoutLiterals } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type {
  Dependency,
  SourceModule,
  SourceResource,
  SourceVariable,
} from "#importers/source-module.ts";
import { lineOf, memberOf, type DataNode } from "#importers/text/data-node.ts";
import {
  addressOf,
  composeSections,
  dependenciesOf,
  kindOfSection,
  type ComposeSection,
} from "./compose-dependencies.ts";
import { mergedSettings, withoutReset } from "./compose-overrides.ts";
import { ComposeVariables } from "./compose-variables.ts";

export interface ComposeSource {
  file: string;
  root: DataNode;
}

/** A declaration of a service or a store in one file. */
interface Said {
  node: DataNode;
  file: string;
  variables: ComposeVariables;
}

interface Declared {
  section: ComposeSection;
  name: string;
  base: Said | undefined;
  override: Said | undefined;
}

/**
 * Reads a Compose file, with the override file beside it, as one module. An object in both files has its place in the
 * first.
 */
export function readCompose(
  base: ComposeSource,
  override: ComposeSource | undefined,
  log: ImportLog,
): SourceModule {
  const sources = [base, ...(override === undefined ? [] : [override])].map((source) => ({
    ...source,
    variables: new ComposeVariables(source.file),
  }));
  const written = composeSections.flatMap((section) => {
    const found = new Map<string, Declared>();
    for (const { root, file, variables } of sources)
      for (const [name, node] of membersOf(root, section, file, log)) {
        const said: Said = { node, file, variables };
        const before = found.get(name);
        if (before === undefined)
          found.set(name, { section, name, base: said, override: undefined });
        else before.override = said;
      }
    return [...found.values()];
  });
  const declared = new Set(written.map(({ section, name }) => addressOf(section, name)));
  const resources = written.flatMap((one): SourceResource[] => resourceOf(one, declared));
  const variables = new Map<string, SourceVariable>();
  for (const one of sources.flatMap((source) => source.variables.all()))
    if (variables.get(one.name)?.default === undefined) variables.set(one.name, one);
  return {
    format: "compose",
    path: base.file,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources,
    variables: [...variables.values()],
    outputs: [],
    locals: [],
    moduleCalls: [],
    providers: [],
  };
}

/** Empty if the override file resets the object. */
function resourceOf(
  { section, name, ...said }: Declared,
  declared: ReadonlySet<string>,
): SourceResource[] {
  const kept = withoutReset(said.base?.node, said.override?.node);
  const all = [
    ...(said.base && kept.base ? [{ ...said.base, node: kept.base }] : []),
    ...(said.override && kept.override ? [{ ...said.override, node: kept.override }] : []),
  ];
  const [first, second] = all;
  if (first === undefined) return [];
  const address = addressOf(section, name);
  const isService = section === "services";
  const nodes = all.map(({ node }) => node);
  const own = settingsOf(first.node, section, first.variables);
  const waitsFor = new Map<string, Dependency>();
  for (const { node, file } of isService ? all : [])
    for (const one of dependenciesOf(node, address, declared))
      if (!waitsFor.has(one.address)) waitsFor.set(one.address, { ...one, file });
  return [
    {
      address,
      mode: nodes.some(isExternal) ? "data" : "managed",
      type: `compose/${kindOfSection[section]}`,
      name,
      file: first.file,
      line: lineOf(first.node),
      endLine: first.node.endLine,
      provider: "compose",
      repeated: isService && isRepeated(nodes),
      settings:
        second === undefined
          ? own
          : mergedSettings(own, settingsOf(second.node, section, second.variables)),
      dependsOn: [...waitsFor.values()],
    },
  ];
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

/** The settings of a declaration. `depends_on` is left out, because it becomes dependencies. */
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

/** Converts a list or map to a map. A name without a value comes from the environment of Compose. */
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

/** Whether a service runs several times, or only with a profile. The last replica count wins. */
function isRepeated(nodes: readonly DataNode[]): boolean {
  if (nodes.some((node) => memberOf(node, "profiles") !== undefined)) return true;
  const count = nodes
    .map((node) => memberOf(node, "scale") ?? memberOf(memberOf(node, "deploy"), "replicas"))
    .findLast((one) => one !== undefined);
  return count !== undefined && !(count.kind === "scalar" && count.value === 1);
}
