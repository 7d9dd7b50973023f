import { make } from "#console/browser/page/make.ts";
import { counted } from "#console/shared/counted.ts";
import { named } from "./selection.ts";

/** The answer of a dry run, as far as the page shows it. */
export interface DryRun {
  progress: { parsed: number; failed: number; skipped: number };
  counts: { resources: number; modules: number; warnings: number };
  draft: { mapped: number; partlyMapped: number; notMapped: number } | null;
  warnings: readonly { file: string | null; line: number | null; message: string }[];
}

/** Shows a dry run on this page: it has no page of its own, because nothing is stored. */
export function showDryRun(place: Element, { progress, counts, draft, warnings }: DryRun): void {
  const { parsed, failed, skipped } = progress;
  const lines = [
    `${counted(parsed, "file")} read, ${failed} failed, ${skipped} skipped.`,
    `${counted(counts.resources, "resource")} in ${counted(counts.modules, "module")}.`,
    draftWords(draft),
  ];
  const title = make("h2", { tabIndex: -1 }, "Dry run");
  place.replaceChildren(
    title,
    make("p", { className: "soft" }, "Nothing was stored."),
    ...lines.map((line) => make("p", {}, line)),
    ...(warnings.length === 0
      ? []
      : [make("ul", {}, named(counted(counts.warnings, "warning"), warnings.map(warningWords)))]),
  );
  title.focus();
}

function draftWords(draft: DryRun["draft"]): string {
  if (draft === null) return "There is no draft: nothing of it can be converted.";
  const { mapped, partlyMapped, notMapped } = draft;
  const rest = `${notMapped} ${notMapped === 1 ? "is" : "are"} left out`;
  return `The draft has ${counted(mapped, "resource")} whole and ${partlyMapped} in part; ${rest}.`;
}

function warningWords({ file, line, message }: DryRun["warnings"][number]): string {
  const place = [file, line === null ? null : `line ${line}`].filter((part) => part !== null);
  return `${place.join(", ")}${file === null ? "" : ": "}${message}`;
}
