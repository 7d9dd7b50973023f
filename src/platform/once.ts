/**
 * Calls `make` on first use and caches the value. Never caches the promise: if its request ends first, it stays pending
 * for ever, and every other request of the isolate that awaits it would hang. Concurrent first uses may each call
 * `make`; the last value is kept.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: { value: T } | undefined;
  return async () => {
    made ??= { value: await make() };
    return made.value;
  };
}
