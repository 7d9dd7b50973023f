/** Formats epoch milliseconds for responses and events: ISO 8601, UTC. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
