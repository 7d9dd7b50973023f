import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { workOf } from "#importers/import-work.ts";
import { withoutByteOrderMark } from "#importers/text/data-limits.ts";
import { lineStartsOf, placeAt } from "#importers/text/text-lines.ts";
import { spendValues } from "#importers/text/value-budget.ts";
import type { HclBlock } from "./hcl-block.ts";
import { readBlocks } from "./read-blocks.ts";
import type { Source } from "./source-text.ts";
import { parseHcl } from "./syntax/parse-hcl.ts";
import { MAX_HCL_NESTING, MAX_HCL_NODES, type ScanLimit } from "./syntax/scanner.ts";

/** The memory of a block besides its content, in values. */
const BLOCK_COST = 5;

/** The blocks of an HCL file. Undefined if it cannot be read; an error in the log has the reason. */
export function loadHcl(file: ImportFile, log: ImportLog): HclBlock[] | undefined {
  const source = sourceOf(file, log);
  if (source === undefined) return undefined;
  const { tree } = source;
  const isTaken = spendValues(tree.size + BLOCK_COST * tree.children(0).length, file, log);
  if (!isTaken) return undefined;
  return readBlocks(source, file.path, log);
}

/** Logs the errors of a file whose values must not be kept. False: it cannot be read. */
export function checkHcl(file: ImportFile, log: ImportLog): boolean {
  return sourceOf(file, log) !== undefined;
}

function sourceOf(file: ImportFile, log: ImportLog): Source | undefined {
  const { path, text } = file;
  const work = workOf(log);
  const maxNodes = Math.min(MAX_HCL_NODES, work.readable);
  const tree = parseHcl(withoutByteOrderMark(text), maxNodes);
  if (tree === "too_many_values" && maxNodes < MAX_HCL_NODES) {
    // The file was parsed in vain, and all later ones would be too.
    work.spendReading(maxNodes / 2);
    spendValues(MAX_HCL_NODES, file, log);
    return undefined;
  }
  if (typeof tree === "string") {
    log.add("error", tree, refusals[tree], { file: path });
    return undefined;
  }
  const starts = lineStartsOf(tree.text);
  for (const { offset, expected } of tree.faults)
    log.add(
      "warning",
      "syntax_error",
      expected === undefined
        ? "This is not valid HCL; the statement was left out."
        : `This is not valid HCL: ${expected} should stand here.`,
      { file: path, ...placeAt(starts, offset) },
    );
  return { tree, lineAt: (offset) => placeAt(starts, offset).line };
}

const refusals: Readonly<Record<ScanLimit, string>> = {
  parse_budget_exceeded:
    "The file has too many syntax errors: check whether it is a file of Terraform.",
  too_many_values: `The file has more than ${MAX_HCL_NODES} names and values: split it.`,
  nesting_too_deep: `Blocks and brackets nest deeper than ${MAX_HCL_NESTING} levels: the file was not read.`,
};
