/** At once, after 35 s (when a crashed run counts as stalled), and then every minute. */
export function delayMsBefore(nth: number): number {
  return [0, 35_000][nth] ?? 60_000;
}

/**
 * Calls the service's scheduled handler, which `wrangler dev` does not do on its own, until `signal` aborts. `key` is the
 * service's `SCHEDULED_HANDLER_KEY`, in letters, digits, `-` and `_`. Never runs
 * two calls concurrently; a failed call is reported and does not delay the next.
 */
export async function fireScheduledHandler(
  { address, key }: { address: string; key: string },
  signal: AbortSignal,
  onProblem: (sentence: string) => void,
): Promise<void> {
  for (let nth = 0; !signal.aborted; nth += 1) {
    if (!(await pause(delayMsBefore(nth), signal))) return;
    try {
      const response = await fetch(`${address}/cdn-cgi/local/scheduled?cron=${key}`, { signal });
      await response.text();
      if (!response.ok)
        onProblem(`The scheduled handler answered ${response.status}: see the errors above.`);
    } catch (error) {
      if (!signal.aborted)
        onProblem(`The scheduled handler could not be called: ${String(error)}.`);
    }
  }
}

/** Returns false if `signal` aborted. */
function pause(delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const over = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(over, delayMs);
    signal.addEventListener("abort", over);
  });
}
