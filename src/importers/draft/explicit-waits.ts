/** What objects of the draft wait for because the source says so, for them or for the module around them. */
import {
  type Expression,
  literal,
  referencesIn,
  type ReferenceExpression,
} from "#importers/expression.ts";
import type { Dependency, SourceResource } from "#importers/source-module.ts";
import type { ChosenResources } from "./chosen-resources.ts";
import { eachInstance } from "./scopes/instances.ts";
import type { Bound, Scope } from "./scopes/scope.ts";
import type { DraftGap } from "./values/draft.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";

/**
 * Names that one call of a module makes the draft repeat: each object of the module lists each that it waits for, and
 * more would take the place of resources in the text of a template.
 */
const MAX_NAMES_OF_CALL = 2_000;
/** Names that are followed from one output; behind more, all that its module has is waited for. */
const MAX_FOLLOWED = 100;
/** References and names that are followed from all outputs of a draft: each may read the same long list. */
const MAX_ALL_FOLLOWED = 500_000;
/** Outputs behind one another: real chains are short, and each takes a part of the stack. */
const MAX_DEPTH = 50;

export class ExplicitWaits {
  /** Calls whose waits the draft cannot say. */
  readonly gaps: DraftGap[] = [];
  readonly #chosen: ChosenResources;
  readonly #ofScope = new Map<Scope, readonly string[]>();
  readonly #ofOutput = new Map<Scope, Map<string, readonly string[] | undefined>>();
  readonly #ofResource = new Map<Scope, Map<string, readonly string[]>>();
  readonly #references = new Map<Expression, readonly ReferenceExpression[]>();
  #depth = 0;
  #left = MAX_ALL_FOLLOWED;

  constructor(chosen: ChosenResources) {
    this.#chosen = chosen;
  }

  /** The names in the draft. What an object has beside it waits for that object. */
  of({ source, scope, path }: DraftedResource): readonly string[] {
    if (path !== undefined) return [];
    const own = source.dependsOn.flatMap((dependency) => this.#namesAt(dependency, scope));
    return [...own, ...this.#aroundOf(scope.home)];
  }

  /** What all of a module waits for. */
  #aroundOf(scope: Scope): readonly string[] {
    const { caller, prefix } = scope;
    if (caller === undefined) return [];
    const known = this.#ofScope.get(scope);
    if (known !== undefined) return known;
    const { call, scope: around } = caller;
    const names = new Set(call.dependsOn.flatMap((one) => this.#namesAt(one, around)));
    const waiting = this.#chosen.drafted.filter((made) => made.scope.prefix.startsWith(prefix));
    const isTooLong = names.size * waiting.length > MAX_NAMES_OF_CALL;
    if (isTooLong)
      this.gaps.push({
        address: prefix.slice(0, -1),
        file: call.file,
        line: call.dependsOn[0]?.line ?? call.line,
        path: "depends_on",
        code: "not_expressible",
        reason: `Each of its ${waiting.length} objects would list all ${names.size} that it waits for: too long for a template.`,
      });
    const all = [...(isTooLong ? [] : names), ...this.#aroundOf(around.home)];
    this.#ofScope.set(scope, all);
    return all;
  }

  /** What a dependency stands for: a resource, what is behind an output of a module, or all that the module has. */
  #namesAt(
    { address, path = [] }: Pick<Dependency, "address" | "path">,
    scope: Scope,
  ): readonly string[] {
    const { drafted } = this.#chosen;
    const ofResource = this.#namesOfResource(address, scope);
    if (ofResource !== undefined) return ofResource;
    const call = /^module\.([^.[]+)/.exec(address)?.[1];
    if (call === undefined || !scope.home.calls.has(call)) return [];
    const ofOutput = this.#namesOfOutput(call, path, scope);
    if (ofOutput !== undefined) return ofOutput;
    const below = `${scope.prefix}${address}`;
    return drafted
      .filter(
        ({ scope: { prefix } }) =>
          prefix.startsWith(below) && /[.[]/.test(prefix.charAt(below.length)),
      )
      .map(({ name }) => name);
  }

  /** Of what the draft lacks, such as `time_sleep` or a data source, what that waits for. Undefined: it is no resource. */
  #namesOfResource(address: string, { home }: Scope): readonly string[] | undefined {
    const source = home.resources.get(address);
    if (source === undefined) return undefined;
    const known = this.#ofResource.get(home) ?? new Map<string, readonly string[]>();
    this.#ofResource.set(home, known);
    const before = known.get(address);
    if (before !== undefined) return before;
    // What waits for itself adds nothing.
    known.set(address, []);
    const made = this.#chosen.byScope.get(home);
    const instances = home.decided.instances(source, home);
    const own = (instances === undefined ? [] : eachInstance(instances, home)).flatMap(
      ({ key }) => made?.get(`${address}${key}`) ?? [],
    );
    const names =
      own.length > 0
        ? own.flatMap((one) => [one, ...one.beside].map(({ name }) => name))
        : this.#behindResource(source, home);
    known.set(address, names);
    return names;
  }

  #behindResource(source: SourceResource, scope: Scope): readonly string[] {
    if (this.#depth === MAX_DEPTH) return [];
    this.#depth += 1;
    const { settings, count, forEach, dependsOn } = source;
    const given = [settings, count, forEach].filter((one) => one !== undefined);
    const names = this.#needed({ kind: "list", items: given }, dependsOn, scope);
    this.#depth -= 1;
    return names ?? [];
  }

  /** What an expression refers to, each once. */
  #referencesIn(expression: Expression): readonly ReferenceExpression[] {
    const known = this.#references.get(expression);
    if (known !== undefined) return known;
    const found = new Map<string, ReferenceExpression>();
    for (const one of referencesIn(expression)) {
      const { target, path } = one;
      // Of a resource, all is waited for.
      found.set(JSON.stringify(target.kind === "module" ? [target, path] : target), one);
    }
    const references = [...found.values()];
    this.#references.set(expression, references);
    return references;
  }

  /** Of each instance of a call; undefined: the path names no output, or there is too much behind it. */
  #namesOfOutput(call: string, path: Dependency["path"], { home }: Scope): string[] | undefined {
    const names: string[] = [];
    const called = [...this.#chosen.byScope.keys()].filter(
      ({ caller }) => caller?.call.name === call && caller.scope.home === home,
    );
    for (const scope of called) {
      const output = path?.map(String).find((step) => scope.outputs.has(step));
      const behind = output === undefined ? undefined : this.#behindOutput(output, scope);
      if (behind === undefined) return undefined;
      names.push(...behind);
    }
    return called.length === 0 ? undefined : names;
  }

  #behindOutput(name: string, scope: Scope): readonly string[] | undefined {
    const own = this.#ofOutput.get(scope) ?? new Map<string, readonly string[] | undefined>();
    this.#ofOutput.set(scope, own);
    if (own.has(name)) return own.get(name);
    if (this.#depth === MAX_DEPTH) return undefined;
    // An output that is behind itself adds nothing to what it has.
    own.set(name, []);
    this.#depth += 1;
    const { value = literal(null), dependsOn = [] } = scope.outputs.get(name) ?? {};
    const names = this.#needed(value, dependsOn, scope);
    this.#depth -= 1;
    own.set(name, names);
    return names;
  }

  /** What an expression needs, through locals, the arguments of its module and outputs. Undefined: it is too much. */
  #needed(
    expression: Expression,
    dependsOn: readonly Dependency[],
    scope: Scope,
  ): readonly string[] | undefined {
    const names = new Set<string>();
    const followed = new Set<string>();
    const waiting = this.#referencesIn(expression).map((at) => ({ at, scope }));
    for (const dependency of dependsOn)
      for (const one of this.#namesAt(dependency, scope)) names.add(one);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { at, scope: inside } = next;
      const direct = this.#direct(at, inside);
      this.#left -= 1 + direct.length;
      if (this.#left < 0) return undefined;
      for (const one of direct) names.add(one);
      const given = givenBy(at, inside);
      const what = JSON.stringify([inside.prefix, at.target]);
      if (given === undefined || followed.has(what)) continue;
      followed.add(what);
      if (followed.size > MAX_FOLLOWED) return undefined;
      for (const one of this.#referencesIn(given.expression))
        waiting.push({ at: one, scope: given.scope });
    }
    return [...names];
  }

  /** What a reference names itself. */
  #direct({ target, path }: ReferenceExpression, scope: Scope): readonly string[] {
    if (target.kind === "resource") return this.#namesAt({ address: target.address }, scope);
    return target.kind === "module"
      ? this.#namesAt({ address: `module.${target.name}`, path }, scope)
      : [];
  }
}

/** The expression for which a name of a module stands. */
function givenBy({ target }: ReferenceExpression, scope: Scope): Bound | undefined {
  const { home } = scope;
  if (target.kind === "local") {
    const local = home.locals.get(target.name);
    return local && { expression: local.value, scope: home };
  }
  const argument = target.kind === "variable" ? home.caller?.settings.get(target.name) : undefined;
  return argument && home.caller && { expression: argument, scope: home.caller.scope };
}
