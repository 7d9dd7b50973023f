/**
 * The columns of a row that differ from those before, for an UPDATE. SQLite writes every index of a column that an
 * UPDATE sets, even to the same value, and each is billed as a row.
 */
export function changedColumns<T extends object>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown>)[name]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
