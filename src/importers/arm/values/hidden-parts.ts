import { type Expression, literal } from "#importers/expression.ts";
import { hidden } from "#importers/hidden-values.ts";
import { withoutValues } from "./secret-values.ts";

/** A value with its secrets, and without them. */
interface Compared {
  before: Expression;
  left: Expression;
}

/** Beyond so many values of one name, the whole of each is a secret. */
const MAX_COMPARED = 10;
const whole: Compared = { before: literal(""), left: hidden(0) };

/**
 * The secrets among the values of names, as one reading of a template finds them for the next one. The next one writes
 * names out, so the same parts of its values are hidden.
 */
export class HiddenParts {
  readonly #compared = new Map<object, Compared[]>();
  /** Whether every part was read. Otherwise each value may be a secret. */
  isComplete = true;

  /** `of`: the declaration of the name. Several deployments of one template give it several values. */
  add(of: object, compared: Compared): void {
    if (compared.before === compared.left) return;
    const known = this.#compared.get(of);
    if (known === undefined) this.#compared.set(of, [compared]);
    else if (known.length < MAX_COMPARED) known.push(compared);
    else known[0] = whole;
  }

  hide(of: object, value: Expression, line: number): Expression {
    if (!this.isComplete) return withoutValues(value, line);
    const all = this.#compared.get(of) ?? [];
    return all.reduce((rest, compared) => hiddenAlike(rest, compared, line), value);
  }
}

/** Hides the parts of a value that are hidden in another reading of it: the whole, where the two differ in form. */
function hiddenAlike(value: Expression, { before, left }: Compared, line: number): Expression {
  if (before === left) return value;
  const { kind } = value;
  if (kind === "object" && before.kind === kind && left.kind === kind) {
    const [own, others] = [before, left].map(
      ({ members }) => new Map(members.map((one) => [one.name, one.value])),
    );
    const members = value.members.map((member) => {
      const compared = { before: own?.get(member.name), left: others?.get(member.name) };
      return { ...member, value: hiddenPart(member.value, compared, line) };
    });
    return { kind, members };
  }
  const isSameLength =
    kind === "list" &&
    before.kind === kind &&
    left.kind === kind &&
    before.items.length === value.items.length &&
    left.items.length === value.items.length;
  if (!isSameLength) return withoutValues(value, line);
  const items = value.items.map((item, at) =>
    hiddenPart(item, { before: before.items[at], left: left.items[at] }, line),
  );
  return { kind, items };
}

function hiddenPart(
  value: Expression,
  { before, left }: { before: Expression | undefined; left: Expression | undefined },
  line: number,
): Expression {
  return before === undefined || left === undefined
    ? withoutValues(value, line)
    : hiddenAlike(value, { before, left }, line);
}
