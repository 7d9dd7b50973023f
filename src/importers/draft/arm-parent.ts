/** ARM writes the name of a child as `parent/child`; our types name the parent by its id. */
import { type Expression, literal, textOf } from "#importers/expression.ts";
import type { Member } from "#importers/expression.ts";
import type { DraftedResource } from "./drafted-resource.ts";

/** The resource with `parent` and its own last name as settings, if it is a child whose parent the module has. */
export function withParent(
  made: DraftedResource,
  others: ReadonlyMap<string, DraftedResource>,
): DraftedResource {
  const { source, scope } = made;
  if (scope.module.format !== "arm") return made;
  const kinds = kindsOf(made.mapped.type);
  if (kinds.length <= 2) return made;
  const { members } = source.settings;
  const name = members.find((member) => member.name === "name");
  if (name === undefined || members.some((member) => member.name === "parent")) return made;
  const parent = parentAmong(kinds, name.value, others);
  if (parent === undefined) return made;
  const rest: Member[] = members.map((member) =>
    member === name ? { ...member, value: parent.own } : member,
  );
  const { line } = name;
  const target = { kind: "resource", address: parent.of.source.address } as const;
  const reference: Expression = { kind: "reference", target, path: ["id"], line };
  const settings = {
    kind: "object",
    members: [...rest, { name: "parent", value: reference, line }],
  } as const;
  return { ...made, source: { ...source, settings } };
}

function kindsOf(type: string): string[] {
  return (type.slice(type.indexOf(":") + 1).split("@")[0] ?? "").toLowerCase().split("/");
}

function parentAmong(
  kinds: readonly string[],
  name: Expression,
  others: ReadonlyMap<string, DraftedResource>,
): { of: DraftedResource; own: Expression } | undefined {
  const wanted = kinds.slice(0, -1).join("/");
  for (const other of others.values()) {
    if (kindsOf(other.mapped.type).join("/") !== wanted) continue;
    const named = other.source.settings.members.find((member) => member.name === "name");
    const own = named === undefined ? undefined : below(partsOf(named.value), partsOf(name));
    if (own !== undefined) return { of: other, own };
  }
  return undefined;
}

/** What follows the parent's name and a slash in the child's. */
function below(
  parent: readonly Expression[],
  child: readonly Expression[],
): Expression | undefined {
  const rest = [...child];
  for (const [at, part] of parent.entries()) {
    const own = rest[0];
    if (own === undefined) return undefined;
    if (isSame(part, own)) {
      rest.shift();
      continue;
    }
    // The child's text goes on where the last text of the parent ends.
    const isLast = at === parent.length - 1;
    if (!isLast || part.kind !== "literal" || own.kind !== "literal") return undefined;
    if (!String(own.value).startsWith(String(part.value))) return undefined;
    rest[0] = literal(String(own.value).slice(String(part.value).length));
  }
  const [next, ...more] = rest;
  if (next?.kind !== "literal" || !String(next.value).startsWith("/")) return undefined;
  const own = String(next.value).slice(1);
  return textOf(own === "" ? more : [literal(own), ...more]);
}

function partsOf(expression: Expression): readonly Expression[] {
  return expression.kind === "text" ? expression.parts : [expression];
}

function isSame(one: Expression, other: Expression): boolean {
  return withoutLines(one) === withoutLines(other);
}

function withoutLines(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) => (key === "line" ? undefined : value));
}
