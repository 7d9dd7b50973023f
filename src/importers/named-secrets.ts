/**
 * Taint: a value that a secret setting refers to is a secret everywhere. With `password = local.words`, the text of
 * `local.words` is kept nowhere, though neither its name nor its look reveals a secret.
 */
import { isSecretEntry } from "./evaluate/secret-members.ts";
import type { Expression, ReferenceExpression } from "./expression.ts";
import { isSecretSetting, secretsOfMap, revealsDefault, withoutLiterals } from "./hidden-values.ts";
import { EACH, partsAt, partsWithin, type Path, withoutSecret } from "./secret-parts.ts";
import type { SourceModule, SourceVariable } from "./source-module.ts";

/** The part of a named value that an expression reads. */
interface Read {
  reference: ReferenceExpression;
  /** The rest of the path, below the path of the reference. */
  rest: Path;
}

/** The number of distinct parts of one name; with more, the whole value is a secret. */
const MAX_PARTS = 20;

/** A named value of a module that a secret setting refers to. */
interface Named {
  module: SourceModule;
  /** `each`: the `for_each` of the resource or call with this address. */
  kind: "variable" | "local" | "output" | "each";
  name: string;
}

/** The collection of a `for` around an expression, and those of the loops around it. */
interface Items {
  name: string | undefined;
  of: Expression;
  outer: Items | undefined;
}

/** An expression, and the module that resolves its names. */
interface Written {
  value: Expression;
  module: SourceModule;
}

/** The position of an expression: its module, and the address of its resource or call. */
interface Around {
  module: SourceModule;
  address?: string;
}

/** A kind of taint: the expressions it starts from, and the removal of a tainted part. */
export interface Reading {
  /** The expressions of a module that taint their references, with the address of their resource or call. */
  readIn: (module: SourceModule) => readonly { value: Expression; address?: string }[];
  without: (value: Expression, path: Path, line: number, name: string) => Expression;
}

/** Hides the values that tainted names stand for. By default secret settings taint their references. */
export function withoutNamedSecrets(
  modules: readonly SourceModule[],
  reading?: Reading,
): readonly SourceModule[] {
  const found = new NamedSecrets(modules, reading);
  return found.isEmpty ? modules : modules.map((module) => found.hide(module));
}

class NamedSecrets {
  /** The tainted parts of each name. An empty path is the whole value. */
  readonly #parts = new Map<string, Path[]>();
  readonly #waiting: [Named, Path][] = [];
  /** The values of each name. A variable has one from each call. */
  readonly #values = new Map<string, Written[]>();
  readonly #calls = new Map<string, SourceModule>();
  readonly #repeated = new Set<string>();
  /** The tainted parts of the collections of `for` loops. */
  readonly #items = new Map<Expression, Path[]>();

  readonly #without: Reading["without"];

  constructor(modules: readonly SourceModule[], reading: Reading | undefined) {
    this.#without = reading?.without ?? withoutSecret;
    const byPath = new Map(modules.map((module) => [module.path, module]));
    for (const module of modules) {
      for (const { name, value } of module.locals)
        this.#isWritten({ module, kind: "local", name }, { value, module });
      for (const { name, value } of module.outputs)
        this.#isWritten({ module, kind: "output", name }, { value, module });
      for (const { address, forEach: value } of module.resources)
        if (value) this.#isWritten({ module, kind: "each", name: address }, { value, module });
      for (const { name: call, target, settings, repeated, forEach: each } of module.moduleCalls) {
        if (repeated) this.#repeated.add(`${call} ${module.path}`);
        if (each)
          this.#isWritten(
            { module, kind: "each", name: `module.${call}` },
            { value: each, module },
          );
        const called = byPath.get(target ?? "");
        if (called === undefined) continue;
        this.#calls.set(`${call} ${module.path}`, called);
        for (const { name, value } of settings.members)
          this.#isWritten({ module: called, kind: "variable", name }, { value, module });
      }
    }
    for (const module of modules)
      if (reading === undefined) this.#read(module);
      else
        for (const { value, address } of reading.readIn(module))
          this.#walk(value, true, { module, ...(address === undefined ? {} : { address }) });
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      this.#follow(...next);
  }

  #isWritten(named: Named, written: Written): void {
    const key = keyOf(named);
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, [written]);
    else known.push(written);
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  hide(module: SourceModule): SourceModule {
    const { resources, variables, locals, outputs, moduleCalls } = module;
    return {
      ...module,
      resources: resources.map((one) => {
        const { address, forEach, line } = one;
        const left =
          forEach && this.#hidden({ module, kind: "each", name: address }, forEach, line);
        return left === forEach ? one : { ...one, forEach: left };
      }),
      variables: variables.map((one) => {
        const { name, default: value, line } = one;
        const isRead = this.#parts.has(keyOf({ module, kind: "variable", name }));
        const variable = isRead ? withoutTypeDefaults(one) : one;
        const left = value && this.#hidden({ module, kind: "variable", name }, value, line);
        return left === undefined || left === value ? variable : withDefault(variable, left);
      }),
      locals: locals.map((one) => ({
        ...one,
        value: this.#hidden({ module, kind: "local", name: one.name }, one.value, one.line),
      })),
      outputs: outputs.map((one) => ({
        ...one,
        value: this.#hidden({ module, kind: "output", name: one.name }, one.value, one.line),
      })),
      moduleCalls: moduleCalls.map((call) => {
        const each: Named = { module, kind: "each", name: `module.${call.name}` };
        const forEach = call.forEach && this.#hidden(each, call.forEach, call.line);
        const called = this.#calls.get(`${call.name} ${module.path}`);
        if (called === undefined) return { ...call, forEach };
        const members = call.settings.members.map(({ name, value, line }) => ({
          name,
          value: this.#hidden({ module: called, kind: "variable", name }, value, line),
          line,
        }));
        return { ...call, forEach, settings: { ...call.settings, members } };
      }),
    };
  }

  #hidden(named: Named, value: Expression, line: number): Expression {
    const parts = this.#parts.get(keyOf(named)) ?? [];
    return parts.reduce((rest, path) => this.#without(rest, path, line, named.name), value);
  }

  /** Taints the references of every secret setting of a module. */
  #read(module: SourceModule): void {
    for (const { name, sensitive } of module.variables)
      if (sensitive) this.#add({ module, kind: "variable", name }, []);
    for (const { settings, aliases } of module.providers)
      for (const one of [settings, ...aliases.map((alias) => alias.settings)])
        if (one !== null) this.#walk(one, false, { module });
    for (const { type, address, settings, access = [] } of module.resources) {
      this.#walk(settings, false, { module, address });
      this.#walk({ kind: "object", members: access }, false, { module, address });
      if (isSecretEntry(type))
        for (const { name, value } of settings.members)
          if (name === "value") this.#walk(value, true, { module, address });
    }
    // Only in names that people choose: `secrets` of a resource usually lists names of secrets.
    const isSecret = (name: string) => isSecretSetting(name) || secretsOfMap(name) !== undefined;
    for (const { name: call, settings } of module.moduleCalls)
      for (const { name, value } of settings.members)
        this.#walk(value, isSecret(name), { module, address: `module.${call}` });
    for (const { name, value } of module.locals) this.#walk(value, isSecret(name), { module });
    for (const { name, value, sensitive } of module.outputs)
      this.#walk(value, sensitive || isSecretSetting(name), { module });
  }

  #walk(from: Expression, isSecret: boolean, around: Around): void {
    const waiting: [Expression, boolean, Items | undefined][] = [[from, isSecret, undefined]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, isSecretHere, items] = next;
      for (const read of isSecretHere ? this.#readAt(at, [], items) : []) this.#mark(read, around);
      // The parts of a secret have been read with it, except computed ones.
      for (const [part, isSecretPart] of partsWithin(at, false))
        waiting.push([part, isSecretPart && !isSecretHere, itemsIn(at, part, items)]);
    }
  }

  /** Taints the part that a secret setting reads. */
  #mark({ reference, rest }: Read, { module, address }: Around): void {
    const { target } = reference;
    const path = [...reference.path, ...rest];
    if (target.kind === "local" || target.kind === "variable")
      this.#add({ module, kind: target.kind, name: target.name }, path);
    if (target.kind === "each" && target.name === "value" && address !== undefined)
      this.#add({ module, kind: "each", name: address }, [EACH, ...path]);
    if (target.kind !== "module") return;
    const call = `${target.name} ${module.path}`;
    const called = this.#calls.get(call);
    if (called === undefined) return;
    // The steps before the output may select one of several instances.
    const outputs = path.map((step): Named => ({
      module: called,
      kind: "output",
      name: String(step),
    }));
    const isKnown = (output: Named) => this.#values.has(keyOf(output));
    // An instance may have the name of an output.
    const after = this.#repeated.has(call)
      ? outputs.findIndex((output, step) => step > 0 && isKnown(output))
      : -1;
    const at = after === -1 ? outputs.findIndex(isKnown) : after;
    const output = outputs[at];
    if (output !== undefined) this.#add(output, path.slice(at + 1));
  }

  #add(named: Named, path: Path): void {
    const read = newPart(this.#parts, keyOf(named), path);
    if (read !== undefined) this.#waiting.push([named, read]);
  }

  /** Follows the names that the value of a name refers to. */
  #follow(named: Named, path: Path): void {
    for (const { value, module } of this.#values.get(keyOf(named)) ?? [])
      for (const read of this.#readAt(value, path)) this.#mark(read, { module });
  }

  /** The named parts that an expression reads at a path. */
  #readAt(expression: Expression, path: Path, around?: Items): Read[] {
    const found: Read[] = [];
    const waiting: [Expression, Path, Items | undefined][] = [[expression, path, around]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, rest, items] = next;
      const own = at.kind === "reference" ? [{ reference: at, rest }] : [];
      const hiddenIn = at.kind === "opaque" ? at.references : [];
      for (const read of [...own, ...hiddenIn.map((reference) => ({ reference, rest: [] }))]) {
        const of = itemsNamed(read.reference, items);
        if (of === undefined) found.push(read);
        else {
          const below = newPart(this.#items, of.of, [EACH, ...read.reference.path, ...read.rest]);
          if (below !== undefined) waiting.push([of.of, below, of.outer]);
        }
      }
      for (const [part, below] of partsAt(at, rest))
        waiting.push([part, below, itemsIn(at, part, items)]);
    }
    return found;
  }
}

/** Adds a path to the known parts of a key; undefined if a known part contains it. */
function newPart<Key>(all: Map<Key, Path[]>, key: Key, path: Path): Path | undefined {
  const parts = all.get(key) ?? [];
  all.set(key, parts);
  const read = parts.length < MAX_PARTS ? path : [];
  const isKnown = parts.some((known) =>
    known.every((step, at) => String(step) === String(read[at])),
  );
  if (isKnown) return undefined;
  parts.push(read);
  return read;
}

/** The loops around a part of an expression. */
function itemsIn(at: Expression, part: Expression, outer: Items | undefined): Items | undefined {
  return at.kind === "for" && part === at.value
    ? { name: at.names.at(-1), of: at.of, outer }
    : outer;
}

function itemsNamed({ target }: ReferenceExpression, items: Items | undefined): Items | undefined {
  for (let at = items; at !== undefined; at = at.outer)
    if (target.kind === "item" && target.name === at.name) return at;
  return undefined;
}

function keyOf({ module, kind, name }: Named): string {
  return `${kind} ${name} ${module.path}`;
}

/** The type of a partly secret variable may contain defaults of its members. */
function withoutTypeDefaults(variable: SourceVariable): SourceVariable {
  const { constraint, line } = variable;
  if (constraint === undefined || !revealsDefault(constraint, true)) return variable;
  return { ...variable, type: null, constraint: withoutLiterals(constraint, line) };
}

function withDefault(variable: SourceVariable, value: Expression): SourceVariable {
  return { ...variable, default: value, sensitive: true, allowed: undefined };
}
