/** The outputs of a type by name: what a template may refer to without a word from its check. */
import type { JsonMap } from "#platform/json.ts";
import coreweave from "#providers/outputs/coreweave.json" with { type: "json" };
import magalu from "#providers/outputs/magalu.json" with { type: "json" };
import render from "#providers/outputs/render.json" with { type: "json" };
import supabase from "#providers/outputs/supabase.json" with { type: "json" };
import vercel from "#providers/outputs/vercel.json" with { type: "json" };
import vultr from "#providers/outputs/vultr.json" with { type: "json" };
import type { Provider } from "#providers/provider.ts";

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  coreweave,
  magalu,
  render,
  supabase,
  vercel,
  vultr,
};

/** What the cloud shows of the object that its check would not know. None where nothing lists the type's outputs. */
export function unknownOutputs(provider: Provider, type: string, outputs: JsonMap): string[] {
  const facts = provider.facts(type);
  const table = tables[provider.name];
  if (facts === undefined || table === undefined) return [];
  const { outputs: all, properties = {} } = facts;
  const described = table[type.slice(type.indexOf(":") + 1)]?.split(" ");
  const known = new Set(["id", ...Object.keys(properties), ...(all ?? described ?? [])]);
  return Object.keys(outputs).filter((name) => !known.has(name));
}
