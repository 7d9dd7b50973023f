import { Language, Parser } from "web-tree-sitter";
import type { ErrorBudget } from "./error-budget.ts";
import { treatmentOf } from "./node-kinds.ts";
import { condensed, type Grammar, type SyntaxTree } from "./syntax-tree.ts";

/** The compiled library and grammar. */
export interface HclModules {
  parser: WebAssembly.Module;
  grammar: WebAssembly.Module;
}

/** Why a text was not parsed: it has errors, or parsing it would take too much time or memory. */
export type Refusal = "errors" | "budget";

/** Characters that the library is given at once; it holds no more than 10,240. */
const CHUNK = 4_096;
/** Files that people write are read once; an unclosed comment is read again at each line. */
const MAX_READS_OF_TEXT = 4;
/** The library reports progress about every 100 steps: 0.02 times a character of real files, 0.07 of the worst. */
const MAX_REPORTS_OF_CHARACTER = 0.1;
/** A hostile megabyte takes 600 MB, and what the library has taken is never given back. */
const MAX_MEMORY = 64 * 1_024 * 1_024;
/** Reports within which a parse needs less than {@link MAX_MEMORY}. */
const REPORTS_IN_MEMORY = 4_000;

/** Parses one text after the other. Never calls back later: nothing may await between two uses. */
export class HclParser {
  readonly #language: Language;
  readonly #grammar: Grammar;
  readonly #memory: WebAssembly.Memory | undefined;
  #parser: Parser;

  constructor(language: Language, memory: WebAssembly.Memory | undefined) {
    this.#language = language;
    this.#memory = memory;
    const names = language.types;
    this.#grammar = { names, treatments: names.map(treatmentOf) };
    this.#parser = new Parser().setLanguage(language);
  }

  /** Stops at the first error. */
  parseClean(text: string): SyntaxTree | Refusal {
    const parsed = this.#parse(text, (hasError) => (hasError ? "errors" : undefined));
    return typeof parsed !== "string" && parsed.errors.length > 0 ? "errors" : parsed;
  }

  /** Reads on after errors, as far as the budget goes: the library's time for it grows with their square. */
  parseTolerant(text: string, budget: ErrorBudget): SyntaxTree | "budget" {
    if (!budget.spend()) return "budget";
    const parsed = this.#parse(text, (hasError) =>
      hasError && !budget.spend() ? "budget" : undefined,
    );
    return parsed === "errors" ? "budget" : parsed;
  }

  #parse(text: string, stop: (hasError: boolean) => Refusal | undefined): SyntaxTree | Refusal {
    const maxRead = text.length * MAX_READS_OF_TEXT + 16 * CHUNK;
    const maxReports = text.length * MAX_REPORTS_OF_CHARACTER + 1_000;
    let read = 0;
    let reports = 0;
    let refusal: Refusal | undefined;
    const input = (index: number): string => {
      // One report may come after many reads, and each goes to the end of the text: from here on it has ended.
      if (read > maxRead) return "";
      const chunk = text.slice(index, index + CHUNK);
      read += chunk.length;
      return chunk;
    };
    const isOver = ({ hasError }: { hasError: boolean }): boolean => {
      reports += 1;
      if (read > maxRead || reports > maxReports || this.#isFull(reports)) refusal = "budget";
      else refusal = stop(hasError);
      return refusal !== undefined;
    };
    try {
      const tree = this.#parser.parse(input, null, { progressCallback: isOver });
      if (tree === null) {
        this.#parser.reset();
        return refusal ?? "budget";
      }
      try {
        return read > maxRead ? "budget" : condensed(tree, text, this.#grammar);
      } finally {
        tree.delete();
      }
    } catch {
      // The library stopped in the middle; its parser is of no more use.
      this.#parser = new Parser().setLanguage(this.#language);
      return "budget";
    }
  }

  #isFull(reports: number): boolean {
    return reports > REPORTS_IN_MEMORY && (this.#memory?.buffer.byteLength ?? 0) > MAX_MEMORY;
  }
}

interface Instantiation {
  env?: { memory?: WebAssembly.Memory };
}

let started: HclParser | undefined;

/**
 * The parser of this isolate, made on first use. Whoever has awaited it must use it up without another `await`: the
 * library has one instance for all, and a second start at the same time replaces it.
 */
export async function startHclParser(load: () => Promise<HclModules>): Promise<HclParser> {
  if (started !== undefined) return started;
  const { parser, grammar } = await load();
  let memory: WebAssembly.Memory | undefined;
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): void => {
    memory = (imports as Instantiation).env?.memory;
    done(new WebAssembly.Instance(parser, imports), parser);
  };
  await Parser.init({ instantiateWasm } as Parameters<typeof Parser.init>[0]);
  started = new HclParser(Language.loadSync(grammar), memory);
  return started;
}
