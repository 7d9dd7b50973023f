import { describe, expect, it } from "vitest";
import { parseArmId } from "./arm-id.ts";
import { spelledType } from "./types.ts";

const S = "11111111-1111-4111-8111-11111111111A";
const s = S.toLowerCase();
const parsed = (text: string) => parseArmId(text, spelledType);

describe("an id", () => {
  it.each([
    [`/subscriptions/${S}`, `/subscriptions/${s}`, "Microsoft.Resources/subscriptions"],
    [
      `/SUBSCRIPTIONS/${S}/resourcegroups/Shop`,
      `/subscriptions/${s}/resourceGroups/shop`,
      "Microsoft.Resources/resourceGroups",
    ],
    [
      `/subscriptions/${S}/resourceGroups/SHOP/Providers/microsoft.network/VIRTUALNETWORKS/Net/Subnets/Apps`,
      `/subscriptions/${s}/resourceGroups/shop/providers/Microsoft.Network/virtualNetworks/net/subnets/apps`,
      "Microsoft.Network/virtualNetworks/subnets",
    ],
    [
      `/subscriptions/${S}/providers/Microsoft.Other/Things/One`,
      `/subscriptions/${s}/providers/microsoft.other/things/one`,
      "microsoft.other/things",
    ],
    [
      `/subscriptions/${S}/resourceGroups/shop/providers/Microsoft.KeyVault/vaults/v/providers/Microsoft.Authorization/roleAssignments/X`,
      `/subscriptions/${s}/resourceGroups/shop/providers/Microsoft.KeyVault/vaults/v/providers/Microsoft.Authorization/roleAssignments/x`,
      "Microsoft.Authorization/roleAssignments",
    ],
  ])("%s has one spelling", (text, id, type) => {
    expect(parsed(text)).toMatchObject({ id, type });
    expect(parsed(id)?.id).toBe(id);
  });

  it.each([
    "",
    "/",
    "shop",
    `subscriptions/${S}`,
    "/subscriptions/not-a-uuid",
    `/subscriptions/${S}/`,
    `/subscriptions/${S}/resourceGroups`,
    `/subscriptions/${S}/resourceGroups/..`,
    `/subscriptions/${S}/resourceGroups/a%2fb`,
    `/subscriptions/${S}/resourceGroups/a?b=c`,
    `/subscriptions/${S}/resourceGroups/a#b`,
    `/subscriptions/${S}/resourceGroups/a\\b`,
    `/subscriptions/${S}/resourceGroups/ a`,
    `/subscriptions/${S}/resourceGroups/a\nb`,
    `/subscriptions/${S}/resourceGroups//providers/Microsoft.Network/virtualNetworks/a`,
    `/subscriptions/${S}/resourceGroups/a/providers/Microsoft.Network`,
    `/subscriptions/${S}/resourceGroups/a/virtualNetworks/b`,
    `/subscriptions/${S}/${"a/".repeat(2000)}b`,
    `https://management.azure.com/subscriptions/${S}`,
  ])("is not %j", (text) => expect(parsed(text)).toBeUndefined());

  it("keeps its names as they were written beside its spelling", () => {
    const text = `/SUBSCRIPTIONS/${S}/resourcegroups/Shop/providers/microsoft.network/VIRTUALNETWORKS/Net/Subnets/Apps`;
    expect(parsed(text)?.written).toBe(
      `/subscriptions/${s}/resourceGroups/Shop/providers/Microsoft.Network/virtualNetworks/Net/subnets/Apps`,
    );
  });
});
