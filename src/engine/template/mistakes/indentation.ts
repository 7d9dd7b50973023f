import type { DocumentNode, MapEntry, MapNode } from "#engine/template/document.ts";
import { quoted, type Report } from "#engine/template/report.ts";

const sections = new Set(["config", "configuration", "variables", "resources", "outputs"]);
const resourceKeys = new Set(["type", "properties", "options"]);

/**
 * The document with entries moved to the place that their indentation was meant to give, each mistake reported once.
 * Finds mistakes that leave valid YAML: members beside the section, resource or `properties` to which they belong, and
 * a section inside another one.
 */
export function reindented(root: MapNode, report: Report): MapNode {
  const sectioned = withoutInnerResources(root, report);
  const filled = withMembersBelow(sectioned.entries, {
    parents: [...sections],
    isMember: (entry, section) => !sections.has(entry.key) && isMemberOf(section, entry.value),
    report,
  });
  return {
    ...root,
    entries: filled.map((entry) =>
      entry.key === "resources" && entry.value.kind === "map"
        ? { ...entry, value: resourcesIn(entry.value, report) }
        : entry,
    ),
  };
}

/** Whether a misplaced value can be a member of the section: in two of them, a member is known by its type. */
function isMemberOf(section: string, node: DocumentNode): boolean {
  return (section === "resources" || section.startsWith("config")) && hasType(node);
}

function resourcesIn(node: MapNode, report: Report): MapNode {
  const names = node.entries.filter(({ value }) => isEmpty(value)).map(({ key }) => key);
  const entries = withMembersBelow(node.entries, {
    parents: names.filter((key) => !resourceKeys.has(key)),
    isMember: ({ key, value }) => resourceKeys.has(key) && !hasType(value),
    report,
  });
  return {
    ...node,
    entries: entries.map((entry) =>
      entry.value.kind === "map"
        ? { ...entry, value: { ...entry.value, entries: propertiesIn(entry.value, report) } }
        : entry,
    ),
  };
}

function propertiesIn(resource: MapNode, report: Report): MapEntry[] {
  return withMembersBelow(resource.entries, {
    parents: ["properties"],
    isMember: ({ key }) => !resourceKeys.has(key),
    report,
  });
}

/** Moves the members that follow an empty parent into it. */
function withMembersBelow(
  entries: readonly MapEntry[],
  {
    parents,
    isMember,
    report,
  }: {
    parents: readonly string[];
    isMember: (entry: MapEntry, parent: string) => boolean;
    report: Report;
  },
): MapEntry[] {
  const kept: { entry: MapEntry; members: MapEntry[] }[] = [];
  let open: { key: string; members: MapEntry[] } | undefined;
  for (const entry of entries) {
    if (open !== undefined && isMember(entry, open.key)) {
      if (open.members.length === 0)
        report.error(
          "indentation",
          `${quoted(entry.key)} stands beside ${quoted(open.key)}, which is empty.`,
          entry.keyPlace,
          `Indent it, and what follows it, below \`${open.key}:\`.`,
        );
      open.members.push(entry);
      continue;
    }
    const members: MapEntry[] = [];
    kept.push({ entry, members });
    open =
      parents.includes(entry.key) && isEmpty(entry.value) ? { key: entry.key, members } : undefined;
  }
  return kept.map(({ entry, members }) =>
    members.length === 0
      ? entry
      : { ...entry, value: { kind: "map", entries: members, place: entry.value.place } },
  );
}

/** Takes `resources` out of the section that it is indented under. */
function withoutInnerResources(root: MapNode, report: Report): MapNode {
  const taken = new Set(root.entries.map(({ key }) => key));
  const entries = root.entries.flatMap((entry): MapEntry[] => {
    if (!sections.has(entry.key) || entry.value.kind !== "map") return [entry];
    const { value } = entry;
    const inner = value.entries.filter(
      ({ key, value: node }) => key === "resources" && !taken.has(key) && holdsResources(node),
    );
    for (const { key, keyPlace } of inner)
      report.error(
        "indentation",
        `${quoted(key)} is indented below ${quoted(entry.key)}, but is a section of its own.`,
        keyPlace,
        `Start \`${key}:\` at the first column.`,
      );
    if (inner.length === 0) return [entry];
    const rest = value.entries.filter((member) => !inner.includes(member));
    return [{ ...entry, value: { ...value, entries: rest } }, ...inner];
  });
  return { ...root, entries };
}

function holdsResources(node: DocumentNode): boolean {
  return (
    node.kind === "map" &&
    node.entries.length > 0 &&
    node.entries.every(({ value }) => hasType(value))
  );
}

function hasType(node: DocumentNode): boolean {
  return node.kind === "map" && node.entries.some(({ key }) => key === "type");
}

function isEmpty(node: DocumentNode): boolean {
  return node.kind === "scalar" && node.value === null;
}
