/** The former names of a draft's resources, by Terraform's `moved` blocks. */
import type { Scope } from "#importers/evaluate/scope.ts";
import { spelled } from "./values/draft-names.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";
import { nameInDraft } from "./values/name-in-draft.ts";

/** The names that a draft of the former code gives to the resource. */
export function formerNames({ name, scope, source }: DraftedResource): string[] {
  const names = new Set<string>();
  let address = source.address;
  for (let at: Scope | undefined = scope.home; at !== undefined; at = at.caller?.scope.home) {
    for (const { from, to } of at.module.moves ?? []) {
      const rest = address.slice(to.length);
      if (!address.startsWith(to) || !(rest === "" || /^[.[]/.test(rest))) continue;
      const former = nameOfAddress(`${at.prefix}${from}${rest}`);
      if (former !== undefined && former !== name) names.add(former);
    }
    const above = at.caller?.scope.home.prefix ?? "";
    address = `${at.prefix.slice(above.length)}${address}`;
  }
  return [...names];
}

/** The name in a draft of the resource at an address from the root; undefined for a whole module. */
function nameOfAddress(address: string): string | undefined {
  const steps = [...address.matchAll(/([A-Za-z_][\w-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g)];
  const around: string[] = [];
  const words: string[] = [];
  for (const [, word, index, key] of steps)
    if (word !== undefined) words.push(word);
    else around.push(key ?? labelOf(Number(index)));
  const [type, name, ...more] = words.filter((word) => word !== "module").slice(-2);
  const calls = words.slice(0, -2).filter((word) => word !== "module");
  if (type === undefined || name === undefined || more.length > 0 || words.at(-2) === "module")
    return undefined;
  const own = address.endsWith("]") ? (around.pop() ?? "") : "";
  const label = calls
    .flatMap((call, at) => [call, around[at] ?? ""])
    .join(" ")
    .trim();
  return spelled(`${nameInDraft({ type, name }, label)} ${own}`);
}

/** The first of several has no number in the address of an only one. */
function labelOf(index: number): string {
  return index === 0 ? "" : String(index + 1);
}
