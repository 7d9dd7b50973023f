/**
 * The addresses of resources: `node`, `node["a"]` in a loop, `network/subnet["a"]` in a component. An address is the
 * resource's name in the state, the plan and the log.
 */
import type { Level } from "#engine/template/template.ts";

const PART = /([A-Za-z_][A-Za-z0-9_-]*)(?:\[("(?:[^"\\]|\\.)*")\])?(\/|$)/y;

/** The address of a resource or component of the level; `key`: of the loop's turn. */
export function addressIn({ address }: Pick<Level, "address">, name: string, key?: string): string {
  return `${address === "" ? "" : `${address}/`}${name}${key === undefined ? "" : keyed(key)}`;
}

function keyed(key: string): string {
  return `[${JSON.stringify(key)}]`;
}

/** The names and keys of an address, outermost first; undefined for a text that is no address. */
export function partsOfAddress(address: string): { name: string; key?: string }[] | undefined {
  const parts: { name: string; key?: string }[] = [];
  let position = 0;
  for (;;) {
    PART.lastIndex = position;
    const found = PART.exec(address);
    if (found === null) return undefined;
    const [whole, name = "", quoted, end] = found;
    const key = quoted === undefined ? undefined : keyIn(quoted);
    if (quoted !== undefined && key === undefined) return undefined;
    parts.push(key === undefined ? { name } : { name, key });
    position += whole.length;
    if (end === "") return position === address.length ? parts : undefined;
  }
}

/** The addresses of the components around an address, outermost first, and the address itself. */
export function addressesTo(address: string): string[] {
  let outer = "";
  return (partsOfAddress(address) ?? []).map(({ name, key }) => {
    outer = addressIn({ address: outer }, name, key);
    return outer;
  });
}

/** The address of the loop of which the address is a turn, with `[` after it; undefined for another address. */
export function turnedLoop(address: string): string | undefined {
  return /^.*\[(?="(?:[^"\\]|\\.)*"\]$)/.exec(address)?.[0];
}

/** Whether an address is one of those given, a turn of such a loop, or inside such a component. */
export function isWithin(address: string, outer: ReadonlySet<string>): boolean {
  for (const { index } of address.matchAll(/[/[]/g))
    if (outer.has(address.slice(0, index))) return true;
  return outer.has(address);
}

function keyIn(quoted: string): string | undefined {
  try {
    const key: unknown = JSON.parse(quoted);
    return typeof key === "string" && JSON.stringify(key) === quoted ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The alias by which the address `to` takes the object of `from`, and the name of the declaration on which it is written:
 * the resource itself, or the use of the component that the object moves into.
 */
export function aliasFor(from: string, to: string): { alias: string; on: string } {
  const [former, present] = [partsOfAddress(from), partsOfAddress(to)];
  if (former === undefined || present === undefined) return { alias: from, on: to };
  const shared = sharedLevels(former, present);
  const [[last = { name: from }, ...below], [declared = { name: to }, ...inside]] = [
    former.slice(shared),
    present.slice(shared),
  ];
  const isBeside = below.length === 0 && inside.length === 0;
  if (isBeside && last.key === undefined && declared.key === undefined)
    return { alias: last.name, on: declared.name };
  const members = isBeside
    ? [`name: ${last.name}`, ...(last.key === undefined ? [] : [`key: ${quoted(last.key)}`])]
    : [`address: ${quoted(addressOf([last, ...below]))}`];
  const turn = declared.key === undefined ? "" : `${keyed(declared.key)}/`;
  const part = inside.length > 0 ? `${turn}${addressOf(inside)}` : declared.key;
  if (part !== undefined) members.push(`to: ${quoted(part)}`);
  return { alias: `{ ${members.join(", ")} }`, on: declared.name };
}

type Part = { name: string; key?: string };

function quoted(text: string): string {
  return JSON.stringify(text);
}

function addressOf(parts: readonly Part[]): string {
  return parts.reduce((address, { name, key }) => addressIn({ address }, name, key), "");
}

/** The number of components that both addresses are in. */
function sharedLevels(one: readonly Part[], other: readonly Part[]): number {
  const most = Math.min(one.length, other.length) - 1;
  const first = one.findIndex(
    ({ name, key }, at) => at >= most || name !== other[at]?.name || key !== other[at]?.key,
  );
  return Math.max(0, first);
}
