/**
 * What a secret setting reads by a name is a secret wherever else that name is read: with `password = local.words`, the text
 * of `local.words` is kept nowhere, though neither its name nor its looks say so.
 */
import { isSecretEntry, namesSecret } from "./draft/values/secret-members.ts";
import { type Expression, type ReferenceExpression, withParts } from "./expression.ts";
import { hidden, isAboutSecret, isSecretSetting, secretsOfMap } from "./hidden-values.ts";
import type { SourceModule, SourceVariable } from "./source-module.ts";

type Path = readonly (string | number)[];

/** Parts of one name that are told apart; with more, all of it is a secret. */
const MAX_PARTS = 20;

/** Functions and operators whose result holds their arguments as they are, or so that one can read them. */
const passing =
  /^(?:\?:|coalesce|try|one|element|merge|concat|flatten|compact|values|to(?:string|list|set|map)|(?:non)?sensitive|jsonencode|yamlencode|base64encode|trimspace|chomp|trim)$/;

/** A named value of a module, which a secret setting reads. */
interface Named {
  module: SourceModule;
  kind: "variable" | "local" | "output";
  name: string;
}

/** An expression, and the module whose names it has. */
interface Written {
  value: Expression;
  module: SourceModule;
}

/** The same modules without what they write out of such names. */
export function withoutNamedSecrets(modules: readonly SourceModule[]): readonly SourceModule[] {
  const found = new SecretNames(modules);
  return found.isEmpty ? modules : modules.map((module) => found.hide(module));
}

class SecretNames {
  /** Which parts of a name are read; one with an empty path is all of it. */
  readonly #parts = new Map<string, Path[]>();
  readonly #waiting: [Named, Path][] = [];
  /** What names stand for; of a variable, what each call gives. */
  readonly #values = new Map<string, Written[]>();
  readonly #calls = new Map<string, SourceModule>();

  constructor(modules: readonly SourceModule[]) {
    const byPath = new Map(modules.map((module) => [module.path, module]));
    for (const module of modules) {
      for (const { name, value } of module.locals)
        this.#isWritten({ module, kind: "local", name }, { value, module });
      for (const { name, value } of module.outputs)
        this.#isWritten({ module, kind: "output", name }, { value, module });
      for (const { name: call, target, settings } of module.moduleCalls) {
        const called = byPath.get(target ?? "");
        if (called === undefined) continue;
        this.#calls.set(`${call} ${module.path}`, called);
        for (const { name, value } of settings.members)
          this.#isWritten({ module: called, kind: "variable", name }, { value, module });
      }
    }
    for (const module of modules) this.#read(module);
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
    const { variables, locals, outputs, moduleCalls } = module;
    return {
      ...module,
      variables: variables.map((variable) => {
        const { name, default: value, line } = variable;
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
        const called = this.#calls.get(`${call.name} ${module.path}`);
        if (called === undefined) return call;
        const members = call.settings.members.map(({ name, value, line }) => ({
          name,
          value: this.#hidden({ module: called, kind: "variable", name }, value, line),
          line,
        }));
        return { ...call, settings: { ...call.settings, members } };
      }),
    };
  }

  #hidden(named: Named, value: Expression, line: number): Expression {
    const parts = this.#parts.get(keyOf(named)) ?? [];
    return parts.reduce((rest, path) => withoutSecret(rest, path, line), value);
  }

  /** Every secret setting of a module. */
  #read(module: SourceModule): void {
    for (const { type, settings } of module.resources) {
      this.#walk(settings, module, false);
      if (isSecretEntry(type))
        for (const { name, value } of settings.members)
          if (name === "value") this.#walk(value, module, true);
    }
    // Maps that people name: `secrets` of a resource are rather names of secrets.
    const isSecret = (name: string) => isSecretSetting(name) || secretsOfMap(name) !== undefined;
    for (const { settings } of module.moduleCalls)
      for (const { name, value } of settings.members) this.#walk(value, module, isSecret(name));
    for (const { name, value } of module.locals) this.#walk(value, module, isSecret(name));
    for (const { name, value, sensitive } of module.outputs)
      this.#walk(value, module, sensitive || isSecretSetting(name));
  }

  #walk(from: Expression, module: SourceModule, isSecret: boolean): void {
    const waiting: [Expression, boolean][] = [[from, isSecret]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, isSecretHere] = next;
      if (at.kind === "reference" && isSecretHere) this.#mark(at, [], module);
      for (const part of partsWithin(at, isSecretHere)) waiting.push(part);
    }
  }

  /** A secret setting reads this, or of what it leads to the part at the path. */
  #mark({ target, path: own }: ReferenceExpression, rest: Path, module: SourceModule): void {
    const path = [...own, ...rest];
    if (target.kind === "local" || target.kind === "variable")
      this.#add({ module, kind: target.kind, name: target.name }, path);
    if (target.kind !== "module") return;
    const called = this.#calls.get(`${target.name} ${module.path}`);
    if (called === undefined) return;
    // Before it may be which of several instances.
    const outputs = path.map((step): Named => ({
      module: called,
      kind: "output",
      name: String(step),
    }));
    const at = outputs.findIndex((output) => this.#values.has(keyOf(output)));
    const output = outputs[at];
    if (output !== undefined) this.#add(output, path.slice(at + 1));
  }

  #add(named: Named, path: Path): void {
    const key = keyOf(named);
    const parts = this.#parts.get(key) ?? [];
    this.#parts.set(key, parts);
    const read = parts.length < MAX_PARTS ? path : [];
    const isKnown = parts.some((known) =>
      known.every((step, at) => String(step) === String(read[at])),
    );
    if (isKnown) return;
    parts.push(read);
    this.#waiting.push([named, read]);
  }

  /** What a name stands for may be further names. */
  #follow(named: Named, path: Path): void {
    for (const { value, module } of this.#values.get(keyOf(named)) ?? [])
      for (const { reference, rest } of readAt(value, path)) this.#mark(reference, rest, module);
  }
}

function keyOf({ module, kind, name }: Named): string {
  return `${kind} ${name} ${module.path}`;
}

function withDefault(variable: SourceVariable, value: Expression): SourceVariable {
  return { ...variable, default: value, sensitive: true, allowed: undefined };
}

/** The parts of an expression, and whether each is a secret. */
function partsWithin(at: Expression, isSecret: boolean): [Expression, boolean][] {
  switch (at.kind) {
    case "object": {
      const hasValue = at.members.some(({ name }) => /^value$/i.test(name));
      const isNamed = hasValue && namesSecret(at.members);
      return at.members.map(({ name, value }) => [
        value,
        isSecretSetting(name) ||
          (isSecret && !isAboutSecret(name)) ||
          (isNamed && /^value$/i.test(name)),
      ]);
    }
    case "list":
      return at.items.map((item) => [item, isSecret]);
    case "call":
      return at.args.map((arg, index) => [arg, isSecret && passes(at.name, index)]);
    case "text":
      return at.parts.map((part) => [part, false]);
    case "for":
      return [
        [at.of, false],
        [at.value, isSecret],
      ];
    case "literal":
    case "reference":
    case "opaque":
      return [];
  }
}

/** Whether the result of a call holds this argument. */
function passes(name: string, index: number): boolean {
  return (
    passing.test(name) && !(name === "?:" && index === 0) && !(name === "element" && index > 0)
  );
}

/** The references in the part at a path, and what of each is read. */
function readAt(
  expression: Expression,
  path: Path,
): { reference: ReferenceExpression; rest: Path }[] {
  const found: { reference: ReferenceExpression; rest: Path }[] = [];
  const waiting: [Expression, Path, boolean][] = [[expression, path, true]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [at, rest, isSecret] = next;
    if (at.kind === "reference" && isSecret) found.push({ reference: at, rest });
    for (const [part, left] of partsAt(at, rest)) waiting.push([part, left, true]);
  }
  return found;
}

/** The parts of a secret expression in which what is at a path may be, and where it is in each. */
function partsAt(at: Expression, path: Path): [Expression, Path][] {
  const [step, ...rest] = path;
  if (step !== undefined && at.kind === "object")
    return at.members.filter(({ name }) => name === String(step)).map(({ value }) => [value, rest]);
  if (step !== undefined && at.kind === "list") {
    const item = at.items[Number(step)];
    return item === undefined ? [] : [[item, rest]];
  }
  return partsWithin(at, true)
    .filter(([, isSecret]) => isSecret)
    .map(([part]) => [part, path]);
}

/** The same without what is written out in the part at a path; itself if there is nothing. */
function withoutSecret(expression: Expression, path: Path, line: number): Expression {
  if (expression.kind === "literal") {
    const { value } = expression;
    // An address of a secret elsewhere is not the secret.
    const isKept =
      value === "" ||
      (typeof value !== "string" && typeof value !== "number") ||
      String(value).startsWith("arn:");
    return isKept ? expression : hidden(line);
  }
  // What a text takes from elsewhere may be as harmless there as a host in a URL.
  if (expression.kind === "text")
    return withParts(expression, (part) => (part.kind === "literal" ? hidden(line) : part));
  const parts = new Map(partsAt(expression, path));
  let isSame = true;
  const change = (part: Expression): Expression => {
    const rest = parts.get(part);
    const left = rest === undefined ? part : withoutSecret(part, rest, line);
    isSame &&= left === part;
    return left;
  };
  const changed = withParts(expression, change);
  return isSame ? expression : changed;
}
