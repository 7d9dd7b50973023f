/**
 * Asks a Durable Object, and once more if that fails: an object that just died, after a release say, is back soon. Each
 * time with a new stub, since a stub stays broken after its object died. `ask` is safe to repeat.
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
