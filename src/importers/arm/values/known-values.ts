/** Reads values that are known, and writes values that only the deployment knows as calls of the common vocabulary. */
import { type Expression, literal, type Member } from "#importers/expression.ts";

/** ARM's types of values. */
export type ArmType = "string" | "int" | "bool" | "array" | "object" | "null";

export function textIn(of: Expression | undefined): string | undefined {
  return of?.kind === "literal" && typeof of.value === "string" ? of.value : undefined;
}

export function numberIn(of: Expression | undefined): number | undefined {
  return of?.kind === "literal" && typeof of.value === "number" ? of.value : undefined;
}

export function truthIn(of: Expression | undefined): boolean | undefined {
  return of?.kind === "literal" && typeof of.value === "boolean" ? of.value : undefined;
}

export function isNull(of: Expression | undefined): boolean {
  return of?.kind === "literal" && of.value === null;
}

/** A member of an object. ARM ignores the case of names. */
export function memberNamed(members: readonly Member[], name: string): Member | undefined {
  const known = indexes.get(members) ?? indexOf(members);
  indexes.set(members, known);
  return known.exact.get(name) ?? known.lower.get(name.toLowerCase());
}

interface MemberIndex {
  exact: ReadonlyMap<string, Member>;
  lower: ReadonlyMap<string, Member>;
}

function indexOf(members: readonly Member[]): MemberIndex {
  const exact = new Map<string, Member>();
  const lower = new Map<string, Member>();
  for (const member of members) {
    if (!exact.has(member.name)) exact.set(member.name, member);
    const name = member.name.toLowerCase();
    if (!lower.has(name)) lower.set(name, member);
  }
  return { exact, lower };
}

/** A table is read many times. */
const indexes = new WeakMap<readonly Member[], MemberIndex>();

export function call(name: string, args: readonly Expression[], line: number): Expression {
  return { kind: "call", name, args, line };
}

/** A reference to an item of a `for` around the value. */
export function itemOf(name: string, line: number): Expression {
  return { kind: "reference", target: { kind: "item", name }, path: [], line };
}

/** A text in lower case: ARM often ignores case. */
export function lowered(of: Expression, line: number): Expression {
  const known = textIn(of);
  return known === undefined ? call("lower", [of], line) : literal(known.toLowerCase());
}

export function list(items: readonly Expression[]): Expression {
  return { kind: "list", items };
}

/** Whether two values are equal; undefined: a part is not known. Texts are compared with their case. */
export function areEqual(one: Expression, other: Expression): boolean | undefined {
  if (one.kind === "literal" && other.kind === "literal") return one.value === other.value;
  if (one.kind === "list" && other.kind === "list") {
    if (one.items.length !== other.items.length) return false;
    return all(one.items.map((item, at) => areEqual(item, other.items[at] ?? literal(null))));
  }
  if (one.kind === "object" && other.kind === "object") {
    if (one.members.length !== other.members.length) return false;
    return all(
      one.members.map(({ name, value }) => {
        const found = memberNamed(other.members, name);
        return found === undefined ? false : areEqual(value, found.value);
      }),
    );
  }
  const isOpen = [one, other].some(
    ({ kind }) => kind !== "literal" && kind !== "list" && kind !== "object",
  );
  return isOpen ? undefined : false;
}

function all(found: readonly (boolean | undefined)[]): boolean | undefined {
  if (found.includes(false)) return false;
  return found.includes(undefined) ? undefined : true;
}
