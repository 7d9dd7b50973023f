/**
 * The length of a chain of deployments that start each other, across webhooks. Each delivery carries the length of its
 * chain, and a hook that is called with it passes it on. Only a hint, since a relay in between can drop it. It ends
 * unwanted loops, and does not protect from callers.
 */
export const HOPS_HEADER = "control-api-hops";

/**
 * The highest number in the header, which has several if a relay adds its own; at most `limit`. A value that is not a
 * number counts as `limit`, so that a loop does not continue because its count was garbled. 0 when the header is
 * missing or empty.
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
