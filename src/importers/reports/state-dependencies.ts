import type { JsonMap } from "#platform/json.ts";
import { planDependencies } from "./plan-dependencies.ts";
import type { StateResource } from "./state-resources.ts";
import { indexKey } from "./terraform-address.ts";

/** The maximum number of instances for one dependency. All instances of two large resources would be quadratic. */
const MAX_INSTANCES = 16;
/** The maximum number of dependencies of one instance. */
const MAX_DEPENDENCIES = 200;

/** The dependencies between the instances of a state or plan, as addresses of instances. */
export class Dependencies {
  readonly #instances = new Map<string, string[]>();
  readonly #planned: ReadonlyMap<string, readonly string[]>;

  constructor(all: readonly StateResource[], document: JsonMap) {
    for (const instance of all)
      for (const key of keysOf(instance, withoutIndexes(instance.configAddress))) {
        const before = this.#instances.get(key);
        if (before === undefined) this.#instances.set(key, [instance.address]);
        else before.push(instance.address);
      }
    this.#planned = planDependencies(document);
  }

  /**
   * The dependencies of an instance. A dependency has no index. It leads to the instance of the same module and index,
   * else to the instances of the same module, else to all: to at most 16.
   */
  of(instance: StateResource): readonly string[] {
    const named = new Set([
      ...instance.dependencies,
      ...(this.#planned.get(withoutIndexes(instance.configAddress)) ?? []),
    ]);
    const found = new Set<string>();
    for (const dependency of [...named].slice(0, MAX_DEPENDENCIES)) {
      const key = keysOf(instance, dependency).find((one) => this.#instances.has(one)) ?? "";
      for (const address of this.#instances.get(key)?.slice(0, MAX_INSTANCES) ?? [])
        found.add(address);
    }
    found.delete(instance.address);
    return [...found];
  }
}

/** The keys under which an instance is found, the narrowest first. */
function keysOf({ module, index }: StateResource, address: string): readonly string[] {
  const inModule = `${module}\n${address}`;
  return index === undefined
    ? [inModule, address]
    : [`${inModule}\n${indexKey(index)}`, inModule, address];
}

/** `module.net["eu"].aws_vpc.this` becomes `module.net.aws_vpc.this`. */
function withoutIndexes(address: string): string {
  return address.replaceAll(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "");
}
