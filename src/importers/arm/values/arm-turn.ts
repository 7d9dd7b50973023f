import { type Expression, literal } from "#importers/expression.ts";

/** The index of the current copy in a loop. */
export interface CopyIndex {
  number: Expression;
  /** A loop over the items of a list: the list's key, and its item in this turn. */
  over?: { key: string; item: Expression } | undefined;
}

/** The current copies, by the names of their loops in lower case. The innermost resource's has the empty name. */
export type CopyIndexes = ReadonlyMap<string, CopyIndex>;

/** The values of names in one place of a template. */
export interface Turn {
  copy: CopyIndexes;
  /** The parameters of the surrounding lambdas, by lower case. */
  items?: ReadonlyMap<string, Expression>;
  /** The arguments of the surrounding user-defined function, by lower case. */
  given?: ReadonlyMap<string, Expression>;
  /** The number of open loops around. */
  depth?: number;
  /** The keys of the conditions that hold here. */
  holds?: ReadonlySet<string>;
}

export const start: Turn = { copy: new Map() };

/** The turn of a nested template: the lambdas and functions around its deployment are not around it. */
export function withoutNames({ copy, depth = 0, holds }: Turn): Turn {
  return { copy, depth, ...(holds && { holds }) };
}

export function ofNumber(at: number): CopyIndex {
  return { number: literal(at) };
}

export function withCopy(turn: Turn, name: string, index: CopyIndex): Turn {
  return {
    ...turn,
    copy: new Map([...turn.copy, ["", index], [name.toLowerCase(), index]]),
  };
}

/** The turn of an output: `copyIndex()` without a name is its own. */
export function outsideResources(turn: Turn): Turn {
  return { ...turn, copy: new Map([...turn.copy].filter(([name]) => name !== "")) };
}

/** The turn of a copy of values. In it, `copyIndex()` without a name still means the copy of the resource. */
export function withValueCopy(turn: Turn, name: string, index: CopyIndex): Turn {
  if (!turn.copy.has("")) return withCopy(turn, name, index);
  return { ...turn, copy: new Map([...turn.copy, [name.toLowerCase(), index]]) };
}
