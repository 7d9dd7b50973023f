import type { Scanner } from "./scanner.ts";

interface Left {
  /** The start of the statement. */
  start: number;
  /** The number of open brackets in the statement. */
  open: number;
  isTop: boolean;
  /** Whether a block of Terraform starts at the scanner's position. */
  startsBlock: () => boolean;
}

const next = /[^"#/\n{}()[\]]+/y;
const quoted = /"(?:[^"\\\n]|\\[^\n])*"?/y;

/**
 * Moves on from a fault to the next possible start of a statement: after the line that closes the statement's brackets,
 * before the bracket that closes the body, or at a block of Terraform.
 */
export function recover(scanner: Scanner, { start, open, isTop, startsBlock }: Left): void {
  let depth = open;
  const at = Math.max(scanner.at, scanner.faultAt);
  const lineBreak = scanner.text.slice(start, at).lastIndexOf("\n");
  // A missing part may have joined the next line's statement to this one.
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

/** Skips a comment or a character, from `#` or `/` on. */
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

/** Skips an unclosed comment, to the line break before a block of Terraform. */
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
