/** What objects of the draft wait for because the source says so, for them or for the module around them. */
import type { ChosenResources } from "./chosen-resources.ts";
import { eachInstance } from "./scopes/instances.ts";
import type { Scope } from "./scopes/scope.ts";
import type { DraftGap } from "./values/draft.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";

/**
 * Names that one call of a module makes the draft repeat: each object of the module lists each that it waits for, and
 * more would take the place of resources in the text of a template.
 */
const MAX_NAMES_OF_CALL = 2_000;

export class ExplicitWaits {
  /** Calls whose waits the draft cannot say. */
  readonly gaps: DraftGap[] = [];
  readonly #chosen: ChosenResources;
  readonly #ofScope = new Map<Scope, readonly string[]>();

  constructor(chosen: ChosenResources) {
    this.#chosen = chosen;
  }

  /** The names in the draft. What an object has beside it waits for that object. */
  of({ source, scope, path }: DraftedResource): readonly string[] {
    if (path !== undefined) return [];
    const own = source.dependsOn.flatMap(({ address }) => this.#namesAt(address, scope));
    return [...own, ...this.#aroundOf(scope.home)];
  }

  /** What all of a module waits for. */
  #aroundOf(scope: Scope): readonly string[] {
    const { caller, prefix } = scope;
    if (caller === undefined) return [];
    const known = this.#ofScope.get(scope);
    if (known !== undefined) return known;
    const { call, scope: around } = caller;
    const addresses = new Set(call.dependsOn.map(({ address }) => address));
    const names = new Set([...addresses].flatMap((address) => this.#namesAt(address, around)));
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

  /** What an address stands for: a resource, or all that a module has. */
  #namesAt(address: string, scope: Scope): string[] {
    const { drafted, byScope } = this.#chosen;
    const source = scope.home.resources.get(address);
    const instances = source && scope.decided.instances(source, scope);
    if (instances !== undefined)
      return eachInstance(instances, scope.home).flatMap(({ key }) => {
        const own = byScope.get(scope.home)?.get(`${address}${key}`);
        return own === undefined ? [] : [own, ...own.beside].map(({ name }) => name);
      });
    const call = /^module\.([^.[]+)/.exec(address)?.[1];
    if (call === undefined || !scope.home.calls.has(call)) return [];
    const below = `${scope.prefix}${address}`;
    return drafted
      .filter(
        ({ scope: { prefix } }) =>
          prefix.startsWith(below) && /[.[]/.test(prefix.charAt(below.length)),
      )
      .map(({ name }) => name);
  }
}
