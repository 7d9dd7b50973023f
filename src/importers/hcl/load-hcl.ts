import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { withoutMark } from "#importers/text/data-limits.ts";
import { lineStartsOf, placeAt } from "#importers/text/text-lines.ts";
import { MAX_HCL_NESTING } from "./bracket-depth.ts";
import type { ErrorBudget } from "./error-budget.ts";
import type { HclBlock } from "./hcl-block.ts";
import type { HclParser } from "./hcl-parser.ts";
import { missingToken } from "./node-kinds.ts";
import { type ParsedPart, parseText, type TextRefusal } from "./parse-text.ts";
import { readBlocks } from "./read-blocks.ts";

/** What loading a file needs besides it; the budget is for all files of an import. */
export interface Loading {
  parser: HclParser;
  budget: ErrorBudget;
  log: ImportLog;
}

/** The blocks of a file of HCL; or why it could not be read, which the log says too. */
export function loadHcl(file: ImportFile, loading: Loading): HclBlock[] | TextRefusal {
  return withParts(file, loading, ({ tree, offset }, starts) =>
    readBlocks({ tree, lineAt: (at) => placeAt(starts, offset + at).line }, file.path, loading.log),
  );
}

/** Logs what is wrong in a file whose values must not be kept; returns why it could not be read. */
export function checkHcl(file: ImportFile, loading: Loading): TextRefusal | undefined {
  const parts = withParts(file, loading, () => []);
  return typeof parts === "string" ? parts : undefined;
}

function withParts<Found>(
  file: ImportFile,
  { parser, budget, log }: Loading,
  read: (part: ParsedPart, starts: readonly number[]) => Found[],
): Found[] | TextRefusal {
  const text = parseable(file.text);
  const parts = parseText(text, parser, budget);
  if (typeof parts === "string") {
    log.add("error", parts, refusals[parts], { file: file.path });
    return parts;
  }
  const starts = lineStartsOf(text);
  return parts.flatMap((part) => {
    for (const { offset, missing } of part.tree.errors)
      log.add(
        "warning",
        "syntax_error",
        missing === undefined
          ? "This part is not valid HCL; it was left out."
          : `Here ${missingToken(missing)} is missing.`,
        { file: file.path, ...placeAt(starts, part.offset + offset) },
      );
    return read(part, starts);
  });
}

const refusals: Readonly<Record<TextRefusal, string>> = {
  parse_budget_exceeded:
    "The file has too many errors to read it: check for comments, texts and heredocs that are not closed.",
  nesting_too_deep: `Brackets nest deeper than ${MAX_HCL_NESTING} levels, or many are not closed: the file was not read.`,
};

/** The text as the library takes it: a NUL ends a text for it, and the last heredoc needs a line break after it. */
function parseable(text: string): string {
  const plain = withoutMark(text);
  const marked = plain.includes("\0") ? plain.replaceAll("\0", "\uFFFD") : plain;
  return marked.endsWith("\n") ? marked : `${marked}\n`;
}
