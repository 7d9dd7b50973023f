/** Providers, and what a target at one of them takes, in words. Pure. */
import type * as z from "zod";
import type { listProvidersEndpoint, TargetView } from "#areas/cloud-targets/contract.ts";
import type { Choice, Field } from "#console/act-form.tsx";
import type { Json } from "#platform/json.ts";
import { type ProviderName, providerNames } from "#schema/lists/provider-names.ts";

export type Target = z.output<typeof TargetView>;
export type Provider = z.output<
  NonNullable<typeof listProvidersEndpoint.answer.schema>
>["data"][number];

const names: Readonly<Record<ProviderName, string>> = {
  aws: "AWS",
  azure: "Azure",
  gcp: "Google Cloud",
  oci: "Oracle Cloud",
  digitalocean: "DigitalOcean",
  vultr: "Vultr",
  coreweave: "CoreWeave",
  magalu: "Magalu Cloud",
  vercel: "Vercel",
  render: "Render",
  supabase: "Supabase",
  mock: "Mock",
};

export function providerWord(name: ProviderName): string {
  return names[name];
}

export const providerChoices: readonly Choice[] = providerNames.map((value) => ({
  value,
  words: names[value],
}));

/** What is of interest of a JSON Schema. */
interface Shape {
  type?: string;
  enum?: readonly string[];
  properties?: Readonly<Record<string, Shape>>;
  anyOf?: readonly Shape[];
}

/** An input for each setting of the provider, with what it is now. */
export function configFields(
  schema: Provider["config"],
  config: Readonly<Record<string, Json>> = {},
): Field[] {
  const { properties = {} } = (schema ?? {}) as Shape;
  return Object.entries(properties).map(([member, shape]) => {
    const now = Object.hasOwn(config, member) ? config[member] : undefined;
    // Null removes what is set; nothing else may be null.
    const empty = now === undefined ? "nothing" : "null";
    return { name: `config.${member}`, words: member, empty, ...inputFor(shape, now) };
  });
}

function inputFor(shape: Shape, now: Json | undefined): Pick<Field, "kind" | "value" | "choices"> {
  const shown = typeof now === "string" ? now : now === undefined ? "" : JSON.stringify(now);
  if (shape.enum !== undefined) {
    const choices = ["", ...shape.enum].map((value) => ({ value, words: value || "default" }));
    return { kind: "choice", value: shown, choices };
  }
  if (shape.type === "boolean") return { kind: "flag", value: now === true };
  if (shape.type === "integer" || shape.type === "number") return { kind: "number", value: shown };
  return { kind: shape.type === "string" ? "text" : "json", value: shown };
}

/** What is stored where `credentialRef` leads: `JSON with accessKeyId and secretAccessKey`. */
export function credentialWords({ credential }: Provider): string | undefined {
  const shape = (credential ?? {}) as Shape;
  const forms = (shape.anyOf ?? [shape]).flatMap(({ type, properties }) => {
    if (type === "string") return ["the token alone"];
    const members = Object.keys(properties ?? {});
    return members.length === 0 ? [] : [`JSON with ${members.join(", ")}`];
  });
  return forms.length === 0 ? undefined : [...new Set(forms)].join(", or ");
}
