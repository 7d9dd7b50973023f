import { ApiError } from "#kernel/errors.ts";

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === "conflict";
}

/**
 * Runs `attempt` up to `tries` times while it fails with `conflict`: the rows changed between its read and its commit.
 * Each attempt must read again. Throws the last error.
 */
export async function retryOnConflict<T>(tries: number, attempt: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left -= 1)
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !isConflict(error)) throw error;
    }
}
