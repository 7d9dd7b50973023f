import { describe, expect, it } from "vitest";
import { missingTargets } from "./missing-targets.ts";

const resource = (name: string, type: string) => ({ name, type, dependsOn: [] });

describe("missingTargets", () => {
  it("warns once of each provider without a target, at the first resource that needs it", () => {
    const warnings = missingTargets(
      [
        resource("net", "mock:Network"),
        resource("a/b~c", "vultr:Vpc"),
        resource("vm", "vultr:Instance"),
        resource("site", "vercel:Project"),
      ],
      new Set(["mock"]),
    );
    expect(warnings.map(({ code, severity, path }) => [code, severity, path])).toEqual([
      ["no_target", "warning", "/resources/a~1b~0c/type"],
      ["no_target", "warning", "/resources/site/type"],
    ]);
    expect(warnings[0]?.hint).toContain("vultr");
  });

  it("leaves a type of no provider to the check of types", () => {
    const unknown = ["nosuch:Thing", "mock", "", "__proto__:X"];
    expect(
      missingTargets(
        unknown.map((type) => resource("x", type)),
        new Set(),
      ),
    ).toEqual([]);
  });
});
