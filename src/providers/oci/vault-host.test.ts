import { expect, it } from "vitest";
import type { ProviderContext } from "#providers/provider.ts";
import { atVault, vaultHost } from "./vault-host.ts";

const region = "eu-frankfurt-1";
const context = { region, config: { compartmentId: "c" } } as unknown as ProviderContext;
const at = (managementEndpoint: string | undefined, type = "oci:Key") =>
  atVault(context, {
    type,
    properties: managementEndpoint === undefined ? {} : { managementEndpoint },
  });

it("calls a key at the host of its vault", () => {
  const host = "https://shop-vault-management.kms.eu-frankfurt-1.oraclecloud.com";
  const found = at(host);
  expect("kind" in found).toBe(false);
  expect("config" in found && vaultHost(found.config, region)).toBe(host);
});

it.each([
  undefined,
  "https://evil.example",
  "http://shop-management.kms.eu-frankfurt-1.oraclecloud.com",
  "https://shop-management.kms.us-ashburn-1.oraclecloud.com",
  "https://shop-management.kms.eu-frankfurt-1.oraclecloud.com.evil.example",
  "https://shop-management.kms.eu-frankfurt-1.oraclecloud.com/path",
  "https://evil.example/-management.kms.eu-frankfurt-1.oraclecloud.com",
  "https://user@shop-management.kms.eu-frankfurt-1.oraclecloud.com",
])("sends a key's call to no such host: %s", (endpoint) => {
  expect(at(endpoint)).toMatchObject({ kind: "failed", code: "invalid_property" });
});

it("leaves the calls of other types as they are", () => {
  expect(at("https://evil.example", "oci:Vault")).toBe(context);
});
