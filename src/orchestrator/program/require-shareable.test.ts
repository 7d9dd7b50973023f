import { expect, it } from "vitest";
import { providerNames } from "#schema/lists/provider-names.ts";
import { ProgramError } from "./program-error.ts";
import { requireShareable, separatesByRows } from "./require-shareable.ts";

const shared = { tenantId: "platform", name: "cloud", provider: "aws", config: {} };
const deploy = { tenantId: "t-1", operation: "deploy" } as const;

it.for(["deploy", "plan", "rollback"] as const)(
  "refuses a %s at an account that tenants share",
  (operation) => {
    expect(() => requireShareable(shared, { ...deploy, operation })).toThrow(ProgramError);
  },
);

it.for(providerNames.filter((name) => name !== "digitalocean" && name !== "mock"))(
  "refuses a shared target at %s",
  (provider) => {
    expect(() => requireShareable({ ...shared, provider }, deploy)).toThrow(
      /tenantsTrustEachOther/,
    );
  },
);

it.for(["destroy", "drift_check"] as const)("lets a %s continue", (operation) => {
  expect(() => requireShareable(shared, { ...deploy, operation })).not.toThrow();
});

it("takes only the literal value true", () => {
  const told = (tenantsTrustEachOther: unknown) => ({
    ...shared,
    config: { tenantsTrustEachOther },
  });
  expect(() => requireShareable(told(true), deploy)).not.toThrow();
  for (const other of ["true", 1, null, false])
    expect(() => requireShareable(told(other), deploy)).toThrow(/target's config/);
});

it("leaves a tenant's own target alone, and providers that keep tenants apart", () => {
  expect(() => requireShareable({ ...shared, tenantId: "t-1" }, deploy)).not.toThrow();
  for (const provider of ["digitalocean", "mock"])
    expect(() => requireShareable({ ...shared, provider }, deploy)).not.toThrow();
});

it("limits properties at DigitalOcean to the names in its rows, until the operator's config says otherwise", () => {
  expect(separatesByRows("digitalocean", {})).toBe(true);
  expect(separatesByRows("digitalocean", { tenantsTrustEachOther: "true" })).toBe(true);
  expect(separatesByRows("digitalocean", { tenantsTrustEachOther: true })).toBe(false);
  for (const provider of providerNames.filter((name) => name !== "digitalocean"))
    expect(separatesByRows(provider, {})).toBe(false);
});
