/** Converts ARM's child names `parent/child`. Our types name the parent by its id. */
import {
  type Expression,
  literal,
  type Member,
  textOf,
  withoutLines,
} from "#importers/expression.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";

/** The parts of a name between slashes. */
type Names = readonly (readonly Expression[])[];

/** The resources of a module by their ARM names. */
export class ArmParents {
  readonly #byName = new Map<string, DraftedResource>();

  constructor(resources: Iterable<DraftedResource>) {
    for (const one of resources) {
      const name = nameIn(one);
      if (name !== undefined) this.#byName.set(keyOf(kindsOf(one), namesIn(name.value)), one);
    }
  }

  /** Splits the name of a child into `parent` and its own name. Other resources stay. */
  placed(made: DraftedResource): DraftedResource {
    const kinds = kindsOf(made);
    const name = nameIn(made);
    const { members } = made.source.settings;
    if (kinds.length <= 2 || name === undefined) return made;
    if (members.some((member) => member.name === "parent")) return made;
    const names = namesIn(name.value);
    if (names.length !== kinds.length - 1) return made;
    const parent =
      this.#parentOf(made, kinds, names, name.line) ?? elsewhere(made, kinds, names, name.line);
    const own: Member = { ...name, value: textOf(names.at(-1) ?? []) };
    const others = members.map((member) => (member === name ? own : member));
    const at: Member = { name: "parent", value: parent, line: name.line };
    const settings = { kind: "object", members: [...others, at] } as const;
    return { ...made, source: { ...made.source, settings } };
  }

  /** The id of the parent, made from the id of its nearest ancestor in the module. */
  #parentOf(
    made: DraftedResource,
    kinds: readonly string[],
    names: Names,
    line: number,
  ): Expression | undefined {
    for (let known = names.length - 1; known > 0; known -= 1) {
      const above = this.#byName.get(keyOf(kinds.slice(0, known + 1), names.slice(0, known)));
      if (above === undefined) continue;
      const id = idOf(above, made, line);
      if (id === undefined) return undefined;
      const between = names
        .slice(known, -1)
        .flatMap((name, at) => [literal(`/${kinds[known + 1 + at] ?? ""}/`), ...name]);
      return between.length === 0 ? id : textOf([id, ...between]);
    }
    return undefined;
  }
}

/** A parent that the template does not have: its id is asked for once. Each turn of a loop may have another one. */
function elsewhere(
  { source }: DraftedResource,
  kinds: readonly string[],
  names: Names,
  line: number,
): Expression {
  if (source.count !== undefined || source.forEach !== undefined)
    return { kind: "opaque", text: "parent", references: [], line };
  const words = names.slice(0, -1).flatMap((parts, at) => [kinds[at + 1] ?? "", ...wordsIn(parts)]);
  const name = `id of ${words.join(" ")}`.slice(0, MAX_NAME);
  return { kind: "call", name: "pseudo", args: [literal(name)], line };
}

const MAX_NAME = 80;

function wordsIn(parts: readonly Expression[]): string[] {
  return parts.map((part) => {
    if (part.kind === "literal") return String(part.value);
    return part.kind === "reference" && "name" in part.target ? part.target.name : "";
  });
}

/** The id of a resource, or of the one of its loop in the turn of `reader`. Undefined: they have different loops. */
function idOf(
  { source }: DraftedResource,
  { source: reader }: DraftedResource,
  line: number,
): Expression | undefined {
  const target = { kind: "resource", address: source.address } as const;
  const of: Expression = { kind: "reference", target, path: [], line };
  const { count, forEach } = source;
  if (count === undefined && forEach === undefined) return { ...of, path: ["id"] };
  const loops = [source, reader].map((one) => withoutLines([one.count ?? {}, one.forEach ?? {}]));
  if (loops[0] !== loops[1]) return undefined;
  const turn =
    count === undefined
      ? ({ kind: "each", name: "key" } as const)
      : ({ kind: "count", name: "index" } as const);
  const key: Expression = { kind: "reference", target: turn, path: [], line };
  return { kind: "call", name: "[]", args: [of, key, literal("id")], line };
}

function nameIn({ source }: DraftedResource): Member | undefined {
  return source.settings.members.find((member) => member.name === "name");
}

/** The namespace and the kinds of a type: `Microsoft.Storage`, `storageAccounts`, `blobServices`. */
function kindsOf({ mapped: { type } }: DraftedResource): string[] {
  return (type.slice(type.indexOf(":") + 1).split("@")[0] ?? "").split("/");
}

function namesIn(name: Expression): Names {
  const names: Expression[][] = [[]];
  for (const part of name.kind === "text" ? name.parts : [name]) {
    if (part.kind !== "literal") {
      names.at(-1)?.push(part);
      continue;
    }
    for (const [at, word] of String(part.value).split("/").entries()) {
      if (at > 0) names.push([]);
      if (word !== "") names.at(-1)?.push(literal(word));
    }
  }
  return names;
}

function keyOf(kinds: readonly string[], names: Names): string {
  return `${kinds.join("/").toLowerCase()} ${withoutLines(names)}`;
}
