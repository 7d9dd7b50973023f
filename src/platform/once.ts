/**
 * What `make` makes, made when first asked for and kept. The value is kept and never its promise: a promise whose
 * request ends before it settles never does, and whoever else of the isolate waits for it waits for ever. Asked
 * several times at once, it may make several and keeps the last.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: { value: T } | undefined;
  return async () => {
    made ??= { value: await make() };
    return made.value;
  };
}
