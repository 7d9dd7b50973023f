/**
 * The length of a chain of deployments that start each other, across webhooks: each delivery says how long its chain
 * is, and a hook that is called with it carries it on. Only a hint, for a relay in between can drop it: it ends loops
 * that nobody wants and is no protection from callers.
 */
export const HOPS_HEADER = "control-api-hops";

/** Parses the header; 0 when it is missing or malformed. */
export function parseHops(header: string | undefined): number {
  return /^[0-9]{1,4}$/.test(header ?? "") ? Number(header) : 0;
}
