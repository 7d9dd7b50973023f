/** Reads parts of values: `parameters('x').a[0].?b`. */
import { type Expression, literal, partsOf } from "#importers/expression.ts";
import { keyOf } from "./arm-names.ts";
import type { Turn } from "./arm-turn.ts";
import type { CallPlace } from "./functions/arm-function.ts";
import { call, isNull, memberNamed, numberIn, textIn } from "./known-values.ts";

export interface Step {
  value: Expression;
  isOptional: boolean;
}

type Place = Pick<CallPlace, "line" | "spend">;

/** The part of a value; undefined: ARM refuses it, or its form is not known here. */
export function partAt(
  of: Expression,
  steps: readonly Step[],
  place: Place,
): Expression | undefined {
  let at: Expression | undefined = of;
  for (const step of steps) {
    if (at === undefined) return undefined;
    at = partOf(at, step, place);
  }
  return at;
}

function partOf(of: Expression, step: Step, place: Place): Expression | undefined {
  const { line } = place;
  const { value, isOptional } = step;
  if (isNull(of)) return isOptional ? of : undefined;
  const key = textIn(value) ?? numberIn(value);
  if (of.kind === "list" || of.kind === "object") {
    if (key === undefined) return isStep(value) ? call("[]", [of, value], line) : undefined;
    const found =
      of.kind === "list" ? of.items[Number(key)] : memberNamed(of.members, String(key))?.value;
    return found ?? (isOptional ? literal(null) : undefined);
  }
  if (of.kind === "literal" || of.kind === "text" || of.kind === "opaque") return undefined;
  const attribute = key === undefined ? undefined : attributeAt(of, key);
  if (isOptional && attribute !== undefined) return call("try", [attribute, literal(null)], line);
  if (isOptional) return call("arm:tryGet", [of, value], line);
  if (of.kind === "reference" && key !== undefined) return { ...of, path: [...of.path, key] };
  if (of.kind === "call" && of.name === "?:") {
    const [condition, ...branches] = of.args;
    const parts = branches.map((branch) => partOf(branch, step, place));
    return condition !== undefined && parts.every((part) => part !== undefined)
      ? call("?:", [condition, ...parts], line)
      : undefined;
  }
  if (of.kind === "call" && of.name === "sensitive" && of.args[0] !== undefined) {
    const part = partOf(of.args[0], step, place);
    return part && call("sensitive", [part], line);
  }
  if (of.kind === "call" && of.name === "[]") {
    const [base, ...steps] = of.args;
    const within = base && key !== undefined && partOfEach(base, step, place);
    return within ? call("[]", [within, ...steps], line) : call("[]", [...of.args, value], line);
  }
  return call("[]", [of, value], line);
}

/** The steps for a row of a table, which is copied. */
const STEPS_OF_ROW = 2;

/** The same part of each item or member, so that a table keeps only what is read of it. */
function partOfEach(of: Expression, step: Step, place: Place): Expression | undefined {
  if (!place.spend(STEPS_OF_ROW * partsOf(of).length)) return undefined;
  if (of.kind === "list") {
    const items = of.items.map((item) => partOf(item, step, place));
    return items.every((item) => item !== undefined) ? { kind: "list", items } : undefined;
  }
  if (of.kind !== "object") return undefined;
  const members = of.members.map((member) => ({
    ...member,
    value: partOf(member.value, step, place),
  }));
  const known = members.flatMap(({ value, ...rest }) =>
    value === undefined ? [] : [{ ...rest, value }],
  );
  return known.length === members.length ? { kind: "object", members: known } : undefined;
}

function isStep(of: Expression): boolean {
  return of.kind === "reference" || of.kind === "call" || of.kind === "text";
}

/** A further part of an attribute of a resource, which may be missing. */
function attributeAt(of: Expression, key: string | number): Expression | undefined {
  const [attempted] = of.kind === "call" && of.name === "try" ? of.args : [of];
  return attempted?.kind === "reference" && attempted.target.kind === "resource"
    ? { ...attempted, path: [...attempted.path, key] }
    : undefined;
}

/** The path of a call, and where the call stands. */
export interface Path {
  steps: readonly Step[];
  line: number;
  turn: Turn;
}

/** A part of a value. In a loop over a list, the item at the current index is the loop's own. */
export function stepped(
  of: Expression,
  { steps, line, turn }: Path,
  { spend }: Pick<CallPlace, "spend">,
): Expression | undefined {
  for (const [at, step] of steps.entries()) {
    const index = [...turn.copy.values()].find(
      ({ number, over }) => over !== undefined && number === step.value,
    );
    if (index?.over === undefined) continue;
    const before = partAt(of, steps.slice(0, at), { line, spend });
    if (before === undefined || keyOf(before) !== index.over.key) continue;
    return stepped(index.over.item, { steps: steps.slice(at + 1), line, turn }, { spend });
  }
  return partAt(of, steps, { line, spend });
}
