/** The explicit dependencies of a draft's objects: their own, and those of the modules around them. */
import { eachInstance } from "#importers/evaluate/instances.ts";
import type { Bound, Scope } from "#importers/evaluate/scope.ts";
import {
  type Expression,
  literal,
  referencesIn,
  type ReferenceExpression,
} from "#importers/expression.ts";
import type { Dependency, SourceResource } from "#importers/source-module.ts";
import type { ChosenResources } from "./chosen-resources.ts";
import type { DraftGap } from "./values/draft.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";

/**
 * The maximum number of names for one module call. Each object of the module lists each dependency, and more would take
 * the place of resources in a template.
 */
const MAX_NAMES_OF_CALL = 2_000;
/** The maximum number of names followed from one output. Beyond it, the whole module is a dependency. */
const MAX_FOLLOWED = 100;
/**
 * The maximum number of references and names followed from all outputs of a draft: each may read the same long list.
 */
const MAX_ALL_FOLLOWED = 500_000;
/** The maximum depth of outputs that refer to others. Real chains are short, and each level takes stack. */
const MAX_DEPTH = 50;

export class ExplicitWaits {
  /** Calls with more dependencies than the draft can list. */
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

  /** The names of an object's dependencies. An object beside a resource depends only on that resource. */
  of({ source, scope, path }: DraftedResource): readonly string[] {
    if (path !== undefined) return [];
    const own = source.dependsOn.flatMap((dependency) => this.#namesAt(dependency, scope));
    return [...own, ...this.#aroundOf(scope.home)];
  }

  /** The dependencies of a whole module. */
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

  /**
   * The names behind a dependency: of a resource, of the sources of a module's output, or of everything in a module.
   */
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

  /**
   * The names of a resource. A resource that the draft lacks, such as `time_sleep` or a data source, is replaced by its
   * dependencies. Undefined: the address is not a resource.
   */
  #namesOfResource(address: string, { home }: Scope): readonly string[] | undefined {
    const source = home.resources.get(address);
    const use = source === undefined ? this.#chosen.byScope.get(home)?.get(address) : undefined;
    if (source === undefined) return use && [use.name];
    const known = this.#ofResource.get(home) ?? new Map<string, readonly string[]>();
    this.#ofResource.set(home, known);
    const before = known.get(address);
    if (before !== undefined) return before;
    // A dependency on itself adds nothing.
    known.set(address, []);
    const made = this.#chosen.byScope.get(home);
    const instances = home.decided.instances(source, home);
    const keys = instances === undefined ? [] : eachInstance(instances, home).map(({ key }) => key);
    const own = [...new Set(["", ...keys])].flatMap((key) => made?.get(`${address}${key}`) ?? []);
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

  /** The references of an expression, without duplicates. */
  #referencesIn(expression: Expression): readonly ReferenceExpression[] {
    const known = this.#references.get(expression);
    if (known !== undefined) return known;
    const found = new Map<string, ReferenceExpression>();
    for (const one of referencesIn(expression)) {
      const { target, path } = one;
      // A dependency on a resource covers all of it.
      found.set(JSON.stringify(target.kind === "module" ? [target, path] : target), one);
    }
    const references = [...found.values()];
    this.#references.set(expression, references);
    return references;
  }

  /**
   * The names behind an output of each instance of a call. Undefined: the path names no output, or there are too many.
   */
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
    // An output that refers to itself adds nothing.
    own.set(name, []);
    this.#depth += 1;
    const { value = literal(null), dependsOn = [] } = scope.outputs.get(name) ?? {};
    const names = this.#needed(value, dependsOn, scope);
    this.#depth -= 1;
    own.set(name, names);
    return names;
  }

  /** The names that an expression needs, through locals, arguments and outputs. Undefined: there are too many. */
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

  /** The names that a reference leads to directly. */
  #direct({ target, path }: ReferenceExpression, scope: Scope): readonly string[] {
    if (target.kind === "resource") return this.#namesAt({ address: target.address }, scope);
    return target.kind === "module"
      ? this.#namesAt({ address: `module.${target.name}`, path }, scope)
      : [];
  }
}

/** The value of a local or an argument. */
function givenBy({ target }: ReferenceExpression, scope: Scope): Bound | undefined {
  const { home } = scope;
  if (target.kind === "local") {
    const local = home.locals.get(target.name);
    return local && { expression: local.value, scope: home };
  }
  const argument = target.kind === "variable" ? home.caller?.settings.get(target.name) : undefined;
  return argument && home.caller && { expression: argument, scope: home.caller.scope };
}
