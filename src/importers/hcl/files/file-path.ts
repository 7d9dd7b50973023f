/** The paths of files that a Terraform module reads, as far as its own text tells them. */
import { type Expression, literal } from "#importers/expression.ts";
import { joinedPath } from "#importers/joined-path.ts";
import type { SourceLocal } from "#importers/source-module.ts";

const MAX_DEPTH = 10;
/** The parts that one path is made of. Locals that name others twice would take exponential time. */
const MAX_PIECES = 50;

/** The folders of a module's paths, and the locals that are a part of them. */
export interface ModulePlace {
  /** `path.module` */
  folder: string;
  /** `path.root` and `path.cwd`, to which other paths are relative: the folders of the roots that call the module. */
  roots: () => readonly string[];
  locals: ReadonlyMap<string, Pick<SourceLocal, "value">>;
  /** The data sources of the type `template_file` by name. */
  templates: ReadonlyMap<string, TemplateData>;
}

/** https://registry.terraform.io/providers/hashicorp/template/latest/docs/data-sources/file */
export interface TemplateData {
  template: Expression;
  vars: Expression;
}

/** The argument of a function of files. */
export type FilePath =
  /** One path for each root module that may run it. */
  | { kind: "known"; paths: readonly string[] }
  /** Texts of a path from the root of the import, with computed parts between them. */
  | { kind: "pattern"; pieces: readonly Expression[] }
  /** A path of the machine, or above the import. */
  | { kind: "outside" }
  | { kind: "computed" };

export function filePathOf(given: Expression | undefined, place: ModulePlace): FilePath {
  const pieces = given && piecesOf(given, place);
  const [first, ...rest] = pieces ?? [];
  if (first === undefined) return { kind: "computed" };
  if (first.kind === "literal") {
    const text = String(first.value);
    return /^[/~]|^[A-Za-z]:[\\/]/.test(text)
      ? { kind: "outside" }
      : pathBelow(place.roots(), text, rest);
  }
  if (!isFolder(first)) return { kind: "computed" };
  const folders = first.text === "path.module" ? [place.folder] : place.roots();
  const [next, ...others] = rest;
  if (next === undefined) return pathBelow(folders, "", []);
  if (next.kind !== "literal" || !String(next.value).startsWith("/")) return { kind: "computed" };
  return pathBelow(folders, String(next.value).replace(/^\/+/, ""), others);
}

/** The path below a folder that starts with a text. */
function pathBelow(
  folders: readonly string[],
  start: string,
  rest: readonly Expression[],
): FilePath {
  if (rest.length === 0) {
    const paths = folders.flatMap((folder) => joinedPath(folder, start === "" ? "." : start) ?? []);
    return paths.length === 0 ? { kind: "outside" } : { kind: "known", paths: [...new Set(paths)] };
  }
  const [folder, ...others] = folders;
  const end = start.lastIndexOf("/") + 1;
  const stem = start.slice(end);
  const isPlain = rest.every(
    (one) => one.kind !== "literal" || !/\/\.{0,2}\//.test(String(one.value)),
  );
  if (folder === undefined || others.length > 0 || !isPlain || /^\.{1,2}$/.test(stem))
    return { kind: "computed" };
  const above = joinedPath(folder, start.slice(0, end) || ".");
  if (above === undefined) return { kind: "outside" };
  const prefix = above === "." ? stem : `${above}/${stem}`;
  return { kind: "pattern", pieces: [literal(prefix), ...rest] };
}

function isFolder(of: Expression): of is Extract<Expression, { kind: "opaque" }> {
  return of.kind === "opaque" && /^path\.(?:module|root|cwd)$/.test(of.text);
}

/** The texts and computed parts of a path, without two texts beside each other. */
function piecesOf(given: Expression, { locals }: ModulePlace): readonly Expression[] | undefined {
  const pieces: Expression[] = [];
  let left = MAX_PIECES;
  const add = (of: Expression, depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) return false;
    const last = pieces.at(-1);
    if (of.kind === "literal") {
      if (of.value === null) return false;
      if (last?.kind === "literal") pieces[pieces.length - 1] = literal(`${last.value}${of.value}`);
      else if (of.value !== "") pieces.push(literal(String(of.value)));
      return true;
    }
    const parts = partsOfPath(of, locals);
    if (parts !== undefined) return parts.every((part) => add(part, depth + 1));
    pieces.push(of);
    return true;
  };
  return add(given, 0) ? pieces : undefined;
}

/** Functions that change no relative path. */
const keeping = /^(?:abspath|pathexpand)$/;

/** The parts that are joined to a path; undefined: it is none of several parts. */
function partsOfPath(
  of: Expression,
  locals: ModulePlace["locals"],
): readonly Expression[] | undefined {
  if (of.kind === "text") return of.parts;
  if (of.kind === "reference") {
    const { target, path } = of;
    const local = target.kind === "local" ? locals.get(target.name)?.value : undefined;
    const found = local && partAt(local, path);
    return found && [found];
  }
  if (of.kind !== "call") return undefined;
  const [first, second] = of.args;
  if (keeping.test(of.name) && first !== undefined) return [first];
  if (of.name === "join" && first !== undefined && second?.kind === "list")
    return second.items.flatMap((item, at) => (at === 0 ? [item] : [first, item]));
  return of.name === "format" && first?.kind === "literal"
    ? formatted(String(first.value), of.args.slice(1))
    : undefined;
}

function formatted(pattern: string, args: readonly Expression[]): Expression[] | undefined {
  const texts = pattern.split("%s");
  if (texts.length !== args.length + 1 || texts.some((text) => text.includes("%")))
    return undefined;
  return texts.flatMap((text, at) => [literal(text), ...args.slice(at, at + 1)]);
}

function partAt(of: Expression, path: readonly (string | number)[]): Expression | undefined {
  let at: Expression | undefined = of;
  for (const step of path)
    at =
      at?.kind === "object"
        ? at.members.find(({ name }) => name === String(step))?.value
        : at?.kind === "list"
          ? at.items[Number(step)]
          : undefined;
  return at;
}
