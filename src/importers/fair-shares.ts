/**
 * Shares the limits of an import among its files and modules. A small one has its whole part. The large ones share the
 * rest evenly, so a large file takes nothing from a small one.
 */

/** The shares of an amount in whole units, in the order of the wishes. No share exceeds its wish. */
export function fairShares(wanted: readonly number[], amount: number): number[] {
  const shares = wanted.map(() => 0);
  let left = amount;
  let waiting = wanted.length;
  for (const [at, wish] of smallFirst([...wanted.entries()], ([, wish]) => wish)) {
    const share = Math.min(wish, Math.ceil(left / waiting));
    shares[at] = share;
    left -= share;
    waiting -= 1;
  }
  return shares;
}

/** The first items of each group, so many in all at most. */
export function inShares<T>(groups: readonly (readonly T[])[], amount: number): T[][] {
  const shares = fairShares(
    groups.map(({ length }) => length),
    amount,
  );
  return groups.map((items, at) => items.slice(0, shares[at]));
}

/** The order in which indivisible items take what is left of a limit. Items of one size keep their order. */
export function smallFirst<T>(items: readonly T[], sizeOf: (item: T) => number): T[] {
  return items.toSorted((a, b) => sizeOf(a) - sizeOf(b));
}
