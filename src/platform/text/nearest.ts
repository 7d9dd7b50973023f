const MAX_LENGTH = 80;

/**
 * The candidate closest to a misspelled name; undefined when none is close. Ignores case; at most a third of the
 * characters (at least one) may differ. Returns undefined for names longer than 80 characters.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance && distance < Math.max(wanted.length, candidate.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The optimal string alignment distance of two texts, or any number of at least `limit` when the distance reaches
 * `limit`. Computes only the cells within `limit` of the diagonal.
 */
function editDistance(a: string, b: string, limit: number): number {
  const width = b.length + 1;
  let beforeLast = new Uint8Array(width);
  let last = Uint8Array.from({ length: width }, (_, column) => column);
  let current = new Uint8Array(width);
  for (let row = 1; row <= a.length; row++) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    current.fill(MAX_LENGTH + 1);
    if (from === 1) current[0] = row;
    let least = current[from - 1] ?? row;
    for (let column = from; column <= to; column++) {
      const [left, right] = [a.charCodeAt(row - 1), b.charCodeAt(column - 1)];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (left === right ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        left === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === right
      )
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length] ?? limit;
}
