import { ApiError } from "#kernel/errors.ts";

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === "conflict";
}

/**
 * Runs `attempt` again, at most `tries` times in all, while it fails because somebody else changed the same rows
 * between its read and its commit. Each attempt has to read anew. Throws the last error.
 */
export async function retryOnConflict<T>(tries: number, attempt: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left -= 1)
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !isConflict(error)) throw error;
    }
}
