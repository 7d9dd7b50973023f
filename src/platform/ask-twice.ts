/**
 * Asks a Durable Object, and once more if that fails: an object that just died, for example after a release, is back
 * soon. Each attempt uses a new stub, because a stub stays broken after its object died. `ask` is safe to repeat.
 */
export async function askTwice<S, T>(
  stubOf: () => S,
  ask: (stub: S) => Promise<T>,
  pauseMs = 0,
): Promise<T> {
  try {
    return await ask(stubOf());
  } catch {
    if (pauseMs > 0) await scheduler.wait(pauseMs);
    return ask(stubOf());
  }
}
