import { describe, expect, it } from "vitest";
import { verifyLicense } from "#areas/license/verify-license.ts";
import { issueLicense, newLicenseKeys } from "./license.ts";

const END_MS = Date.UTC(2100, 0, 1);
const terms = {
  id: "license-1",
  plan: "team",
  limits: {},
  features: [],
  expiresAtMs: END_MS,
} as const;

describe("an issued license", () => {
  it("is valid for the service with its public key only", async () => {
    const [keys, others] = [await newLicenseKeys(), await newLicenseKeys()];
    const full = {
      ...terms,
      licensee: "Acme",
      limits: { instances: 5, members: null },
      features: ["sso"],
      notBeforeMs: END_MS - 1000,
    };
    const token = await issueLicense(full, keys.privateKey);
    expect(await verifyLicense(token, keys.publicKey)).toEqual({ kind: "license", license: full });
    expect(await verifyLicense(token, others.publicKey)).toMatchObject({ kind: "invalid" });
    expect(keys.publicKey).not.toContain('"d"');
    expect(token).not.toContain("\n");
  });

  it("is not issued if the service would reject it", async () => {
    const { privateKey } = await newLicenseKeys();
    const wrong = { ...terms, plan: "galaxy" as "team" };
    await expect(issueLicense(wrong, privateKey)).rejects.toThrow("plan");
    await expect(issueLicense({ ...terms, id: "" }, privateKey)).rejects.toThrow("jti");
    await expect(issueLicense({ ...terms, expiresAtMs: 9e15 }, privateKey)).rejects.toThrow("exp");
  });
});
