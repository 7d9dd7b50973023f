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

function keyIn(quoted: string): string | undefined {
  try {
    const key: unknown = JSON.parse(quoted);
    return typeof key === "string" && JSON.stringify(key) === quoted ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The alias to write on the resource `to`, so that it takes the object of the address `from`. */
export function aliasFor(from: string, to: string): string {
  const [former, present] = [partsOfAddress(from), partsOfAddress(to)];
  const last = former?.at(-1);
  if (last === undefined) return from;
  const isSameLevel = levelOf(from, former) === levelOf(to, present);
  if (!isSameLevel) return `{ address: ${JSON.stringify(from)} }`;
  return last.key === undefined
    ? last.name
    : `{ name: ${last.name}, key: ${JSON.stringify(last.key)} }`;
}

/** The name of the declaration of an address, in its own template. */
export function declaredName(address: string): string {
  return partsOfAddress(address)?.at(-1)?.name ?? address;
}

/** The address without its last part. */
function levelOf(address: string, parts: ReturnType<typeof partsOfAddress>): string {
  const last = parts?.at(-1);
  if (last === undefined) return "";
  return address.slice(0, -addressIn({ address: "" }, last.name, last.key).length);
}
