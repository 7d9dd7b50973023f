/**
 * Environments that a script sets from a collection: `%{ for k, v in local.env }export ${k}=${v}%{ endfor }`, or
 * `[for k, v in local.env : "${k}=${v}"]`. The collection is an environment, whatever its name.
 */
import {
  type Expression,
  type ForExpression,
  literal,
  partsOf,
  type ReferenceExpression,
  referencesIn,
  withParts,
} from "#importers/expression.ts";
import { EACH, type Path } from "#importers/secret-parts.ts";
import { snakeCase } from "./plain-setting.ts";

/** With more distinct parts of one collection, the whole collection is an environment. */
const MAX_PARTS = 20;

const scripts =
  /(?:^|_)(?:user_?data(?:_base64)?|custom_?data|startup_script|init_script|cloud_?init|script|bootstrap)$/;
/** Settings of files and of the parts of a cloud-init document. */
const contents = /^content(?:_base64)?$/;

/** Whether a value with this name is a script that starts a machine. */
export function isScript(name: string): boolean {
  return scripts.test(snakeCase(name));
}

/** The names of the locals that scripts in these settings read, by other locals, too. */
export function localsOfScripts(
  settings: readonly Expression[],
  locals: readonly { name: string; value: Expression }[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (of: Expression): void => {
    for (const { target } of referencesIn(of)) if (target.kind === "local") found.add(target.name);
  };
  const waiting = [...settings];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    if (at.kind !== "object") for (const part of partsOf(at)) waiting.push(part);
    else
      for (const { name, value } of at.members)
        if (isScript(name)) add(value);
        else waiting.push(value);
  const values = new Map(locals.map(({ name, value }) => [name, value]));
  // The set grows while it is read.
  for (const name of found) {
    const value = values.get(name);
    if (value !== undefined) add(value);
  }
  return found;
}

/** The environments that scripts in an expression set. */
export interface ScriptEnvironments {
  /** The parts of the collections of loops. An empty path is the whole collection. */
  loops: ReadonlyMap<ForExpression, readonly Path[]>;
  /** Values that a script assigns in a loop without an item: `${local.env[k]}`. */
  values: ReadonlySet<Expression>;
}

interface Loop {
  made: ForExpression;
  outer: Loop | undefined;
}

/** `isSetting`: whether `NAME=value` in a value with this name sets a variable, without a word such as `export`. */
export function scriptEnvironments(
  from: Expression,
  name: string,
  isSetting: (name: string) => boolean,
): ScriptEnvironments {
  const found = new Found();
  const visit = (at: Expression, within: string, loop: Loop | undefined): void => {
    if (at.kind === "object") for (const { name, value } of at.members) visit(value, name, loop);
    else if (at.kind === "for") {
      visit(at.of, within, loop);
      visit(at.value, within, { made: at, outer: loop });
      found.spread(at, loop);
    } else {
      const isBare = isSetting(within) || isScript(within) || contents.test(within);
      if (loop !== undefined) for (const value of assignedIn(at, isBare)) found.add(value, loop);
      for (const part of partsOf(at)) visit(part, within, loop);
    }
  };
  visit(from, name, undefined);
  return found;
}

/** Expressions that read what the scripts' environments read. */
export function readByScripts({ loops, values }: ScriptEnvironments): Expression[] {
  const read = [...loops].flatMap(([{ of, line }, paths]) =>
    paths.map((path): Expression =>
      path.length === 0 ? of : { kind: "call", name: "[]", args: [of, ...path.map(literal)], line },
    ),
  );
  return [...read, ...[...values].flatMap(referencesIn)];
}

/** Returns the expression with the written-out values of its scripts' environments changed. */
export function withScriptEnvironments(
  from: Expression,
  { loops, values }: ScriptEnvironments,
  change: (value: Expression, path: Path) => Expression,
): Expression {
  if (loops.size === 0 && values.size === 0) return from;
  const changed = (at: Expression): Expression => {
    if (values.has(at)) return change(at, []);
    const made = withParts(at, changed);
    if (at.kind !== "for" || made.kind !== "for") return made;
    return { ...made, of: (loops.get(at) ?? []).reduce(change, made.of) };
  };
  return changed(from);
}

class Found implements ScriptEnvironments {
  readonly loops = new Map<ForExpression, Path[]>();
  readonly values = new Set<Expression>();

  /** Adds a value that a script assigns in a loop. */
  add(value: Expression, loop: Loop): void {
    for (const reference of referencesIn(value)) {
      const own = loopOf(reference, loop);
      if (own !== undefined) this.#addItem(reference, own, []);
    }
    if (value.kind !== "reference" || value.target.kind !== "item") this.values.add(value);
  }

  /** Adds the collections of outer loops from which this loop has its own. */
  spread(made: ForExpression, outer: Loop | undefined): void {
    if (outer === undefined) return;
    const { of } = made;
    for (const path of this.loops.get(made) ?? [])
      for (const reference of referencesIn(of)) {
        const loop = loopOf(reference, outer);
        if (loop !== undefined) this.#addItem(reference, loop, of === reference ? path : []);
      }
  }

  #addItem({ path }: ReferenceExpression, { made }: Loop, below: Path): void {
    const whole = [...path, ...below];
    this.#addPath(made, whole.length === 0 ? [] : [EACH, ...whole]);
  }

  #addPath(made: ForExpression, path: Path): void {
    const known = this.loops.get(made) ?? [];
    this.loops.set(made, known);
    const given = known.length < MAX_PARTS ? path : [];
    if (!known.some((one) => one.every((step, at) => step === given[at]))) known.push(given);
  }
}

function loopOf({ target }: ReferenceExpression, from: Loop): Loop | undefined {
  for (let at: Loop | undefined = from; at !== undefined; at = at.outer)
    if (target.kind === "item" && at.made.names.includes(target.name)) return at;
  return undefined;
}

/** The end of a text before a name that a loop computes, with and without a word that sets variables. */
const afterWord = /(?:^|[\s;"'])(?:export|set|ENV|ARG|-e|--env|Environment=)[ \t]{0,9}["']?$/;
const atStart = /(?:^|\n)[ \t]{0,40}(?:-[ \t]{1,9})?["']?$/;
const sets = /^=["']?$/;
const format = /%s=["']?%[sqv]/;

/** The values that a text assigns to names which a loop computes: `v` in `export ${k}=${v}`. */
function assignedIn(at: Expression, isBare: boolean): Expression[] {
  if (at.kind === "call" && at.name === "format") {
    const [form, ...rest] = at.args;
    const isSet = form?.kind === "literal" && format.test(String(form.value));
    return isSet && (isBare || /^(?:export|ENV) /.test(String(form.value))) ? rest.slice(-1) : [];
  }
  if (at.kind !== "text") return [];
  return at.parts.filter((part, nth) => {
    const [before, name, sign] = [at.parts[nth - 3], at.parts[nth - 2], at.parts[nth - 1]];
    if (part.kind === "literal" || name === undefined || name.kind === "literal") return false;
    if (sign?.kind !== "literal" || !sets.test(String(sign.value))) return false;
    if (before !== undefined && before.kind !== "literal") return false;
    const text = before === undefined ? "" : String(before.value).slice(-80);
    return afterWord.test(text) || (isBare && atStart.test(text));
  });
}
