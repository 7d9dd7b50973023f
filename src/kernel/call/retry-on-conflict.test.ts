import { describe, expect, it, vi } from "vitest";
import { ApiError } from "#kernel/errors.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

const conflict = new ApiError("conflict", "Changed at the same time.");

describe("retryOnConflict", () => {
  it("runs again after a conflict, and returns the first success", async () => {
    const attempt = vi.fn<() => Promise<string>>();
    attempt.mockRejectedValueOnce(conflict).mockResolvedValueOnce("done");
    expect(await retryOnConflict(3, attempt)).toBe("done");
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  it("gives up after the given number of tries", async () => {
    const attempt = vi.fn<() => Promise<string>>().mockRejectedValue(conflict);
    await expect(retryOnConflict(3, attempt)).rejects.toBe(conflict);
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it("does not repeat any other failure", async () => {
    const attempt = vi.fn<() => Promise<string>>().mockRejectedValue(new Error("a bug"));
    await expect(retryOnConflict(3, attempt)).rejects.toThrow("a bug");
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});
