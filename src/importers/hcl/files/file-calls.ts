/**
 * Replaces the calls by which a Terraform module reads files of the import: by their text, their digest, their names.
 * It happens before secrets are looked for, so that a file's text is hidden wherever the same text would be.
 * https://developer.hashicorp.com/terraform/language/functions/file
 */
import { digests } from "#importers/evaluate/digests.ts";
import {
  type Expression,
  lineIn,
  literal,
  type ReferenceExpression,
  textOf,
  withParts,
} from "#importers/expression.ts";
import { withoutSecretValues } from "#importers/hcl/hide-secrets.ts";
import { hidden, holdsSecret, withoutLiterals } from "#importers/hidden-values.ts";
import type { ImportWork } from "#importers/import-work.ts";
import type { ImportedFiles } from "#importers/imported-files.ts";
import { sizeOf } from "#importers/text/joined-text.ts";
import { filePathOf, type FilePath, type ModulePlace, type TemplateData } from "./file-path.ts";
import { globOf, hasPieces } from "./path-pattern.ts";
import { isSecretFile } from "./secret-file.ts";
import { filledTemplate } from "./template-file.ts";
import { UNREAD, whyUnread } from "./unread-file.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;

/** The longest text of a file that a draft may have, in characters. */
const MAX_TEXT = 100_000;
/** The maximum number of files that a computed path may mean, and of names in a set of files. */
const MAX_CHOICES = 30;
const MAX_NAMES = 1_000;
/** Templates that include each other. */
const MAX_DEPTH = 3;
/** Characters in one unit of work: of templates, of texts that are searched for secrets, and of digested texts. */
const PARSED_IN_UNIT = 3;
const SEARCHED_IN_UNIT = 8;
const DIGESTED_IN_UNIT = 64;
/** For a value, or 32 characters. */
const UNITS_OF_SIZE = 4;
/** Characters of paths that are compared with one of a pattern in one unit of work. */
const COMPARED_IN_UNIT = 500;
/** Paths of the import that are compared with a pattern, and roots that a path is joined to, in one unit of work. */
const PATHS_IN_UNIT = 10;
const ROOTS_IN_UNIT = 3;
/** The maximum size of a computed path, which stands beside each file that it may mean. */
const MAX_PATH_SIZE = 100;
/** The missing files that a gap names. */
const MAX_NAMED = 3;

/** The digest of the text by the name of the function of files. */
const digestOf: ReadonlyMap<string, string> = new Map([
  ["filemd5", "md5"],
  ["filesha1", "sha1"],
  ["filesha256", "sha256"],
  ["filesha512", "sha512"],
  ["filebase64sha256", "base64sha256"],
  ["filebase64sha512", "base64sha512"],
]);

const readingCalls: ReadonlySet<string> = new Set([
  "file",
  "templatefile",
  "filebase64",
  "fileexists",
  "fileset",
  ...digestOf.keys(),
]);

export class FileCalls {
  readonly #files: ImportedFiles;
  readonly #work: ImportWork;
  /** Undefined while a template is read. */
  readonly #templates = new Map<TemplateData, TemplateData | undefined>();

  constructor(files: ImportedFiles, work: ImportWork) {
    this.#files = files;
    this.#work = work;
  }

  /** Returns the same expression if it reads no file. */
  resolved(of: Expression, place: ModulePlace, depth = 0): Expression {
    let isSame = true;
    const changed = withParts(of, (part) => {
      const left = this.resolved(part, place, depth);
      isSame &&= left === part;
      return left;
    });
    const made = isSame ? of : changed;
    // Texts that name texts grow with each level.
    if (!isSame && lengthOf(made) > MAX_TEXT)
      return unread({ kind: "call", name: UNREAD, args: [], line: lineIn(of) ?? 1 }, joinedTooLong);
    if (made.kind === "reference") return this.#rendered(made, place, depth) ?? made;
    if (made.kind !== "call") return made;
    if (!readingCalls.has(made.name)) return made;
    if (!this.#spend(place.roots().length / ROOTS_IN_UNIT)) return unread(made, tooMuch);
    if (made.name === "fileset") return this.#set(made, place);
    const path = filePathOf(made.args[0], place);
    if (made.name === "fileexists") return this.#exists(made, path);
    return path.kind === "pattern"
      ? this.#oneOf(made, path.pieces, place, depth)
      : this.#content(made, path, place, depth);
  }

  /** The text of a data source `template_file`, which older code has for `templatefile`; undefined: its text is open. */
  #rendered(
    { target, path, line }: ReferenceExpression,
    place: ModulePlace,
    depth: number,
  ): Expression | undefined {
    if (target.kind !== "resource" || path.length !== 1 || path[0] !== "rendered") return undefined;
    const [, name = ""] = /^data\.template_file\.(.+)$/.exec(target.address) ?? [];
    const given = place.templates.get(name);
    const known = given && this.#templateOf(given, place, depth);
    if (known === undefined) return undefined;
    const { template, vars } = known;
    if (whyUnread(template) !== undefined) return template;
    if (template.kind !== "literal") return undefined;
    const text = String(template.value);
    // Without the values, which each reference would repeat. The data source itself keeps them.
    const call: CallExpression = { kind: "call", name: "templatefile", args: [template], line };
    if (text.length > MAX_TEXT) return unread(call, tooLong(name));
    if (!this.#spend(text.length / PARSED_IN_UNIT)) return unread(call, tooMuch);
    return this.#filled(call, { path: name, text, vars }, place, depth);
  }

  /** Read once, as templates may name each other often. Undefined: it names itself. */
  #templateOf(given: TemplateData, place: ModulePlace, depth: number): TemplateData | undefined {
    if (this.#templates.has(given)) return this.#templates.get(given);
    this.#templates.set(given, undefined);
    if (depth >= MAX_DEPTH) return undefined;
    const read = {
      template: this.resolved(given.template, place, depth + 1),
      vars: withoutSecretValues(this.resolved(given.vars, place, depth + 1), 1),
    };
    this.#templates.set(given, read);
    return read;
  }

  #content(
    call: CallExpression,
    path: Exclude<FilePath, { kind: "pattern" }>,
    place: ModulePlace,
    depth: number,
  ): Expression {
    if (path.kind !== "known") return unread(call, reasons[path.kind]);
    const found = this.#found(path.paths);
    const [only, ...others] = found;
    if (only === undefined) return unread(call, missing(path.paths));
    if (others.length > 0) return unread(call, severalRoots);
    return this.#contentOf(call, only, place, depth);
  }

  #found(paths: readonly string[]): [path: string, text: string][] {
    return paths.flatMap((path): [string, string][] => {
      const text = this.#files.read(path, "terraform");
      return text === undefined ? [] : [[path, text]];
    });
  }

  #contentOf(
    call: CallExpression,
    [path, text]: readonly [path: string, text: string],
    place: ModulePlace,
    depth: number,
  ): Expression {
    const { name, line } = call;
    const digest = digests.get(digestOf.get(name) ?? "");
    if (digest !== undefined) {
      if (!this.#spend(text.length / DIGESTED_IN_UNIT)) return unread(call, tooMuch);
      // A short secret can be guessed from its digest.
      const isSecret = isSecretFile(path) || (text.length <= MAX_TEXT && holdsSecret(text));
      return isSecret ? hidden(line) : literal(digest(text));
    }
    if (text.length > MAX_TEXT) return unread(call, tooLong(path));
    const inUnit = name === "templatefile" ? PARSED_IN_UNIT : SEARCHED_IN_UNIT;
    if (!this.#spend(text.length / inUnit)) return unread(call, tooMuch);
    const made =
      name === "templatefile"
        ? this.#filled(call, { path, text, vars: valuesOf(call) }, place, depth)
        : literal(text);
    const shown =
      isSecretFile(path) && whyUnread(made) === undefined ? withoutLiterals(made, line) : made;
    return name === "filebase64"
      ? { kind: "call", name: "base64encode", args: [shown], line }
      : shown;
  }

  #filled(
    call: CallExpression,
    { path, text, vars }: { path: string; text: string; vars: Expression | undefined },
    place: ModulePlace,
    depth: number,
  ): Expression {
    if (vars === undefined || depth >= MAX_DEPTH) return unread(call, unreadable(path));
    const made = filledTemplate(text, vars, call.line);
    switch (made.kind) {
      case "filled":
        return this.#spend(made.size * UNITS_OF_SIZE)
          ? this.resolved(made.value, place, depth + 1)
          : unread(call, tooMuch);
      case "no value":
        return unread(call, noValue(path, made.name));
      case "too large":
        return unread({ ...call, args: [] }, tooLong(path));
      case "unreadable":
        return unread(call, unreadable(path));
    }
  }

  /** A choice among the files that a computed path may mean. */
  #oneOf(
    call: CallExpression,
    pieces: readonly Expression[],
    place: ModulePlace,
    depth: number,
  ): Expression {
    const paths = this.#matching((path) => hasPieces(path, pieces), 1);
    if (paths === undefined) return unread(call, tooMuch);
    const pattern = pieces.map((one) => (one.kind === "literal" ? one.value : "*")).join("");
    if (paths.length === 0) return unread(call, missing([pattern]));
    if (paths.length > MAX_CHOICES) return unread(call, reasons.computed);
    const path = textOf(pieces);
    // A path that itself is read from one of several files would double its size at each level.
    if (sizeOf(path, MAX_PATH_SIZE) > MAX_PATH_SIZE) return unread(call, reasons.computed);
    const { line } = call;
    // Conditions, and no map: a text in a map would be judged by its member's name, and not by the property's.
    return this.#found(paths).reduceRight<Expression>(
      (otherwise, one) => {
        const isPath: Expression = {
          kind: "call",
          name: "==",
          args: [path, literal(one[0])],
          line,
        };
        const args = [isPath, this.#contentOf(call, one, place, depth), otherwise];
        return { kind: "call", name: "?:", args, line };
      },
      unread({ ...call, args: [] }, undecided(pattern)),
    );
  }

  /** A file that the import lacks may be there. */
  #exists(call: CallExpression, path: FilePath): Expression {
    if (path.kind !== "known")
      return unread(call, reasons[path.kind === "outside" ? "outside" : "computed"]);
    const found = this.#found(path.paths);
    return found.length > 0 && found.length === path.paths.length
      ? literal(true)
      : unread(call, missing(path.paths));
  }

  /** The names in a folder, as far as the import has the files. */
  #set(call: CallExpression, place: ModulePlace): Expression {
    const [given, pattern] = call.args;
    const folder = filePathOf(given, place);
    const [only, ...others] = folder.kind === "known" ? folder.paths : [];
    const glob = pattern?.kind === "literal" ? globOf(String(pattern.value)) : undefined;
    if (only === undefined || glob === undefined || pattern?.kind !== "literal")
      return unread(call, reasons[folder.kind === "outside" ? "outside" : "computed"]);
    if (others.length > 0) return unread(call, severalRoots);
    const start = only === "." ? "" : `${only}/`;
    const found = this.#matching(
      (path) => path.startsWith(start) && glob.matches(path.slice(start.length)),
      glob.length,
    );
    if (found === undefined || found.length > MAX_NAMES || !this.#spend(found.length))
      return unread(call, tooMuch);
    if (found.length === 0) return unread(call, missing([`${start}${pattern.value}`]));
    for (const path of found) this.#files.read(path, "terraform");
    const items = found.map((path) => literal(path.slice(start.length)));
    const { line } = call;
    return { kind: "call", name: "toset", args: [{ kind: "list", items }], line };
  }

  /** `length`: of the pattern, as far as each character of a path is compared with each of its own. */
  #matching(isWanted: (path: string) => boolean, length: number): readonly string[] | undefined {
    const { paths, pathCharacters } = this.#files;
    const units = (pathCharacters * length) / COMPARED_IN_UNIT + paths.length / PATHS_IN_UNIT;
    return this.#spend(units) ? paths.filter(isWanted) : undefined;
  }

  /** False: reading has spent its share of the import's work. */
  #spend(units: number): boolean {
    const whole = Math.ceil(units);
    if (this.#work.readable < whole) return false;
    this.#work.spendReading(whole);
    return true;
  }
}

function valuesOf({ args: [, values], line }: CallExpression): Expression | undefined {
  return values && withoutSecretValues(values, line);
}

/** The number of written-out characters of a text; 0 for another value. */
function lengthOf(of: Expression): number {
  const parts = of.kind === "text" ? of.parts : [of];
  return parts.reduce(
    (sum, part) => sum + (part.kind === "literal" ? String(part.value).length : 0),
    0,
  );
}

/** A call whose file is not read. Its other arguments keep their references. */
function unread({ args, line }: CallExpression, reason: string): Expression {
  return { kind: "call", name: UNREAD, args: [literal(reason), ...args.slice(1)], line };
}

const reasons = {
  outside: "It reads a file of the machine that Terraform runs on, or above the imported folder.",
  computed: "The path of the file is computed: an import reads files whose paths it can tell.",
} as const;
const joinedTooLong = `The text of the files that it joins is too long: a draft has texts of up to ${MAX_TEXT} characters.`;
const severalRoots =
  "Each root module that runs it has a file of its own: import the roots one at a time.";
const tooMuch = "The files that the modules read are more than an import takes.";

function missing(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).map(shown).join(" or ");
  const rest = paths.length > MAX_NAMED ? ` or one of ${paths.length - MAX_NAMED} others` : "";
  return `The import lacks the text file that it reads: add ${named}${rest}.`;
}

function undecided(pattern: string): string {
  return `The files alone do not tell which of ${shown(pattern)} it reads, or the import lacks that one.`;
}

function tooLong(path: string): string {
  return `The text of ${shown(path)} is too long: a draft has texts of up to ${MAX_TEXT} characters.`;
}

function noValue(path: string, name: string): string {
  return `The template ${shown(path)} reads ${shown(name)}, and the call gives it no such value.`;
}

function unreadable(path: string): string {
  return `The template ${shown(path)} has an expression that is not read.`;
}

function shown(name: string): string {
  return `\`${(name.length > 120 ? `${name.slice(0, 120)}…` : name).toWellFormed()}\``;
}
