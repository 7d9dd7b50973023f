import { describe, expect, it } from "vitest";
import { isStillProvider } from "./session-provider.ts";

const [one, two] = ["11111111-2222-3333-4444-55555555555a", "22222222-2222-3333-4444-555555555555"];
const entra = "https://login.example.com/{tenantid}/v2.0";
const of = (tenant: string | undefined) => entra.replace("{tenantid}", tenant ?? "");
const plain = { id: "sso", issuer: "https://id.example.com" };
const many = { id: "sso", issuer: entra };

describe("isStillProvider", () => {
  it.each<[string, unknown, string, boolean]>([
    ["is listed", [plain], plain.issuer, true],
    ["is listed among others", [{ id: "x" }, null, 7, plain], plain.issuer, true],
    ["is not listed", [{ ...plain, id: "other" }], plain.issuer, false],
    ["is missing from an empty list", [], plain.issuer, false],
    [
      "has another issuer under the same id",
      [{ ...plain, issuer: "https://new.example" }],
      plain.issuer,
      false,
    ],
    ["has no issuer in the setting", [{ id: "sso" }], plain.issuer, true],
    ["allows the tenant", [{ ...many, tenants: [two, one] }], of(one), true],
    ["allows the tenant in capitals", [{ ...many, tenants: [one?.toUpperCase()] }], of(one), true],
    ["allows any tenant", [{ ...many, tenants: "any" }], of(two), true],
    ["no longer allows the tenant", [{ ...many, tenants: [two] }], of(one), false],
    [
      "allows any tenant, for an id that is none",
      [{ ...many, tenants: "any" }],
      of("../common"),
      false,
    ],
    ["allows no tenant", [many], of(one), false],
    ["has another host", [{ ...many, tenants: "any" }], plain.issuer, false],
    ["is in a setting that is no list", { sso: plain }, plain.issuer, true],
  ])("for a provider that %s", (_, setting, issuer, isStill) => {
    expect(isStillProvider(JSON.stringify(setting), { id: "sso", issuer })).toBe(isStill);
  });

  it.each([
    [undefined, false],
    ["", false],
    ["{", true],
    ["null", true],
  ])("for the setting %j is %s", (setting, isStill) => {
    expect(isStillProvider(setting, { id: "sso", issuer: plain.issuer })).toBe(isStill);
  });
});
