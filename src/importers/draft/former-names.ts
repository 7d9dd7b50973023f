/** The former names of a draft's resources, by Terraform's `moved` blocks. */
import type { Scope } from "#importers/evaluate/scope.ts";
import { spelled } from "./values/draft-names.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";
import { nameInDraft } from "./values/name-in-draft.ts";

/** The limit of aliases. */
const MAX_ADDRESSES = 100;

/** The names that a draft of the former code gives to the resource. */
export function formerNames({ name, scope, source }: DraftedResource): string[] {
  const moves = movesAround(scope);
  const addresses = new Set([`${scope.prefix}${source.address}`]);
  // A move may lead to the start of another one. The set grows while it is read.
  for (const address of addresses)
    for (const { from, to } of moves) {
      const rest = address.slice(to.length);
      const isMoved = address.startsWith(to) && (rest === "" || /^[.[]/.test(rest));
      if (isMoved && addresses.size <= MAX_ADDRESSES) addresses.add(`${from}${rest}`);
    }
  const names = [...addresses].slice(1).flatMap((address) => nameOfAddress(address) ?? []);
  return [...new Set(names)].filter((former) => former !== name);
}

/** The moves of a module and its callers, with addresses from the root. */
function movesAround(scope: Scope): { from: string; to: string }[] {
  const found: { from: string; to: string }[] = [];
  for (let at: Scope | undefined = scope.home; at !== undefined; at = at.caller?.scope.home)
    for (const { from, to } of at.module.moves ?? [])
      found.push({ from: `${at.prefix}${from}`, to: `${at.prefix}${to}` });
  return found;
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
