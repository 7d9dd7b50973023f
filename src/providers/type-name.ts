/**
 * The name of a resource type in templates: `<provider>:<vendor's name>`, plus `@<version>` for providers with
 * versioned types (`azure:Microsoft.Storage/storageAccounts@2024-01-01`).
 */
export interface TypeName {
  provider: string;
  /** The vendor's name, without the version. */
  name: string;
  version?: string;
}

/** Parses a type name. Undefined when the provider or the name is missing. Never throws. */
export function parseTypeName(type: string): TypeName | undefined {
  const [, provider, name, version] = /^([^:@\s]+):([^@]+)(?:@(.+))?$/.exec(type) ?? [];
  if (provider === undefined || name === undefined) return undefined;
  return version === undefined ? { provider, name } : { provider, name, version };
}

/** The provider prefix of a type name, even if the rest is malformed; "" when there is none. */
export function providerInTypeName(type: string): string {
  return /^([^:]*):/.exec(type)?.[1] ?? "";
}

export function formatTypeName({ provider, name, version }: TypeName): string {
  return version === undefined ? `${provider}:${name}` : `${provider}:${name}@${version}`;
}
