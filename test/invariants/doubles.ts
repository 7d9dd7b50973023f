interface LedgerEntry {
  verb: "create" | "update" | "delete";
  collection: string;
  name: string;
}

/** Names that two objects had at the same time, by a cloud's ledger. */
export function doubledNames(ledger: readonly LedgerEntry[]): string[] {
  const living = new Set<string>();
  const doubled: string[] = [];
  for (const { verb, collection, name } of ledger) {
    const place = `${collection} ${name}`;
    if (verb === "create" && living.has(place)) doubled.push(place);
    if (verb === "create") living.add(place);
    if (verb === "delete") living.delete(place);
  }
  return doubled;
}
