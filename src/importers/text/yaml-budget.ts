import type { ImportLog } from "#importers/import-log.ts";

/** How much of YAML one import may still parse. */
export interface YamlBudget {
  left: number;
}

/**
 * The cost of one file. A unit takes 1 to 4 µs, measured with all kinds of text. A MiB of ordinary YAML costs 400,000,
 * of JSON 500,000; one of nothing but short lexemes up to 1,500,000.
 */
export const MAX_YAML_COST = 800_000;

/** What parsing it takes of the work of an import, besides the values that it says. */
export const UNITS_OF_COST = 1.2;
/** The cost of all files of an import: 2.5 MiB of ordinary YAML. */
const MAX_COST_OF_AN_IMPORT = 1_100_000;
/** What large files leave of that to small ones, so that a few large ones keep no ordinary one from being read. */
const KEPT_FOR_SMALL_FILES = 200_000;
const MAX_SMALL_FILE = 16 * 1024;

/** How much of the import's budget has to stay after a file of so many characters. */
export function keptAfter(characters: number): number {
  return characters > MAX_SMALL_FILE ? KEPT_FOR_SMALL_FILES : 0;
}

/** The budget that all YAML files of one import share. */
export function yamlBudget(): YamlBudget {
  return { left: MAX_COST_OF_AN_IMPORT };
}

const budgets = new WeakMap<ImportLog, YamlBudget>();

/** The budget of the import that this is the log of, whatever format its files are of. */
export function yamlBudgetOf(log: ImportLog): YamlBudget {
  const known = budgets.get(log);
  if (known !== undefined) return known;
  const budget = yamlBudget();
  budgets.set(log, budget);
  return budget;
}

/** Lexemes that are nodes in a few characters: these take more memory than time. */
const nodeStarts = new Set(["{", "[", "*", "&", "!"]);
const NODE_COST = 4;

/** What parsing one lexeme takes, with so many lists and maps open around it. */
export function costOf(lexeme: string, open: number): number {
  const node = nodeStarts.has(lexeme.charAt(0)) ? NODE_COST : 0;
  return 1 + node + lexeme.length / 256 + open / 64;
}
