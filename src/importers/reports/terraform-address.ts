/** The key of an instance in an address: `[0]`, `["a"]`; empty for a resource without `count` and `for_each`. */
export function indexKey(index: unknown): string {
  if (typeof index === "number") return `[${index}]`;
  if (typeof index !== "string") return "";
  // As Terraform writes it: `${` and `%{` would start a template.
  return `[${JSON.stringify(index).replaceAll(/[$%](?=\{)/g, (sign) => sign + sign)}]`;
}

/** What a provider's configuration is called in a state or plan. */
export interface ProviderName {
  /** The local name that the provider's source suggests: `aws`. */
  name: string;
  /** `hashicorp/aws`; null where it is an old state that has the name alone. */
  source: string | null;
  alias: string | null;
}

const configuration = /provider\["([^"]{1,256})"\](?:\.([A-Za-z_][\w-]{0,63}))?$/;
const oldConfiguration = /provider\.([A-Za-z][\w-]{0,63})(?:\.([A-Za-z_][\w-]{0,63}))?$/;

/**
 * Of `provider["registry.terraform.io/hashicorp/aws"].east`, of `registry.terraform.io/hashicorp/aws`, of `provider.aws`;
 * undefined for anything else.
 */
export function providerNameOf(text: string): ProviderName | undefined {
  if (text.length > 1_024) return undefined;
  const old = oldConfiguration.exec(text);
  if (old !== null) return { name: old[1] ?? "", source: null, alias: old[2] ?? null };
  const current = configuration.exec(text);
  const source = current?.[1] ?? text;
  const parts = source.split("/");
  const name = parts.at(-1) ?? "";
  if (!/^[A-Za-z][\w-]{0,63}$/.test(name)) return undefined;
  return {
    name,
    // The public registry is the default, as Terraform's own sources leave it out.
    source: parts.length < 2 ? null : withoutRegistry(parts).join("/"),
    alias: current?.[2] ?? null,
  };
}

function withoutRegistry(parts: readonly string[]): readonly string[] {
  const [host = ""] = parts;
  return /^registry\.(terraform\.io|opentofu\.org)$/.test(host) ? parts.slice(1) : parts;
}
