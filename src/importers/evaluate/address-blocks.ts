/** Computes parts of IPv4 address blocks like CloudFormation's and Terraform's functions. */

interface Block {
  /** The first address, as a number. */
  start: number;
  /** The number of leading bits common to all addresses. */
  bits: number;
}

const MAX_BLOCKS = 256;

/** `cidr(block, count, hostBits)` of CloudFormation: the first `count` blocks in a block. */
export function firstBlocks(block: string, count: number, hostBits: number): string[] | undefined {
  if (!Number.isInteger(count) || count < 1 || count > MAX_BLOCKS) return undefined;
  const found = Array.from({ length: count }, (_, at) => blockAt(block, 32 - hostBits, at));
  return found.every((one) => one !== undefined) ? found : undefined;
}

/** `cidrsubnet(block, newBits, number)` of Terraform. */
export function subBlock(block: string, newBits: number, number: number): string | undefined {
  const read = readBlock(block);
  return read === undefined || newBits < 0
    ? undefined
    : blockAt(block, read.bits + newBits, number);
}

/** `cidrsubnets(block, newBits…)` of Terraform: each block begins after the one before it. */
export function blocksInTurn(block: string, newBits: readonly number[]): string[] | undefined {
  const read = readBlock(block);
  if (read === undefined || newBits.length > MAX_BLOCKS) return undefined;
  const found: string[] = [];
  /** The addresses taken, from the start of the block. */
  let taken = 0;
  for (const bits of newBits) {
    const size = 2 ** (32 - read.bits - bits);
    const number = Math.ceil(taken / size);
    const one = bits < 1 ? undefined : blockAt(block, read.bits + bits, number);
    if (one === undefined) return undefined;
    found.push(one);
    taken = (number + 1) * size;
  }
  return found;
}

/** `cidrnetmask(block)` of Terraform. */
export function netmaskOf(block: string): string | undefined {
  const read = readBlock(block);
  return read && written(2 ** 32 - 2 ** (32 - read.bits));
}

/** `parseCidr(block)` of ARM, without its addresses for hosts. */
export function blockParts(
  block: string,
): { network: string; netmask: string; broadcast: string; cidr: number } | undefined {
  const read = readBlock(block);
  if (read === undefined) return undefined;
  const { start, bits } = read;
  const size = 2 ** (32 - bits);
  return {
    network: written(start),
    netmask: written(2 ** 32 - size),
    broadcast: written(start + size - 1),
    cidr: bits,
  };
}

/** `cidrhost(block, number)` of Terraform: a negative number counts from the end. */
export function addressIn(block: string, number: number): string | undefined {
  const read = readBlock(block);
  if (read === undefined || !Number.isInteger(number)) return undefined;
  const size = 2 ** (32 - read.bits);
  const at = number < 0 ? size + number : number;
  return at < 0 || at >= size ? undefined : written(read.start + at);
}

function blockAt(block: string, bits: number, number: number): string | undefined {
  const read = readBlock(block);
  if (read === undefined || !Number.isInteger(bits) || !Number.isInteger(number)) return undefined;
  if (bits < read.bits || bits > 32 || number < 0 || number >= 2 ** (bits - read.bits))
    return undefined;
  return `${written(read.start + number * 2 ** (32 - bits))}/${bits}`;
}

function readBlock(text: string): Block | undefined {
  const [, address = "", given = ""] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(text) ?? [];
  const parts = address.split(".").map(Number);
  const bits = Number(given);
  if (address === "" || bits > 32 || parts.some((part) => part > 255)) return undefined;
  const size = 2 ** (32 - bits);
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  return { start: number - (number % size), bits };
}

function written(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}
