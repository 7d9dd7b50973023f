import { each, type HclBlock, textValue, valueOf } from "#importers/hcl/hcl-block.ts";
import { targetOf } from "#importers/hcl/place-modules.ts";

/** Finds the root modules that run a module, in which its relative paths begin. */
export class CallingFolders {
  readonly #blocks: ReadonlyMap<string, readonly HclBlock[]>;
  #callers: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  readonly #known = new Map<string, readonly string[]>();

  /** `blocks`: the blocks of each module by its folder. */
  constructor(blocks: ReadonlyMap<string, readonly HclBlock[]>) {
    this.#blocks = blocks;
  }

  /** The folders of the modules above this one that no other calls; the folder itself if none does. */
  rootsOf(folder: string): readonly string[] {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const callers = (this.#callers ??= this.#allCallers());
    const seen = new Set([folder]);
    const roots: string[] = [];
    // The set grows while it is read.
    for (const at of seen) {
      const above = callers.get(at) ?? new Set();
      if (above.size === 0) roots.push(at);
      for (const caller of above) seen.add(caller);
    }
    const found = roots.length === 0 ? [folder] : roots;
    this.#known.set(folder, found);
    return found;
  }

  #allCallers(): ReadonlyMap<string, ReadonlySet<string>> {
    const paths = new Set(this.#blocks.keys());
    const callers = new Map<string, Set<string>>();
    for (const [folder, blocks] of this.#blocks)
      for (const block of blocks) {
        const [source] = block.type === "module" ? each(valueOf(block, "source")) : [];
        const target = targetOf(textValue(source), folder, paths);
        if (target === null || target === folder) continue;
        const known = callers.get(target) ?? new Set();
        callers.set(target, known.add(folder));
      }
    return callers;
  }
}
