import { inShares } from "#importers/fair-shares.ts";
import type { JsonMap } from "#platform/json.ts";
import { packJson } from "#platform/packed-json.ts";
import type { ImportPart } from "#schema/imports.ts";

export const ITEMS_A_CHUNK = 100;

export interface PackedChunk {
  part: ImportPart;
  chunk: number;
  items: string;
}

/** A list of an import, packed in chunks one by one. */
export class PackedList {
  readonly part: ImportPart;
  readonly #items: readonly JsonMap[];
  #packed: Packed = { items: [], chunks: [] };
  #next: string | undefined;

  constructor(part: ImportPart, items: readonly JsonMap[]) {
    this.part = part;
    this.#items = items;
  }

  /** The items of the packed chunks. */
  get kept(): JsonMap[] {
    return [...this.#packed.items];
  }

  get isWhole(): boolean {
    return this.#packed.items.length >= this.#items.length;
  }

  get bytes(): number {
    return bytesOf(this.#packed);
  }

  get chunks(): PackedChunk[] {
    return this.#packed.chunks.map((items, chunk) => ({ part: this.part, chunk, items }));
  }

  /** The first chunk that is not taken, packed. */
  async next(): Promise<string> {
    this.#next ??= await packJson(this.#following());
    return this.#next;
  }

  takeNext(): void {
    if (this.#next === undefined) return;
    this.#packed.items.push(...this.#following());
    this.#packed.chunks.push(this.#next);
    this.#next = undefined;
  }

  /** Replaces the first items of a cut list by those in each module's share, within the same bytes. */
  async shareAmongModules(): Promise<void> {
    if (this.isWhole) return;
    for (let count = this.#packed.items.length; count > 0; count = Math.floor(0.8 * count)) {
      const shared = await packedOf(inSharesOfModules(this.#items, count));
      if (bytesOf(shared) > this.bytes) continue;
      this.#packed = shared;
      return;
    }
  }

  /** Adds an item at the end, whatever it takes. */
  async add(item: JsonMap): Promise<void> {
    this.#packed = await packedOf([...this.#packed.items, item]);
  }

  #following(): JsonMap[] {
    const { length } = this.#packed.items;
    return this.#items.slice(length, length + ITEMS_A_CHUNK);
  }
}

interface Packed {
  items: JsonMap[];
  chunks: string[];
}

async function packedOf(items: JsonMap[]): Promise<Packed> {
  const chunks: string[] = [];
  for (let at = 0; at < items.length; at += ITEMS_A_CHUNK)
    chunks.push(await packJson(items.slice(at, at + ITEMS_A_CHUNK)));
  return { items, chunks };
}

function bytesOf({ chunks }: Packed): number {
  return chunks.reduce((bytes, { length }) => bytes + length, 0);
}

/** So many items, in their order. */
function inSharesOfModules(items: readonly JsonMap[], count: number): JsonMap[] {
  const kept = new Set(inShares([...Map.groupBy(items, moduleOf).values()], count).flat());
  return items.filter((item) => kept.has(item));
}

/** The module of an item, or its file or folder. */
function moduleOf({ module, file, path, id }: JsonMap): string {
  const own = module ?? file ?? path ?? id;
  if (typeof own !== "string") return "";
  return own === id ? own.slice(0, own.lastIndexOf("/") + 1) : own;
}
