import type { Endpoint } from "#http/endpoint.ts";
import type { Field } from "./act-form.tsx";
import { may, type Reader, tenantsOf } from "./reader.ts";
import { fieldNames } from "./shared/form-data.ts";

/**
 * The owner field of a form that creates an object. No field for a reader with one tenant. `ofPlatform`: the meaning of
 * an object without a tenant; undefined: a tenant is required.
 */
export function tenantField(
  reader: Reader,
  endpoint: Pick<Endpoint, "access">,
  ofPlatform?: string,
): Field[] {
  const name = fieldNames.tenantId;
  const tenants = tenantsOf(reader)
    .filter(({ tenantId }) => may(reader, endpoint, tenantId))
    .map((tenant) => ({ value: tenant.tenantId, words: tenant.name }));
  if (reader.operator)
    return [
      ofPlatform === undefined
        ? {
            name,
            words: "Tenant",
            hint: "Whose it becomes: choose one, or type its id.",
            suggestions: tenants,
            isRequired: true,
          }
        : { name, words: "For", kind: "owner", hint: ofPlatform, suggestions: tenants },
    ];
  if (reader.tenants.length < 2) return [];
  return [{ name, words: "Tenant", kind: "choice", choices: tenants }];
}
