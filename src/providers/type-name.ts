/**
 * The name of a resource type as templates write it: `<provider>:<the vendor's own name>`, to which a provider
 * with versioned types may add `@<version>` (`azure:Microsoft.Storage/storageAccounts@2024-01-01`).
 */
export interface TypeName {
  provider: string;
  /** The vendor's own name, without the version. */
  name: string;
  version?: string;
}

/** The parts of a type's name. Undefined: it has no provider in front, or nothing behind it. Never throws. */
export function parseTypeName(type: string): TypeName | undefined {
  const [, provider, name, version] = /^([^:@\s]+):([^@]+)(?:@(.+))?$/.exec(type) ?? [];
  if (provider === undefined || name === undefined) return undefined;
  return version === undefined ? { provider, name } : { provider, name, version };
}

/** The provider that a type's name begins with, whether or not the rest is well-formed; "" when it names none. */
export function providerInTypeName(type: string): string {
  return /^([^:]*):/.exec(type)?.[1] ?? "";
}

export function formatTypeName({ provider, name, version }: TypeName): string {
  return version === undefined ? `${provider}:${name}` : `${provider}:${name}@${version}`;
}
