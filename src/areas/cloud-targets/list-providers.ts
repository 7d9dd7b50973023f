import * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { providerFor } from "#providers/registry.ts";
import { type ProviderName, providerNames } from "#schema/lists/provider-names.ts";

export interface ProviderSummary {
  name: ProviderName;
  available: boolean;
  credential: Record<string, unknown> | null;
  config: Record<string, unknown> | null;
  resourceTypes: string[];
  openTypes: boolean;
}

let summaries: ProviderSummary[] | undefined;

/** The same for every caller; computed once per isolate, since providers do not change at runtime. */
export async function listProviders(call: Call): Promise<ProviderSummary[]> {
  await call.authenticate();
  return (summaries ??= providerNames.map(summaryOf));
}

function summaryOf(name: ProviderName): ProviderSummary {
  const provider = providerFor(name);
  return {
    name,
    available: provider !== undefined,
    credential: provider === undefined ? null : jsonSchema(provider.credential),
    config: provider === undefined ? null : jsonSchema(provider.config),
    resourceTypes: [...(provider?.types() ?? [])],
    openTypes: provider?.openTypes ?? false,
  };
}

function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}
