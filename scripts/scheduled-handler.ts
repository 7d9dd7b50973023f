/** At once, after 35 s (a run that a crash left counts as stalled by then), and every minute from there. */
export function delayMsBefore(nth: number): number {
  return [0, 35_000][nth] ?? 60_000;
}

/**
 * Fires the service's scheduled handler, which a local `wrangler dev` never does by itself, until `signal` aborts.
 * Never two at a time; one that fails is reported and does not keep the next from its time.
 */
export async function fireScheduledHandler(
  address: string,
  signal: AbortSignal,
  onProblem: (sentence: string) => void,
): Promise<void> {
  for (let nth = 0; !signal.aborted; nth += 1) {
    if (!(await pause(delayMsBefore(nth), signal))) return;
    try {
      const response = await fetch(`${address}/cdn-cgi/local/scheduled`, { signal });
      await response.text();
      if (!response.ok)
        onProblem(`The scheduled handler answered ${response.status}: see the errors above.`);
    } catch (error) {
      if (!signal.aborted) onProblem(`The scheduled handler could not be fired: ${String(error)}.`);
    }
  }
}

/** False when `signal` aborted meanwhile. */
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
