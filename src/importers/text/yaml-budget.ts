/** The cost that parsing may still take. */
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

/** Short lexemes that make a node: they take more memory than time. */
const nodeStarts = new Set(["{", "[", "*", "&", "!"]);
const NODE_COST = 4;

/** The cost of a document beside its lexemes: the library makes a schema for each. */
export const DOCUMENT_COST = 4;

/** The cost of parsing one lexeme inside so many open lists and maps. */
export function costOf(lexeme: string, open: number): number {
  const node = nodeStarts.has(lexeme.charAt(0)) ? NODE_COST : 0;
  return 1 + node + lexeme.length / 256 + open / 64;
}
