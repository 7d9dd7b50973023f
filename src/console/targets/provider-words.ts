/** Providers and the fields of their targets, in words. Pure. */
import type * as z from "zod";
import type { listProvidersEndpoint, TargetView } from "#areas/cloud-targets/contract.ts";
import type { Choice, Field } from "#console/act-form.tsx";
import { changedSchemaFields, schemaFields } from "#console/schema-fields.ts";
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

/** The API reports this for existing targets only. */
const tokenTakers: ReadonlySet<ProviderName> = new Set(["aws", "azure", "gcp", "oci"]);

/** Whether a target of this provider can use an identity in place of a stored credential. */
export function takesTokens(name: ProviderName): boolean {
  return tokenTakers.has(name);
}

/** The relevant parts of a credential's JSON Schema. */
interface Shape {
  type?: string;
  properties?: Readonly<Record<string, unknown>>;
  anyOf?: readonly Shape[];
}

/** An input for each setting of the provider, with its current value. */
export function settingFields({ config }: Provider, now?: Target): Field[] {
  const schema = config ?? {};
  const fields =
    now === undefined
      ? schemaFields("config", schema)
      : changedSchemaFields("config", schema, now.config ?? {});
  return fields.map((field) => ({ ...field, words: settingWords(field.words) }));
}

const acronyms: ReadonlySet<string> = new Set(["arn", "id", "url", "ocid"]);
const units: ReadonlySet<string> = new Set(["ms", "seconds"]);

/** The label of a setting: `roleArn` is `Role ARN`, `latencyMs` is `Latency (ms)`. */
export function settingWords(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(" ")
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word));
  const unit = words.length > 1 && units.has(words.at(-1) ?? "") ? ` (${words.pop()})` : "";
  const text = words.join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${unit}`;
}

/** The form of the credential at `credentialRef`: `JSON with accessKeyId and secretAccessKey`. */
export function credentialWords({ credential }: Provider): string | undefined {
  const shape = (credential ?? {}) as Shape;
  const forms = (shape.anyOf ?? [shape]).flatMap(({ type, properties }) => {
    if (type === "string") return ["the token alone"];
    const members = Object.keys(properties ?? {});
    return members.length === 0 ? [] : [`JSON with ${members.join(", ")}`];
  });
  return forms.length === 0 ? undefined : [...new Set(forms)].join(", or ");
}
