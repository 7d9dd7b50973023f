import { describe, expect, it } from "vitest";
import { isStillProvider } from "./session-provider.ts";

const [one, two] = ["11111111-2222-3333-4444-55555555555a", "22222222-2222-3333-4444-555555555555"];
const entra = "https://login.example.com/{tenantid}/v2.0";
const of = (tenant: string | undefined) => entra.replace("{tenantid}", tenant ?? "");
const plain = { id: "sso", issuer: "https://id.example.com" };
const many = { id: "sso", issuer: entra };

describe("isStillProvider", () => {
  it.each<[string, unknown, string, boolean]>([
    ["is there", [plain], plain.issuer, true],
    ["is there among others", [{ id: "x" }, null, 7, plain], plain.issuer, true],
    ["is gone", [{ ...plain, id: "other" }], plain.issuer, false],
    ["is gone with all others", [], plain.issuer, false],
    [
      "is another by the same id",
      [{ ...plain, issuer: "https://new.example" }],
      plain.issuer,
      false,
    ],
    ["has no issuer that can be read", [{ id: "sso" }], plain.issuer, true],
    ["lets the tenant in", [{ ...many, tenants: [two, one] }], of(one), true],
    ["spells it in capitals", [{ ...many, tenants: [one?.toUpperCase()] }], of(one), true],
    ["lets any in", [{ ...many, tenants: "any" }], of(two), true],
    ["lets the tenant in no more", [{ ...many, tenants: [two] }], of(one), false],
    ["lets any in that is one", [{ ...many, tenants: "any" }], of("../common"), false],
    ["lets nobody in", [many], of(one), false],
    ["is of another host", [{ ...many, tenants: "any" }], plain.issuer, false],
    ["is in no list", { sso: plain }, plain.issuer, true],
  ])("of one that %s", (_, setting, issuer, isStill) => {
    expect(isStillProvider(JSON.stringify(setting), { id: "sso", issuer })).toBe(isStill);
  });

  it.each([
    [undefined, false],
    ["", false],
    ["{", true],
    ["null", true],
  ])("of the setting %j: %s", (setting, isStill) => {
    expect(isStillProvider(setting, { id: "sso", issuer: plain.issuer })).toBe(isStill);
  });
});
