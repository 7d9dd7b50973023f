/** A raw state, as Terraform writes it of objects that exist. */
import { expect } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { TestTenant } from "#test/support/api.ts";

/** What a project's resources are in the draft, by their addresses; with what the state says, made of our id. */
export type Addresses = Readonly<
  Record<string, string | readonly [name: string, attributes: (id: string) => JsonMap]>
>;

interface Made {
  name: string;
  id: string;
}

/** The objects that an instance of the draft has made, as if Terraform had. */
export async function stateOf(
  tenant: TestTenant,
  instanceId: string,
  addresses: Addresses,
): Promise<JsonMap> {
  const listed = await tenant.get(`/instances/${instanceId}/resources`);
  expect(listed.status, listed.text).toBe(200);
  const made: readonly Made[] = listed.body.data;
  const ids = new Map(made.map(({ name, id }) => [name, id]));
  const resources = Object.entries(addresses).map(([address, told]): JsonMap => {
    const [name, attributes] = typeof told === "string" ? [told, () => ({})] : told;
    const id = ids.get(name) ?? "";
    expect(id, `${name} among ${[...ids.keys()].join()}`).not.toBe("");
    const [own = "", type = "", ...module] = address.split(".").toReversed();
    return {
      ...(module.length === 0 ? {} : { module: module.toReversed().join(".") }),
      mode: "managed",
      type,
      name: own,
      provider: `provider["registry.terraform.io/hashicorp/${type.split("_")[0] ?? ""}"]`,
      instances: [
        {
          schema_version: 0,
          attributes: { id, password: "canary-in-the-state", ...attributes(id) },
          sensitive_attributes: [],
        },
      ],
    };
  });
  return { version: 4, terraform_version: "1.9.0", serial: 7, lineage: "x", resources };
}
