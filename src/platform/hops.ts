/**
 * The length of a chain of deployments that start each other, across webhooks: each delivery says how long its chain
 * is, and a hook that is called with it carries it on. Only a hint, for a relay in between can drop it: it ends loops
 * that nobody wants and is no protection from callers.
 */
export const HOPS_HEADER = "control-api-hops";

/**
 * The highest number in the header, which has several where a relay adds one of its own; at most `limit`, which also
 * stands for whatever is not a number: a loop must not go on because its count was garbled. 0 when it is missing or
 * empty.
 */
export function parseHops(header: string | undefined, limit: number): number {
  const counts = (header ?? "")
    .split(",")
    .map((count) => count.trim())
    .filter((count) => count !== "")
    .map((count) => (/^[0-9]+$/.test(count) ? Number(count) : limit));
  return Math.min(
    limit,
    counts.reduce((highest, count) => Math.max(highest, count), 0),
  );
}
