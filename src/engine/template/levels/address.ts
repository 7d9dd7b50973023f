/**
 * The addresses of resources: `node`, `node["a"]` in a loop, `network/subnet["a"]` in a component. An address is the
 * resource's name in the state, the plan and the log.
 */
import type { Level } from "../template.ts";

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
