import { expressionOf, objectOf, type DataLanguage } from "#importers/data-expression.ts";
import type { Expression, Member } from "#importers/expression.ts";
import { hidden, withoutLiterals } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type {
  Dependency,
  SourceModule,
  SourceResource,
  SourceVariable,
} from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import {
  addressOf,
  composeSections,
  dependenciesOf,
  kindOfSection,
  type ComposeSection,
} from "./compose-dependencies.ts";
import { ExtendedServices } from "./compose-extends.ts";
import { mergedSettings, REPLACED, RESET, withoutReset } from "./compose-overrides.ts";
import type { ComposeProjects, ComposeSource, ServiceDeclaration } from "./compose-project.ts";
import { leftOutOf } from "./compose-sections.ts";
import { ComposeVariables } from "./compose-variables.ts";

/** A declaration of a service or a store in one document. */
interface Said extends ServiceDeclaration {
  variables: ComposeVariables;
}

interface Declared {
  section: ComposeSection;
  name: string;
  said: Said[];
}

/**
 * Reads the documents of a Compose project as one module. Later documents change what earlier ones declare. An object
 * that is in several has its place in the first.
 */
export function readCompose(
  path: string,
  sources: readonly ComposeSource[],
  projects: ComposeProjects,
  log: ImportLog,
): SourceModule {
  const ofFile = new Map<string, ComposeVariables>();
  const variablesIn = (file: string): ComposeVariables => {
    const known = ofFile.get(file) ?? new ComposeVariables(file);
    ofFile.set(file, known);
    return known;
  };
  const written = composeSections.flatMap((section) => {
    const found = new Map<string, Declared>();
    for (const { root, file } of sources) {
      const tag = memberOf(root, section)?.tag;
      if (tag === RESET || tag === REPLACED) found.clear();
      for (const [name, node] of membersOf(root, section, file, log)) {
        const declared = found.get(name) ?? { section, name, said: [] };
        found.set(name, declared);
        declared.said.push({ node, file, variables: variablesIn(file) });
      }
    }
    return [...found.values()];
  });
  const services = new Map(
    written.flatMap(({ section, name, said }) => (section === "services" ? [[name, said]] : [])),
  );
  const extended = new ExtendedServices(projects, services, log);
  const withBases = (said: readonly Said[]): Said[] =>
    extended
      .withBases(said)
      .map(({ node, file }) => ({ node, file, variables: variablesIn(file) }));
  const declared = new Set(written.map(({ section, name }) => addressOf(section, name)));
  const resources = written.flatMap((one): SourceResource[] => {
    const [first] = one.said;
    const said = one.section === "services" ? withBases(one.said) : one.said;
    return first === undefined ? [] : resourceOf({ ...one, said }, first, declared);
  });
  const variables = new Map<string, SourceVariable>();
  for (const one of [...ofFile.values()].flatMap((all) => all.all()))
    if (variables.get(one.name)?.default === undefined) variables.set(one.name, one);
  return {
    format: "compose",
    path,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources,
    variables: [...variables.values()],
    outputs: [],
    locals: [],
    moduleCalls: [],
    providers: [],
    leftOut: sources.flatMap(leftOutOf),
  };
}

/** Empty if a later document resets the object. `place`: its first own declaration. */
function resourceOf(
  { section, name, said }: Declared,
  place: Said,
  declared: ReadonlySet<string>,
): SourceResource[] {
  const kept = withoutReset(said);
  if (kept.length === 0) return [];
  const first = kept.find(({ file, node }) => file === place.file && node.line === place.node.line);
  const { file: ownFile, node: own } = first ?? kept.at(-1) ?? place;
  const address = addressOf(section, name);
  const isService = section === "services";
  const nodes = kept.map(({ node }) => node);
  const waitsFor = new Map<string, Dependency>();
  for (const { node, file } of isService ? kept : [])
    for (const one of dependenciesOf(node, address, declared))
      if (!waitsFor.has(one.address)) waitsFor.set(one.address, { ...one, file });
  return [
    {
      address,
      mode: nodes.some(isExternal) ? "data" : "managed",
      type: `compose/${kindOfSection[section]}`,
      name,
      file: ownFile,
      line: lineOf(own),
      endLine: own.endLine,
      provider: "compose",
      repeated: isService && isRepeated(nodes),
      settings: mergedSettings(
        kept.map(({ node, variables }) => settingsOf(node, section, variables)),
      ),
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
  if (node.kind === "map") return [...node.members];
  if (node.tag === RESET) return [];
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
      const isStore = section === "secrets" || section === "configs";
      if (isStore && member.name === "content")
        return { ...member, value: withoutLiterals(member.value, member.line) };
      if (isStore && member.name === "environment")
        return { ...member, value: storedVariable(memberOf(node, "environment"), variables) };
      if (section === "services" && member.name === "environment")
        return { ...member, value: environmentOf(memberOf(node, "environment"), variables) };
      return member;
    }),
  };
}

/** The variable whose value a secret or a config has. */
function storedVariable(node: DataNode | undefined, variables: ComposeVariables): Expression {
  const name = textIn(node) ?? "";
  const line = node?.line ?? 1;
  if (!/^[A-Za-z_]\w*$/.test(name)) return hidden(line);
  variables.use({ name, line, default: undefined, isSecret: true });
  return { kind: "reference", target: { kind: "variable", name }, path: [], line };
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
  const mode = nodes.map((node) => textIn(memberOf(memberOf(node, "deploy"), "mode")));
  if (mode.some((one) => one?.startsWith("global") === true)) return true;
  const count = nodes
    .map((node) => memberOf(node, "scale") ?? memberOf(memberOf(node, "deploy"), "replicas"))
    .findLast((one) => one !== undefined);
  return count !== undefined && !(count.kind === "scalar" && count.value === 1);
}
