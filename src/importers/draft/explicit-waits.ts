/** The explicit dependencies of a draft's objects: their own, and those of the modules around them. */
import { eachInstance } from "#importers/evaluate/instances.ts";
import { type Given, type Name, Reach, type Target } from "#importers/evaluate/reach.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import type { ReferenceExpression } from "#importers/expression.ts";
import type { Dependency, SourceResource } from "#importers/source-module.ts";
import type { ChosenResources } from "./chosen-resources.ts";
import type { DraftGap } from "./values/draft.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";

/**
 * The maximum number of names for one module call. Each object of the module lists each dependency, and more would take
 * the place of resources in a template.
 */
const MAX_NAMES_OF_CALL = 2_000;

const nothing: Target<Scope> = { ids: [], names: [] };

export class ExplicitWaits {
  /** Calls with more dependencies than the draft can list. */
  readonly gaps: DraftGap[] = [];
  readonly #chosen: ChosenResources;
  readonly #ofScope = new Map<Scope, readonly string[]>();
  readonly #targets = new Map<Scope, Map<string, Target<Scope>>>();
  readonly #reach = new Reach<Scope>({
    ofReference: (reference, scope) => this.#ofReference(reference, scope.home),
    ofDependency: (dependency, scope) => this.#ofDependency(dependency, scope.home),
  });

  constructor(chosen: ChosenResources) {
    this.#chosen = chosen;
  }

  /** The names of an object's dependencies. An object beside a resource depends only on that resource. */
  of({ source, scope, path }: DraftedResource): readonly string[] {
    if (path !== undefined) return [];
    const own = source.dependsOn.flatMap((dependency) => {
      const { names, isWhole } = this.#namesAt(dependency, scope);
      if (!isWhole)
        this.gaps.push({
          address: `${scope.prefix}${source.address}`,
          file: dependency.file ?? source.file,
          line: dependency.line,
          path: "depends_on",
          code: "too_many",
          reason: "Too many names lead to what it waits for: some may be missing.",
        });
      return names;
    });
    return [...own, ...this.#aroundOf(scope.home)];
  }

  /** The dependencies of a whole module. */
  #aroundOf(scope: Scope): readonly string[] {
    const { caller, prefix } = scope;
    if (caller === undefined) return [];
    const known = this.#ofScope.get(scope);
    if (known !== undefined) return known;
    const { call, scope: around } = caller;
    const names = new Set(call.dependsOn.flatMap((one) => this.#namesAt(one, around).names));
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

  /** The names behind a dependency. Where an output leads to too many, the whole module is the dependency. */
  #namesAt(
    dependency: Dependency,
    { home }: Scope,
  ): { names: readonly string[]; isWhole: boolean } {
    const { ids, names } = this.#ofDependency(dependency, home);
    const behind = names.map((name) => this.#reach.behind(name));
    const isWhole = behind.every((one) => one.isWhole);
    if (!isWhole && dependency.address.startsWith("module."))
      return { names: this.#below(dependency.address, home).ids, isWhole: true };
    return { names: [...new Set([...ids, ...behind.flatMap((one) => [...one.ids])])], isWhole };
  }

  #ofReference({ target, path }: ReferenceExpression, home: Scope): Target<Scope> {
    switch (target.kind) {
      case "resource":
        return this.#ofDependency({ address: target.address }, home);
      case "module":
        return this.#ofDependency({ address: `module.${target.name}`, path }, home);
      case "local":
        return this.#once(home, `local.${target.name}`, () => {
          const local = home.locals.get(target.name);
          return local === undefined ? nothing : named([local.value], [], home);
        });
      case "variable":
        return this.#once(home, `var.${target.name}`, () => {
          const argument = home.caller?.settings.get(target.name);
          return argument === undefined || home.caller === undefined
            ? nothing
            : named([argument], [], home.caller.scope);
        });
      case "item":
      case "each":
      case "count":
        return nothing;
    }
  }

  /** A resource, the sources of a module's output, or everything in a module. */
  #ofDependency({ address, path = [] }: Pick<Dependency, "address" | "path">, home: Scope) {
    const output = path.map(String).join(" ");
    return this.#once(home, `${address} ${output}`, () => {
      const source = home.resources.get(address);
      if (source !== undefined) return this.#ofResource(source, address, home);
      const part = this.#chosen.byScope.get(home)?.get(address);
      if (part !== undefined) return { ids: [part.name], names: [] };
      const call = /^module\.([^.[]+)/.exec(address)?.[1];
      if (call === undefined || !home.calls.has(call)) return nothing;
      return this.#ofOutput(call, path.map(String), home) ?? this.#below(address, home);
    });
  }

  /** A resource that the draft lacks, such as `time_sleep` or a data source, is replaced by what it needs. */
  #ofResource(source: SourceResource, address: string, home: Scope): Target<Scope> {
    const made = this.#chosen.byScope.get(home);
    const instances = home.decided.instances(source, home);
    const keys = instances === undefined ? [] : eachInstance(instances, home).map(({ key }) => key);
    const own = [...new Set(["", ...keys])].flatMap((key) => made?.get(`${address}${key}`) ?? []);
    if (own.length > 0)
      return { ids: own.flatMap((one) => [one, ...one.beside].map(({ name }) => name)), names: [] };
    const { settings, count, forEach, dependsOn } = source;
    const given = [settings, count, forEach].filter((one) => one !== undefined);
    return named(given, dependsOn, home);
  }

  /** The output of each instance of a call. Undefined: the path names none. */
  #ofOutput(call: string, path: readonly string[], home: Scope): Target<Scope> | undefined {
    const called = [...this.#chosen.byScope.keys()].filter(
      ({ caller }) => caller?.call.name === call && caller.scope.home === home,
    );
    const targets = called.map((scope) => {
      const output = scope.outputs.get(path.find((step) => scope.outputs.has(step)) ?? "");
      return (
        output &&
        this.#once(scope, `output.${output.name}`, () =>
          named([output.value], output.dependsOn ?? [], scope),
        )
      );
    });
    if (targets.length === 0 || targets.includes(undefined)) return undefined;
    return { ids: [], names: targets.flatMap((target) => target?.names ?? []) };
  }

  /** Everything in a module and in those below it. */
  #below(address: string, home: Scope): Target<Scope> {
    const below = `${home.prefix}${address}`;
    const ids = this.#chosen.drafted
      .filter(
        ({ scope: { prefix } }) =>
          prefix.startsWith(below) && /[.[]/.test(prefix.charAt(below.length)),
      )
      .map(({ name }) => name);
    return { ids, names: [] };
  }

  #once(scope: Scope, key: string, make: () => Target<Scope>): Target<Scope> {
    const own = this.#targets.get(scope) ?? new Map<string, Target<Scope>>();
    this.#targets.set(scope, own);
    const target = own.get(key) ?? make();
    own.set(key, target);
    return target;
  }
}

function named(
  expressions: Given<Scope>["expressions"],
  dependsOn: readonly Dependency[],
  place: Scope,
): Target<Scope> {
  const name: Name<Scope> = { given: [{ expressions, dependsOn, place }] };
  return { ids: [], names: [name] };
}
