/**
 * `house/words`: names, comments and texts use the words of docs/glossary.md. `house/essay-first`: the essay of a file
 * stands above its imports. Both read the text of a file, so that nothing escapes them.
 */

interface Ban {
  /** The word with its endings, in names too. */
  word: RegExp;
  instead: string;
  /** Phrases in which the word means something else, or which quote a cloud. */
  except?: RegExp;
}

/* oxlint-disable house/words -- the banned words themselves */
/** The words that docs/glossary.md bans everywhere. Its other bans depend on the sentence. */
const bans: readonly Ban[] = [
  {
    word: /settl/i,
    instead: "conclude",
    except: /allSettled|PromiseSettled|\bpromise\b.*\bsettles?\b/gi,
  },
  { word: /repair/i, instead: "reconcile" },
  { word: /condemn|doomed/i, instead: "pending delete" },
  { word: /doorbell/i, instead: "notify" },
  {
    word: /perform/i,
    instead: "execute",
    // Clouds refuse a call with "not authorized to perform s3:GetObject" or "perform action 'x'".
    except: /performance|(authoriz\w+|permission) to perform\b|\bperform actions?\b/gi,
  },
  { word: /resync/i, instead: "reconcile" },
  { word: /\bcalm/i, instead: "rate limit" },
  { word: /\bdemand/i, instead: "require, authorize or enforce", except: /on demand/gi },
];
/* oxlint-enable house/words */

export interface WordProblem {
  line: number;
  message: string;
}

/** The banned words of a file, once each in a line. */
export function bannedWords(text: string): WordProblem[] {
  return text.split("\n").flatMap((line, at) =>
    bans.flatMap(({ word, instead, except }) => {
      const [found] = (except === undefined ? line : line.replaceAll(except, "")).match(word) ?? [];
      if (found === undefined) return [];
      return [
        { line: at + 1, message: `The glossary has another word for "${found}": ${instead}.` },
      ];
    }),
  );
}

/** The first essay that stands between or below the imports. Below them, a docstring belongs to the next line. */
export function misplacedEssay(text: string): WordProblem | undefined {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => /^import\b/.test(line));
  const last = lines.findLastIndex((line) => /^(import\b.*[;"]|\} from )/.test(line));
  if (first < 0) return undefined;
  const belongsToNothing = (start: number): boolean => {
    const end = lines.findIndex((line, at) => at >= start && line.includes("*/"));
    return (lines[end + 1] ?? "") === "";
  };
  const at = lines.findIndex(
    (line, index) =>
      index > first && line.startsWith("/**") && (index < last || belongsToNothing(index)),
  );
  return at < 0
    ? undefined
    : { line: at + 1, message: "The essay of a file stands above its imports." };
}
