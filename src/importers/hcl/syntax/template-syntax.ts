import type { Scanner } from "./scanner.ts";

/** Reads an expression. A parameter, because expressions and templates contain each other. */
type ReadExpression = (scanner: Scanner) => void;

const quotedText = /[^"\\$%\n]+/y;
const plainText = /[^$%\n]+/y;

export function readQuoted(scanner: Scanner, expression: ReadExpression): void {
  const node = scanner.open("text");
  scanner.at += 1;
  let isTemplate = false;
  for (;;) {
    scanner.take(quotedText);
    if (scanner.isAtEnd || scanner.startsWith("\n")) scanner.fault("the closing quote");
    if (scanner.startsWith('"')) break;
    // An escaped line break does not count as one.
    if (scanner.startsWith("\\")) scanner.at += scanner.startsWith("\\\n") ? 1 : 2;
    else isTemplate = readMarked(scanner, expression) || isTemplate;
  }
  scanner.at += 1;
  scanner.close(node, isTemplate ? "template" : "text");
}

export function readHeredoc(scanner: Scanner, expression: ReadExpression): void {
  const node = scanner.open("heredoc");
  scanner.take(/<<-?/y);
  const start = scanner.at;
  const name = scanner.takeIdentifier();
  if (name === "") scanner.fault("the name of the heredoc");
  scanner.leaf("heredoc_name", start);
  scanner.take(/[ \t\r]+/y);
  if (!scanner.startsWith("\n")) scanner.fault("a line break");
  if (!scanner.hasLineAhead(name)) scanner.fault("the end of the heredoc", start);
  for (;;) {
    scanner.take(plainText);
    if (scanner.isAtEnd) scanner.fault("the end of the heredoc", start);
    if (!scanner.startsWith("\n")) readMarked(scanner, expression);
    else if (endsHeredoc(scanner, name)) break;
  }
  scanner.close(node);
}

/** Moves past a line break, and past the name if it is alone on the next line. */
function endsHeredoc(scanner: Scanner, name: string): boolean {
  scanner.at += 1;
  const { at } = scanner;
  scanner.take(/[ \t]+/y);
  const start = scanner.at;
  if (scanner.startsWith(name)) {
    scanner.at += name.length;
    const end = scanner.at;
    scanner.take(/[ \t\r]+/y);
    if (scanner.isAtEnd || scanner.startsWith("\n")) {
      scanner.at = end;
      scanner.leaf("heredoc_name", start);
      return true;
    }
  }
  scanner.at = at;
  return false;
}

/** Reads a whole text as a template without quotes, as in the JSON syntax. */
export function readWholeTemplate(scanner: Scanner, expression: ReadExpression): void {
  const node = scanner.open("template");
  while (!scanner.isAtEnd) {
    scanner.take(plainText);
    if (scanner.startsWith("\n")) scanner.at += 1;
    else if (!scanner.isAtEnd) readMarked(scanner, expression);
  }
  scanner.close(node);
}

/** Reads an interpolation or directive at `$` or `%`, if one starts there. */
function readMarked(scanner: Scanner, expression: ReadExpression): boolean {
  const mark = scanner.text.charAt(scanner.at);
  if (scanner.startsWith(`${mark}${mark}{`)) scanner.at += 3;
  else if (!scanner.startsWith(`${mark}{`)) scanner.at += 1;
  else {
    const node = scanner.open(mark === "$" ? "interpolation" : "directive");
    scanner.at += 1;
    scanner.bracketed("{", "}", false, () => {
      readStripMarker(scanner);
      if (mark === "$") expression(scanner);
      else readDirective(scanner, expression);
      readStripMarker(scanner);
    });
    scanner.close(node);
    return true;
  }
  return false;
}

function readStripMarker(scanner: Scanner): void {
  scanner.skip();
  if (!scanner.startsWith("~")) return;
  scanner.at += 1;
  scanner.leaf("strip_marker", scanner.at - 1);
  scanner.skip();
}

function readDirective(scanner: Scanner, expression: ReadExpression): void {
  scanner.skip();
  const { at } = scanner;
  const word = scanner.takeIdentifier();
  if (word === "if") expression(scanner);
  else if (word === "for") readForIntro(scanner, at, expression);
  else if (!/^(?:else|endif|endfor)$/.test(word)) scanner.fault("`if` or `for`", at);
}

/** Reads the names and the collection after `for`. */
export function readForIntro(scanner: Scanner, start: number, expression: ReadExpression): void {
  const node = scanner.open("for_intro", start);
  readName(scanner);
  scanner.skip();
  if (scanner.startsWith(",")) {
    scanner.at += 1;
    readName(scanner);
    scanner.skip();
  }
  const { at } = scanner;
  if (scanner.takeIdentifier() !== "in") scanner.fault("`in`", at);
  expression(scanner);
  scanner.close(node);
}

function readName(scanner: Scanner): void {
  scanner.skip();
  const { at } = scanner;
  if (scanner.takeIdentifier() === "") scanner.fault("a name");
  scanner.leaf("identifier", at);
}
