/**
 * The stored form of an import. Lists and drafts are compressed, because each item names its folder. An import stores
 * at most about as many bytes as were sent; a warning names the items that are left out beyond that.
 */
import { fitting } from "#http/lists/fitting.ts";
import { smallFirst } from "#importers/fair-shares.ts";
import type { SentReport } from "#importers/reports/report.ts";
import { jsonBytes, type JsonMap } from "#platform/json.ts";
import { packJson } from "#platform/packed-json.ts";
import { type ImportDraft, importParts } from "#schema/imports.ts";
import type { AcceptedFile } from "./accept-files.ts";
import type { Analysis } from "./analyse.ts";
import { type PackedChunk, PackedList } from "./packed-list.ts";

/** The bytes that an import may store beyond those that were sent, and its maximum. */
const BASE_BYTES = 64 * 1_024;
const MAX_STORED_BYTES = 4 * 1_024 * 1_024;
/** The limit for the regions of all clouds: each names its file. */
const MAX_CLOUDS_BYTES = 64 * 1_024;
/** The bytes of a file apart from its content: its digest, its verdict. */
const BYTES_A_FILE = 128;

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
}

/** The bytes that an import of these files and this report may store. */
export function storableBytes(
  files: readonly AcceptedFile[],
  report: SentReport | undefined,
): number {
  let sent = report === undefined ? 0 : jsonBytes(report);
  for (const { path, bytes } of files) sent += bytes + path.length + BYTES_A_FILE;
  return Math.min(BASE_BYTES + sent, MAX_STORED_BYTES);
}

/**
 * Packs warnings and files first, because they name the losses. Half of the rest is for the other lists and half for
 * the drafts; either takes what the other leaves.
 */
export async function packImport(analysis: Analysis, maxBytes: number): Promise<PackedImport> {
  const packing = new Packing(maxBytes);
  const lists = importParts.map((part) => new PackedList(part, analysis.parts[part] ?? []));
  const [first, others] = [lists.filter(isFirst), lists.filter((list) => !isFirst(list))];
  await packing.lists(first, packing.left);
  await packing.lists(others, packing.left / 2);
  const drafts = await packing.drafts(analysis.drafts);
  await packing.lists(others, packing.left);
  for (const list of others) await list.shareAmongModules();
  const { summary, isCut } = withoutManyRegions(analysis.summary);
  const lost = [
    ...(drafts.length < analysis.drafts.length ? ["drafts"] : []),
    ...lists.filter((list) => !list.isWhole).map(({ part }) => part),
    ...(isCut ? ["regions"] : []),
  ];
  if (lost.length > 0)
    // Beyond the limit: every loss has a warning.
    await lists.find(({ part }) => part === "warnings")?.add(warningOf(lost, maxBytes));
  const isSilent = lost.length === 0 || analysis.state !== "COMPLETED";
  return {
    kept: {
      ...analysis,
      state: isSilent ? analysis.state : "COMPLETED_WITH_WARNINGS",
      summary,
      parts: Object.fromEntries(
        lists.flatMap(({ part, kept }) => (part in analysis.parts ? [[part, kept]] : [])),
      ),
      drafts: drafts.map(({ draft }) => draft),
    },
    chunks: lists.flatMap(({ chunks }) => chunks),
    drafts: drafts.map(({ draft: { module }, packed }, place) => ({
      module,
      place,
      draft: packed,
    })),
  };
}

function isFirst({ part }: PackedList): boolean {
  return part === "warnings" || part === "files";
}

interface TakenDraft {
  draft: ImportDraft;
  packed: string;
}

class Packing {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get left(): number {
    return this.#maxBytes - this.#bytes;
  }

  /** Takes so many bytes. The shortest list is always the next one, so long lists take what the short ones leave. */
  async lists(lists: readonly PackedList[], bytes: number): Promise<void> {
    const until = this.#bytes + bytes;
    let waiting = lists.filter(({ isWhole }) => !isWhole);
    for (;;) {
      const [list] = smallFirst(waiting, ({ bytes }) => bytes);
      if (list === undefined) return;
      const isTaken = this.#takes(await list.next(), until);
      if (isTaken) list.takeNext();
      if (!isTaken || list.isWhole) waiting = waiting.filter((one) => one !== list);
    }
  }

  /** The drafts that fit, in their order. */
  async drafts(drafts: readonly ImportDraft[]): Promise<TakenDraft[]> {
    const all: TakenDraft[] = [];
    for (const draft of drafts) all.push({ draft, packed: await packJson(draft) });
    const taken = new Set(
      smallFirst(all, ({ packed }) => packed.length).filter(({ packed }) => this.#takes(packed)),
    );
    return all.filter((one) => taken.has(one));
  }

  #takes(packed: string, until = this.#maxBytes): boolean {
    if (this.#bytes + packed.length > until) return false;
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
