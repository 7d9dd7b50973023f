import { own } from "#engine/template/own.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import type { TypeFacts } from "#providers/provider.ts";

/**
 * Warns of a resource that names its container by a written-out value. The plan then cannot tell that the cloud deletes
 * it with the container, or that the container must be created first.
 */
export function checkParents(
  { resources }: Template,
  facts: (type: string) => Pick<TypeFacts, "location" | "refers"> | undefined,
  report: Report,
): void {
  const parentsOf = parentFinder(resources);
  for (const [name, { type, properties, options }] of Object.entries(resources)) {
    const { location = [], refers = {} } = facts(type) ?? {};
    for (const path of location) {
      const expression = own(properties, path);
      const kind = own(refers, path);
      if (expression?.kind !== "literal" || kind === undefined) continue;
      const parentType = `${type.split(":")[0]}:${kind}`;
      const parent = parentsOf(parentType, expression.value).find((other) => other.name !== name);
      if (parent === undefined || options.dependsOn.includes(parent.name)) continue;
      report.warning(
        "literal_parent",
        `${quoted(name)} is in ${quoted(parent.name)} by a written-out value: when ${quoted(parent.name)} is replaced, the cloud deletes ${quoted(name)} with it, and it is not made again.`,
        expression.place,
        `Write \`\${${parent.name}.${parent.property}}\`.`,
      );
    }
  }
}

interface Parent {
  name: string;
  property: string;
}

/** Finds resources of a type by a value written out in one of their properties. */
function parentFinder(
  resources: Readonly<Record<string, ResourceDeclaration>>,
): (type: string, value: unknown) => Parent[] {
  const found = new Map<string, Parent[]>();
  const keyOf = (type: string, value: unknown): string => `${type}\n${String(value)}`;
  for (const [name, { type, properties }] of Object.entries(resources))
    for (const [property, expression] of Object.entries(properties)) {
      if (expression.kind !== "literal" || typeof expression.value !== "string") continue;
      const key = keyOf(type, expression.value);
      found.set(key, [...(found.get(key) ?? []), { name, property }]);
    }
  return (type, value) => found.get(keyOf(type, value)) ?? [];
}
