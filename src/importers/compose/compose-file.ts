import { objectOf } from "#importers/data-expression.ts";
import type { Expression } from "#importers/expression.ts";
import { hidden, withoutLiterals } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type {
  Dependency,
  SourceModule,
  SourceResource,
  SourceVariable,
} from "#importers/source-module.ts";
import { lineOf, memberOf, oneOrMany, textIn, type DataNode } from "#importers/text/data-node.ts";
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
import { environmentOf, inOneForm } from "./setting-forms.ts";

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
  for (const { root, file } of sources) readTopTexts(root, variablesIn(file));
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
  const implied = addressOf("networks", "default");
  if (isService && declared.has(implied) && !nodes.some(namesNetwork))
    waitsFor.set(implied, { address: implied, line: lineOf(own), file: ownFile });
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

/** Whether a service says in which networks it is. Another one is in the project's default network. */
function namesNetwork(node: DataNode): boolean {
  return (memberOf(node, "networks") ?? memberOf(node, "network_mode")) !== undefined;
}

/** Variables in the name of the project and in the paths of includes. */
function readTopTexts(root: DataNode, { language }: ComposeVariables): void {
  const includes = oneOrMany(memberOf(root, "include")).flatMap((item) =>
    item.kind === "map" ? oneOrMany(memberOf(item, "path")) : [item],
  );
  for (const node of [memberOf(root, "name"), ...includes]) {
    const text = textIn(node);
    if (text !== undefined) language.text(text, node?.line ?? 1);
  }
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
      return inOneForm(member, memberOf(node, member.name), variables);
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
