import { describe, expect, it } from "vitest";
import { meaningOf } from "./read-error.ts";

describe("a change that AWS refuses for a moment", () => {
  it("waits for an earlier change of the same bucket, also when it is made", () => {
    const message =
      "A conflicting conditional operation is currently in progress against this resource. Please try again.";
    for (const verb of ["CREATE", "UPDATE", "DELETE"] as const)
      expect(meaningOf("GeneralServiceException", message, verb)).toBe("busy");
  });

  it.each(["ServiceInternalError", "NetworkFailure"])("sends a change again after %s", (code) => {
    expect(meaningOf(code, "said", "UPDATE")).toBe("busy");
    expect(meaningOf(code, "said", "DELETE")).toBe("busy");
    // It may have made what nobody names.
    expect(meaningOf(code, "said", "CREATE")).not.toBe("busy");
  });
});

describe("a refused delete of AWS", () => {
  it.each([
    "The Cluster cannot be deleted while Tasks are active",
    "Network vpc-1 has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.",
    "resource sg-1 has a dependent object",
    "Network interface eni-1 is currently in use.",
    "Cannot delete the subnet group because at least one database instance: shop is still using it.",
  ])("waits for what uses the object: %s", (message) => {
    expect(meaningOf("GeneralServiceException", message, "DELETE")).toBe("busy");
    expect(meaningOf("GeneralServiceException", message, "CREATE")).toBeUndefined();
  });
});
