/** Longer than any cloud's; every request, state and log line has the id. */
const MAX_ID_LENGTH = 2_000;

/** The id in an answer as text; undefined: there is none, or one that could not be stored, told or sent back as it is. */
export function usableId(id: unknown): string | undefined {
  // Beyond these, JSON has made another number of it.
  if (typeof id === "number") return Number.isSafeInteger(id) ? String(id) : undefined;
  return typeof id === "string" && isUsable(id) ? id : undefined;
}

function isUsable(id: string): boolean {
  return id !== "" && id.length <= MAX_ID_LENGTH && id.isWellFormed() && !/\p{Cc}/u.test(id);
}
