import { describe, expect, it } from "vitest";
import { faultOf } from "./deployment-faults.ts";

describe("the fault of a failed deployment", () => {
  it("is the provider's word, else the table's, else `provider`", () => {
    expect(faultOf({ code: "internal", fault: "provider" })).toBe("provider");
    expect(faultOf({ code: "internal" })).toBe("service");
    expect(faultOf({ code: "template_invalid" })).toBe("user");
    expect(faultOf({ code: "SomethingOfACloud" })).toBe("provider");
    expect(faultOf({ code: "constructor" })).toBe("provider");
  });
});
