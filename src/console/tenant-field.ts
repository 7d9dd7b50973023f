import type { Endpoint } from "#http/endpoint.ts";
import type { Field } from "./act-form.tsx";
import { may, type Reader, tenantsOf } from "./reader.ts";

/** For a form that makes something: whose it becomes. No field for whoever has one tenant. */
export function tenantField(reader: Reader, endpoint: Pick<Endpoint, "access">): Field[] {
  if (reader.operator)
    return [
      {
        name: "tenantId",
        words: "Tenant",
        hint: "Choose a tenant, or type the id of one. Empty: the platform itself.",
        suggestions: tenantsOf(reader).map(({ tenantId, name }) => ({
          value: tenantId,
          words: name,
        })),
      },
    ];
  if (reader.tenants.length < 2) return [];
  const choices = reader.tenants
    .filter(({ tenantId }) => may(reader, endpoint, tenantId))
    .map(({ tenantId, name }) => ({ value: tenantId, words: name }));
  return [{ name: "tenantId", words: "Tenant", kind: "choice", choices }];
}
