/** The known providers, whether or not this installation can deploy to them. */
export const providerNames = [
  "aws",
  "azure",
  "gcp",
  "oci",
  "digitalocean",
  "vultr",
  "coreweave",
  "magalu",
  "vercel",
  "render",
  "supabase",
  "mock",
] as const;

export type ProviderName = (typeof providerNames)[number];
