import { providerNames } from "#schema/lists/provider-names.ts";

/** Our provider names by those of Terraform and Pulumi. */
const cloudsByProvider: ReadonlyMap<string, string> = new Map([
  ...providerNames.map((name): [string, string] => [name, name]),
  ["awscc", "aws"],
  ["aws-native", "aws"],
  ["azurerm", "azure"],
  ["azuread", "azure"],
  ["azapi", "azure"],
  ["azurestack", "azure"],
  ["azure-native", "azure"],
  ["google", "gcp"],
  ["google-beta", "gcp"],
  ["google-native", "gcp"],
  ["opc", "oci"],
  ["mgc", "magalu"],
]);

/** The cloud that a provider of the source deploys to, by our name; null for an unknown cloud. */
export function cloudOf(provider: string): string | null {
  const [name = ""] = provider.split(".");
  return cloudsByProvider.get(name) ?? null;
}
