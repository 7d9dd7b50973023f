/**
 * Failures outside this object or request: of the database, another object, storage or the network. The same request
 * may succeed later. Any other failure is likely to repeat.
 */
const failures = new WeakSet<object>();

/** Makes a request to the outside. Rethrows a failure unchanged, and `isFromOutside` recognizes it. */
export async function outside<T>(request: () => PromiseLike<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (typeof error === "object" && error !== null) failures.add(error);
    throw error;
  }
}

/** The same object. Each call of its methods counts as a request to the outside. */
export function outsideObject<T extends object>(object: T): T {
  return new Proxy(object, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      // Called on the object itself, because the methods of a stub do not work on another object.
      return (...args: unknown[]) =>
        outside(
          () =>
            (target as Record<PropertyKey, (...args: unknown[]) => PromiseLike<unknown>>)[name]?.(
              ...args,
            ) as PromiseLike<unknown>,
        );
    },
  });
}

/** Whether the error, or one of its causes, is a failure of the outside. */
export function isFromOutside(error: unknown): boolean {
  for (
    let at = error;
    typeof at === "object" && at !== null;
    at = at instanceof Error ? at.cause : undefined
  )
    if (failures.has(at)) return true;
  return false;
}
