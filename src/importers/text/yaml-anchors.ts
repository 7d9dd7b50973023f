import { MAX_DATA_NESTING } from "./data-limits.ts";
import type { DataNode } from "./data-node.ts";

/**
 * The maximum number of values that the aliases of a file repeat. A text counts once for every 32 characters. Files that
 * people write repeat a few thousand.
 */
const MAX_REPEATED = 20_000;
const CHARACTERS_OF_VALUE = 32;

interface Anchored {
  node: DataNode;
  /** The values that the reader counted for it. */
  values: number;
  weight: number;
  /** The levels of lists and maps below it. */
  height: number;
}

/** The anchors of a document. Nested aliases multiply their values, so repeated values and levels are bounded. */
export class YamlAnchors {
  readonly #known = new Map<string, Anchored>();
  #weight = 0;
  #deepest = 0;
  #repeated = 0;
  firstLine: number | undefined;

  startDocument(): void {
    this.#known.clear();
  }

  /** Counts a value that was read at a depth. `characters`: the length of its text. */
  count(characters: number, depth: number): void {
    this.#weight += 1 + characters / CHARACTERS_OF_VALUE;
    this.#deepest = Math.max(this.#deepest, depth);
  }

  /** Reads a value and keeps it under its anchor. An alias inside it finds an earlier anchor of the name, or none. */
  keep(name: string, depth: number, counter: { count: number }, read: () => DataNode): DataNode {
    const { count } = counter;
    const weight = this.#weight;
    const deepest = this.#deepest;
    this.#deepest = depth;
    const node = read();
    this.#known.set(name, {
      node,
      values: counter.count - count,
      weight: this.#weight - weight,
      height: this.#deepest - depth,
    });
    this.#deepest = Math.max(this.#deepest, deepest);
    return node;
  }

  /** The value of an alias at a depth. `lacks`: there is no such anchor, or the limit on repeated values is reached. */
  take(
    name: string,
    depth: number,
    line: number,
  ): Pick<Anchored, "node" | "values"> | { lacks: "anchor" | "room" } {
    const found = this.#known.get(name);
    if (found === undefined) return { lacks: "anchor" };
    const { weight, height } = found;
    if (this.#repeated + weight > MAX_REPEATED || depth + height > MAX_DATA_NESTING)
      return { lacks: "room" };
    this.#repeated += weight;
    this.#weight += weight;
    this.#deepest = Math.max(this.#deepest, depth + height);
    this.firstLine ??= line;
    return found;
  }
}
