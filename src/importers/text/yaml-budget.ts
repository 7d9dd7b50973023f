import type { ImportLog } from "#importers/import-log.ts";

/** The YAML that one import may still parse. */
export interface YamlBudget {
  left: number;
}

/**
 * The maximum cost of one file. A unit takes 1 to 4 µs, measured with all kinds of text. A MiB of ordinary YAML costs
 * 400,000, and of JSON 500,000. A MiB of short lexemes costs up to 1,500,000.
 */
export const MAX_YAML_COST = 800_000;

/** Units of the import's work for one unit of cost. The file's values cost extra. */
export const UNITS_OF_COST = 1.2;
/** The maximum cost of all files of an import: 2.5 MiB of ordinary YAML. */
const MAX_COST_OF_AN_IMPORT = 1_100_000;
/** The part reserved for small files, so that a few large files do not exclude ordinary ones. */
const KEPT_FOR_SMALL_FILES = 200_000;
const MAX_SMALL_FILE = 16 * 1024;

/** The budget that must remain after a file of so many characters. */
export function keptAfter(characters: number): number {
  return characters > MAX_SMALL_FILE ? KEPT_FOR_SMALL_FILES : 0;
}

export function yamlBudget(): YamlBudget {
  return { left: MAX_COST_OF_AN_IMPORT };
}

const budgets = new WeakMap<ImportLog, YamlBudget>();

/** The budget of the import with this log, shared by the files of all formats. */
export function yamlBudgetOf(log: ImportLog): YamlBudget {
  const known = budgets.get(log);
  if (known !== undefined) return known;
  const budget = yamlBudget();
  budgets.set(log, budget);
  return budget;
}

/** Short lexemes that make a node: they take more memory than time. */
const nodeStarts = new Set(["{", "[", "*", "&", "!"]);
const NODE_COST = 4;

/** The cost of parsing one lexeme inside so many open lists and maps. */
export function costOf(lexeme: string, open: number): number {
  const node = nodeStarts.has(lexeme.charAt(0)) ? NODE_COST : 0;
  return 1 + node + lexeme.length / 256 + open / 64;
}
