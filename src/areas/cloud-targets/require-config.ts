import * as z from "zod";
import { faultsOf } from "#http/faults.ts";
import { unknownMembers } from "#http/unknown-members.ts";
import { ApiError } from "#kernel/errors.ts";
import { escapePointer, type JsonMap } from "#platform/json.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import { nearest } from "#platform/text/nearest.ts";
import { providerFor } from "#providers/registry.ts";

/**
 * Throws unless the provider can use the config. An unknown key is kept unless it resembles a known one: a typing error
 * must not become a deployment to another place. Configs of providers that this installation lacks are kept unchecked.
 */
export function requireConfig(provider: string, config: JsonMap): void {
  const schema = providerFor(provider)?.config;
  if (schema === undefined) return;
  const body = { config };
  const inBody = z.looseObject({ config: schema });
  const misspelt = unknownMembers(inBody, body).flatMap(({ path, known }) => {
    const meant = nearest(path.at(-1) ?? "", known);
    return meant === undefined ? [] : [{ path, meant }];
  });
  const checked = inBody.safeParse(body);
  const faults = [
    ...misspelt.map(({ path, meant }) => ({
      in: "body" as const,
      pointer: `/${path.map(escapePointer).join("/")}`,
      code: "unknown_parameter",
      detail: `${provider} has no setting of this name. Did you mean "${meant}"?`,
    })),
    ...(checked.success ? [] : faultsOf(checked.error.issues, "body", body)),
  ];
  const [first] = faults;
  if (first === undefined) return;
  throw new ApiError(
    misspelt.length > 0 ? "unknown_parameter" : "validation_failed",
    `The config does not fit the provider ${provider}, at ${first.pointer}: ${first.detail} GET /cloud/providers has its JSON Schema.`,
    { faults },
  );
}

/** Names the keys of the config that the provider does not read; null: it reads all. */
export function hintOnUnread(provider: string, config: JsonMap): string | null {
  const schema = providerFor(provider)?.config;
  const unread = schema === undefined ? [] : unknownMembers(schema, config);
  if (unread.length === 0) return null;
  const listed = unread.map(({ path }) => JSON.stringify(formatPropertyPath(path))).join(", ");
  return `The provider does not read ${listed} of the config: correct the name if it should have an effect.`;
}
