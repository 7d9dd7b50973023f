/**
 * The stored form of an import. Lists and drafts are compressed, because each item names its folder. An import stores
 * at most about as many bytes as were sent; a warning names the items that are left out beyond that.
 */
import { fitting } from "#http/lists/fitting.ts";
import { jsonBytes, type JsonMap } from "#platform/json.ts";
import { packJson } from "#platform/packed-json.ts";
import { type ImportDraft, type ImportPart, importParts } from "#schema/imports.ts";
import type { AcceptedFile } from "./accept-files.ts";
import type { Analysis } from "./analyse.ts";

export const ITEMS_A_CHUNK = 100;

/** The bytes that an import may store beyond those that were sent, and its maximum. */
const BASE_BYTES = 64 * 1_024;
const MAX_STORED_BYTES = 4 * 1_024 * 1_024;
/** The limit for the regions of all clouds: each names its file. */
const MAX_CLOUDS_BYTES = 64 * 1_024;
/** The bytes of a file apart from its content: its digest, its verdict. */
const BYTES_A_FILE = 128;

interface PackedChunk {
  part: ImportPart;
  chunk: number;
  items: string;
}

interface PackedDraft {
  module: string;
  place: number;
  draft: string;
}

export interface PackedImport {
  /** The analysis without the omitted items. */
  kept: Analysis;
  chunks: readonly PackedChunk[];
  drafts: readonly PackedDraft[];
  bytes: number;
}

/** The bytes that an import of these files and this report may store. */
export function storableBytes(files: readonly AcceptedFile[], report: JsonMap | undefined): number {
  let sent = report === undefined ? 0 : jsonBytes(report);
  for (const { path, bytes } of files) sent += bytes + path.length + BYTES_A_FILE;
  return Math.min(BASE_BYTES + sent, MAX_STORED_BYTES);
}

/** Packs warnings and drafts first, then the lists in their order. */
export async function packImport(analysis: Analysis, maxBytes: number): Promise<PackedImport> {
  const packing = new Packing(maxBytes);
  const { warnings = [], ...lists } = analysis.parts;
  const reserved = await packing.list("warnings", warnings);
  const drafts: ImportDraft[] = [];
  for (const draft of analysis.drafts)
    if (await packing.draft(draft, drafts.length)) drafts.push(draft);
  const parts: Analysis["parts"] = {};
  for (const part of importParts) {
    const items = part === "warnings" ? undefined : lists[part];
    if (items !== undefined) parts[part] = await packing.list(part, items);
  }
  const { summary, isCut } = withoutManyRegions(analysis.summary);
  const lost = [
    ...(drafts.length < analysis.drafts.length ? ["drafts"] : []),
    ...importParts.filter(
      (part) => part !== "warnings" && (lists[part]?.length ?? 0) > (parts[part]?.length ?? 0),
    ),
    ...(isCut ? ["regions"] : []),
    ...(reserved.length < warnings.length ? ["warnings"] : []),
  ];
  const kept: Analysis = { ...analysis, summary, parts: { ...parts, warnings: reserved }, drafts };
  if (lost.length === 0) return { kept, ...packing.packed };
  const told = [...reserved, warningOf(lost, maxBytes)];
  await packing.again("warnings", told);
  return {
    kept: {
      ...kept,
      state: kept.state === "COMPLETED" ? "COMPLETED_WITH_WARNINGS" : kept.state,
      parts: { ...kept.parts, warnings: told },
    },
    ...packing.packed,
  };
}

class Packing {
  readonly #maxBytes: number;
  readonly #drafts: PackedDraft[] = [];
  #chunks: PackedChunk[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get packed() {
    return { chunks: this.#chunks, drafts: this.#drafts, bytes: this.#bytes };
  }

  /** The items that fit. */
  async list(part: ImportPart, items: readonly JsonMap[]): Promise<JsonMap[]> {
    for (let at = 0, chunk = 0; at < items.length; at += ITEMS_A_CHUNK, chunk += 1) {
      const packed = await packJson(items.slice(at, at + ITEMS_A_CHUNK));
      if (!this.#takes(packed)) return items.slice(0, at);
      this.#chunks.push({ part, chunk, items: packed });
    }
    return [...items];
  }

  async draft(draft: ImportDraft, place: number): Promise<boolean> {
    const packed = await packJson(draft);
    if (!this.#takes(packed)) return false;
    this.#drafts.push({ module: draft.module, place, draft: packed });
    return true;
  }

  /** Packs a list again with one more item, beyond the limit. */
  async again(part: ImportPart, items: readonly JsonMap[]): Promise<void> {
    const before = this.#chunks.filter((one) => one.part === part);
    this.#chunks = this.#chunks.filter((one) => one.part !== part);
    for (const one of before) this.#bytes -= one.items.length;
    for (let at = 0, chunk = 0; at < items.length; at += ITEMS_A_CHUNK, chunk += 1) {
      const packed = await packJson(items.slice(at, at + ITEMS_A_CHUNK));
      this.#bytes += packed.length;
      this.#chunks.push({ part, chunk, items: packed });
    }
  }

  #takes(packed: string): boolean {
    if (this.#bytes + packed.length > this.#maxBytes) return false;
    this.#bytes += packed.length;
    return true;
  }
}

function withoutManyRegions(summary: Analysis["summary"]) {
  let left = MAX_CLOUDS_BYTES;
  let isCut = false;
  const clouds = summary.clouds.map((cloud) => {
    const all = cloud["regions"] as JsonMap[];
    const { items: regions, bytes } = fitting(all, left);
    left -= bytes;
    isCut ||= regions.length < all.length;
    return { ...cloud, regions };
  });
  return { summary: { ...summary, clouds }, isCut };
}

function warningOf(lost: readonly string[], maxBytes: number): JsonMap {
  return {
    code: "import_cut",
    severity: "warning",
    file: null,
    line: null,
    column: null,
    message: `An import of this size stores at most ${maxBytes} bytes: ${lost.join(", ")} are not whole. Import fewer files at a time, or use shorter names.`,
  };
}
