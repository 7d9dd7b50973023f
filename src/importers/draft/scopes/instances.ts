import { indexKey } from "#importers/reports/terraform-address.ts";
/** For what a repeated resource or module of the source stands: Terraform's `count` and `for_each`. */
import type { Instances, Path, Scope } from "./scope.ts";

/** What an instance has of its own. */
export interface Instance {
  /** As an address has it: `[0]`, `["a"]`; empty for the only one. */
  key: string;
  /** What its name has of it: the number of several, or the key. */
  label: string;
  /** Where `count.index`, `each.key` and `each.value` are its own. */
  scope: Scope;
}

/** Each of the instances. */
export function eachInstance(instances: Instances, scope: Scope): Instance[] {
  switch (instances.kind) {
    case "one":
      return [{ key: "", label: "", scope }];
    case "count":
      return Array.from({ length: instances.count }, (_, index) => ({
        key: indexKey(index),
        label: instances.count === 1 ? "" : String(index + 1),
        scope: { ...scope, instance: { index } },
      }));
    case "each":
      return [...instances.members].map(([name, value]) => ({
        key: indexKey(name),
        label: name,
        scope: { ...scope, instance: { name, value } },
      }));
  }
}

/** Which instance a path reads, and what of it; undefined: there is none such. */
export function instanceAt(
  instances: Instances,
  path: Path,
): { key: string; rest: Path } | undefined {
  const [step, ...rest] = path;
  switch (instances.kind) {
    case "one":
      return { key: "", rest: path };
    case "count": {
      const isIndex = /^\d{1,9}$/.test(String(step));
      if (isIndex)
        return Number(step) < instances.count ? { key: indexKey(Number(step)), rest } : undefined;
      // The only one may be read without its index, as code of old versions does.
      return instances.count === 1 ? { key: indexKey(0), rest: path } : undefined;
    }
    case "each":
      return typeof step === "string" && instances.members.has(step)
        ? { key: indexKey(step), rest }
        : undefined;
  }
}
