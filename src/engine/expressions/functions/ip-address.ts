/** IP addresses as numbers of 32 or 128 bits. */
export interface IpAddress {
  value: bigint;
  bits: 32 | 128;
}

/** Undefined: it is no address. Leading zeros are refused, because some readers take them as octal. */
export function readAddress(text: string): IpAddress | undefined {
  const value = text.includes(":") ? readVersion6(text) : readVersion4(text);
  return value === undefined ? undefined : { value, bits: text.includes(":") ? 128 : 32 };
}

export function printAddress({ value, bits }: IpAddress): string {
  return bits === 32
    ? groups(value, 4, 8n)
        .map((group) => group.toString())
        .join(".")
    : printVersion6(groups(value, 8, 16n));
}

function readVersion4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function readVersion6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(readGroups);
  if (head === undefined) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (halves.length === 2 ? tail === undefined || missing < 1 : missing !== 0) return undefined;
  const all = [...head, ...Array.from({ length: missing }, () => 0n), ...(tail ?? [])];
  let value = 0n;
  for (const group of all) value = (value << 16n) | group;
  return value;
}

/** The last group may be an address of version 4. */
function readGroups(text: string): bigint[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const found: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    const embedded =
      index === parts.length - 1 && part.includes(".") ? readVersion4(part) : undefined;
    if (embedded !== undefined) found.push(embedded >> 16n, embedded & 0xffffn);
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) found.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return found;
}

function groups(value: bigint, count: number, bits: bigint): bigint[] {
  return Array.from(
    { length: count },
    (_, index) => (value >> (BigInt(count - 1 - index) * bits)) & ((1n << bits) - 1n),
  );
}

/** As RFC 5952 writes it: the first longest run of two or more zero groups is left out. */
function printVersion6(values: readonly bigint[]): string {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < values.length; start += 1) {
    let length = 0;
    while (values[start + length] === 0n) length += 1;
    if (length > best.length) best = { start, length };
  }
  const text = (part: readonly bigint[]) => part.map((group) => group.toString(16)).join(":");
  if (best.length < 2) return text(values);
  return `${text(values.slice(0, best.start))}::${text(values.slice(best.start + best.length))}`;
}
