const RETRY_BASE_MS = 500;
const RETRY_MAX_MS = 30_000;

/** Delay between the attempts of one call: 0.5 s, doubled, at most 30 s, ±20 %; not less than the provider asks for. */
export function retryDelayMs(
  retries: number,
  random: number,
  minimumMs: number | undefined,
): number {
  const base = Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** Math.min(retries, 10));
  const leastMs = minimumMs !== undefined && Number.isFinite(minimumMs) ? minimumMs : 0;
  return Math.max(Math.round(base * (0.8 + 0.4 * random)), leastMs);
}
