import { exceedsHclNesting } from "./bracket-depth.ts";
import { cutAtBlocks, type TextPart } from "./cut-text.ts";
import { errorBudget, type ErrorBudget } from "./error-budget.ts";
import type { HclParser } from "./hcl-parser.ts";
import type { SyntaxTree } from "./syntax-tree.ts";

export interface ParsedPart {
  tree: SyntaxTree;
  /** Of the part in the text. */
  offset: number;
}

export type TextRefusal = "parse_budget_exceeded" | "nesting_too_deep";

/** The library's memory grows with the text it is given at once. */
const SIZE_OF_PART = 32_768;
const MAX_ERRORS_OF_FILE = 300;
const MAX_PARTS_WITH_ERRORS = 2_000;

/**
 * Parses a text. One with errors is parsed block by block, so that what is wrong with one does not hide the others, and
 * because the library's time for errors grows with the square of the text that they are in.
 */
export function parseText(
  text: string,
  parser: HclParser,
  budget: ErrorBudget,
): readonly ParsedPart[] | TextRefusal {
  if (!exceedsHclNesting(text)) {
    const clean =
      parseParts(cutAtBlocks(text, SIZE_OF_PART, Infinity), parser) ??
      // The cut may have been inside a heredoc.
      (text.length > SIZE_OF_PART ? parseParts([{ text, offset: 0 }], parser) : undefined);
    if (clean !== undefined) return clean;
  }
  return parseWithErrors(text, parser, errorBudget(MAX_ERRORS_OF_FILE, budget));
}

function parseParts(parts: readonly TextPart[], parser: HclParser): ParsedPart[] | undefined {
  const parsed: ParsedPart[] = [];
  for (const { text, offset } of parts) {
    const tree = parser.parseClean(text);
    if (typeof tree === "string") return undefined;
    parsed.push({ tree, offset });
  }
  return parsed;
}

function parseWithErrors(
  whole: string,
  parser: HclParser,
  budget: ErrorBudget,
): ParsedPart[] | TextRefusal {
  const parsed: ParsedPart[] = [];
  for (const { text, offset } of cutAtBlocks(whole, 1, MAX_PARTS_WITH_ERRORS)) {
    if (exceedsHclNesting(text)) return "nesting_too_deep";
    const clean = parser.parseClean(text);
    const tree = typeof clean === "string" ? parser.parseTolerant(text, budget) : clean;
    if (typeof tree === "string") return "parse_budget_exceeded";
    parsed.push({ tree, offset });
  }
  return parsed;
}
