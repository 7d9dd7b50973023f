/** For what a repeated resource or module of the source stands: Terraform's `count` and `for_each`. */
import { type Expression, literal } from "#importers/expression.ts";
import { indexKey } from "#importers/reports/terraform-address.ts";
import type { ModuleCall, SourceResource } from "#importers/source-module.ts";
import { asNumber } from "./decided.ts";
import type { Bound, Decisions, Instances, Path, Scope } from "./scope.ts";

/** As many objects are written out one by one. */
const MAX_COUNT = 20;
const MAX_MEMBERS = 50;
const MAX_KEY = 200;

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

type Deciding = Pick<Decisions, "bound" | "decide">;

/** For what a resource or a call stands; undefined: the files do not decide it, or it is too many. */
export function instancesOf(
  { count, forEach, repeated }: SourceResource | ModuleCall,
  home: Scope,
  deciding: Deciding,
): Instances | undefined {
  if (forEach !== undefined) return membersOf(forEach, home, deciding);
  if (count === undefined) return repeated ? undefined : { kind: "one" };
  const number = asNumber(deciding.decide(deciding.bound(count, home)));
  const isUsable = number !== undefined && Number.isInteger(number) && number >= 0;
  return isUsable && number <= MAX_COUNT ? { kind: "count", count: number } : undefined;
}

function membersOf(given: Expression, home: Scope, deciding: Deciding): Instances | undefined {
  const of = deciding.decide(deciding.bound(given, home));
  const members =
    of?.kind === "map" ? of.members : of?.kind === "list" ? textsOf(of.items, deciding) : undefined;
  if (members === undefined || members.size > MAX_MEMBERS) return undefined;
  const isTooLong = [...members.keys()].some((key) => key.length > MAX_KEY);
  return isTooLong ? undefined : { kind: "each", members };
}

/** The items of a set of texts by themselves. */
function textsOf(items: readonly Bound[], deciding: Deciding): Map<string, Bound> | undefined {
  if (items.length > MAX_MEMBERS) return undefined;
  const members = new Map<string, Bound>();
  for (const item of items) {
    const one = deciding.decide(item);
    if (one?.kind !== "literal" || typeof one.value !== "string") return undefined;
    members.set(one.value, { expression: literal(one.value), scope: item.scope });
  }
  return members;
}
