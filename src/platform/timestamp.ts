/** Epoch milliseconds as answers and events show time: ISO 8601, UTC. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
