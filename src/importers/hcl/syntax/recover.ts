import type { Scanner } from "./scanner.ts";

interface Left {
  /** Where the statement starts. */
  start: number;
  /** Brackets that the statement had open. */
  open: number;
  isTop: boolean;
  /** A block of Terraform starts where the scanner is. */
  startsBlock: () => boolean;
}

const next = /[^"#/\n{}()[\]]+/y;
const quoted = /"(?:[^"\\\n]|\\[^\n])*"?/y;

/**
 * Moves on from a fault to where the next statement of the body may start: after the line on which the brackets of the
 * statement are closed, before the bracket that closes the body, or where a block of Terraform starts.
 */
export function recover(scanner: Scanner, { start, open, isTop, startsBlock }: Left): void {
  let depth = open;
  const at = Math.max(scanner.at, scanner.faultAt);
  const lineBreak = scanner.text.slice(start, at).lastIndexOf("\n");
  // What was missing may have made a statement of the next line a part of this one.
  scanner.at = start + lineBreak + 1;
  if (lineBreak !== -1 && (depth <= 0 || startsBlock())) return;
  scanner.at = at;
  while (!scanner.isAtEnd) {
    scanner.take(next);
    switch (scanner.text.charAt(scanner.at)) {
      case "\n":
        scanner.at += 1;
        if (depth <= 0 || startsBlock()) return;
        break;
      case '"':
        scanner.take(quoted);
        break;
      case "{":
      case "[":
      case "(":
        depth += 1;
        scanner.at += 1;
        break;
      case "}":
        if (depth <= 0 && !isTop) return;
        depth -= 1;
        scanner.at += 1;
        break;
      case "]":
      case ")":
        depth -= 1;
        scanner.at += 1;
        break;
      default:
        skipSlash(scanner, startsBlock);
    }
  }
}

/** At `#` or `/`, which may start a comment. */
function skipSlash(scanner: Scanner, startsBlock: () => boolean): void {
  if (scanner.startsWith("/*")) {
    const { at } = scanner;
    try {
      scanner.skipComment();
    } catch {
      scanner.at = at;
      skipToBlock(scanner, startsBlock);
    }
  } else if (scanner.startsWith("#") || scanner.startsWith("//")) scanner.at = scanner.lineEnd();
  else scanner.at += 1;
}

/** In a comment without an end: to the line break before a block of Terraform. */
function skipToBlock(scanner: Scanner, startsBlock: () => boolean): void {
  while (!scanner.isAtEnd) {
    const end = scanner.lineEnd();
    scanner.at = Math.min(end + 1, scanner.text.length);
    if (startsBlock()) {
      scanner.at = end;
      return;
    }
  }
}
