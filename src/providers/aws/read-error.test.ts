import { describe, expect, it } from "vitest";
import { meaningOf } from "./read-error.ts";

describe("a refused delete of AWS", () => {
  it.each([
    "The Cluster cannot be deleted while Tasks are active",
    "Network vpc-1 has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.",
    "resource sg-1 has a dependent object",
    "Network interface eni-1 is currently in use.",
  ])("waits for what uses the object: %s", (message) => {
    expect(meaningOf("GeneralServiceException", message, "DELETE")).toBe("busy");
    expect(meaningOf("GeneralServiceException", message, "CREATE")).toBeUndefined();
  });
});
