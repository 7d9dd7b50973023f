import type { Dependency } from "#importers/source-module.ts";
import {
  itemsOf,
  lineOf,
  memberOf,
  membersOf,
  textIn,
  type DataNode,
} from "#importers/text/data-node.ts";

/** The kind of object that each section declares. */
export const kindOfSection = {
  services: "service",
  volumes: "volume",
  networks: "network",
  secrets: "secret",
  configs: "config",
  models: "model",
} as const;

export type ComposeSection = keyof typeof kindOfSection;

export const composeSections: readonly ComposeSection[] = [
  "services",
  "volumes",
  "networks",
  "secrets",
  "configs",
  "models",
];

/** `service.web` */
export function addressOf(section: ComposeSection, name: string): string {
  return `${kindOfSection[section]}.${name}`;
}

/** The dependencies of a service on objects that the file declares. */
export function dependenciesOf(
  service: DataNode,
  own: string,
  declared: ReadonlySet<string>,
): readonly Dependency[] {
  const found = new Map<string, Dependency>();
  const add = (section: ComposeSection, name: string | undefined, line: number): void => {
    const address = addressOf(section, name ?? "");
    if (name !== undefined && address !== own && declared.has(address) && !found.has(address))
      found.set(address, { address, line });
  };
  for (const { name, line } of namesIn(memberOf(service, "depends_on")))
    add("services", name, line);
  for (const { name, line } of namesIn(memberOf(service, "links")))
    add("services", before(name, ":"), line);
  for (const { name, line } of namesIn(memberOf(service, "volumes_from")))
    add("services", before(name, ":"), line);
  for (const member of ["network_mode", "ipc", "pid"]) {
    const mode = memberOf(service, member);
    const text = textIn(mode);
    if (text?.startsWith("service:"))
      add("services", text.slice("service:".length), mode?.line ?? 1);
  }
  const extended = memberOf(service, "extends");
  if (memberOf(extended, "file") === undefined)
    add(
      "services",
      textIn(extended) ?? textIn(memberOf(extended, "service")),
      extended?.line ?? service.line,
    );
  for (const item of itemsOf(memberOf(service, "volumes"))) {
    const isVolume = /^(?:volume|cluster)$/.test(textIn(memberOf(item, "type")) ?? "volume");
    const source = isVolume ? textIn(memberOf(item, "source")) : undefined;
    add("volumes", before(textIn(item), ":") ?? source, item.line);
  }
  for (const section of ["networks", "secrets", "configs", "models"] as const)
    for (const { name, line } of namesIn(memberOf(service, section))) add(section, name, line);
  const credentials = memberOf(memberOf(service, "credential_spec"), "config");
  add("configs", textIn(credentials), credentials?.line ?? service.line);
  const build = memberOf(service, "build");
  for (const { name, line } of namesIn(memberOf(build, "secrets"))) add("secrets", name, line);
  for (const { text, line } of textsIn(memberOf(build, "additional_contexts"))) {
    const [, name] = /^(?:[^=]{1,200}=)?service:(.+)$/.exec(text) ?? [];
    add("services", name, line);
  }
  return [...found.values()];
}

/** The names in a list of names, in a list of maps with a `source`, or in the keys of a map. */
function namesIn(node: DataNode | undefined): readonly { name: string; line: number }[] {
  if (node?.kind === "map")
    return [...node.members].map(([name, value]) => ({ name, line: lineOf(value) }));
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item) => {
    const name = textIn(item) ?? textIn(memberOf(item, "source"));
    return name === undefined ? [] : [{ name, line: item.line }];
  });
}

/** The texts in a list, or those of the members of a map. */
function textsIn(node: DataNode | undefined): readonly { text: string; line: number }[] {
  return [...itemsOf(node), ...membersOf(node).values()].flatMap((item) => {
    const text = textIn(item);
    return text === undefined ? [] : [{ text, line: item.line }];
  });
}

function before(text: string | undefined, sign: string): string | undefined {
  return text?.split(sign, 1)[0];
}
