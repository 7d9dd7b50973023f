/**
 * `house/words`: names, comments and texts use the words of docs/glossary.md. `house/essay-first`: the essay of a file
 * stands above its imports. Both read the text of a file, so that nothing escapes them.
 */

interface Ban {
  /** The word with its endings, in names too: `settledAtMs`. */
  word: RegExp;
  instead: string;
  /** Lines in which the word means something else. */
  except?: RegExp;
}

/** The words that docs/glossary.md bans everywhere. Its other bans depend on the sentence. */
const bans: readonly Ban[] = [
  // Promises settle.
  { word: /settl/i, instead: "conclude", except: /promise|allSettled/i },
  { word: /repair/i, instead: "reconcile" },
  { word: /condemn|doomed/i, instead: "pending delete" },
  { word: /doorbell/i, instead: "notify" },
  { word: /perform(?!ance)/i, instead: "execute" },
  { word: /resync/i, instead: "reconcile" },
  { word: /\bcalm/i, instead: "rate limit" },
  { word: /\bdemand/i, instead: "require, authorize or enforce", except: /on demand/i },
];

/** The files that obey: the product's own, and not those whose words are vendors'. */
const obeys = /^src\/(?!importers\/|providers\/)/;

export interface WordProblem {
  line: number;
  message: string;
}

/** The banned words of a file. `file`: relative to the project. */
export function bannedWords(file: string, text: string): WordProblem[] {
  if (!obeys.test(file)) return [];
  return text.split("\n").flatMap((line, at) =>
    bans.flatMap(({ word, instead, except }) => {
      const found = word.exec(line);
      if (found === null || except?.test(line) === true) return [];
      return [
        { line: at + 1, message: `The glossary has another word for "${found[0]}": ${instead}.` },
      ];
    }),
  );
}

/** The first essay that stands between or below the imports. */
export function misplacedEssay(text: string): WordProblem | undefined {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => /^import\b/.test(line));
  const last = lines.findLastIndex((line) => /^(import\b.* from |\} from )/.test(line));
  if (first < 0) return undefined;
  const at = lines.findIndex(
    (line, index) => index > first && index < last && line.startsWith("/**"),
  );
  return at < 0
    ? undefined
    : { line: at + 1, message: "The essay of a file stands above its imports." };
}
