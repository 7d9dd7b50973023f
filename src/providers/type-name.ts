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

/** The type without the version of its API: objects of two versions are of one type. */
export function withoutVersion(type: string): string {
  const parsed = parseTypeName(type);
  return parsed?.version === undefined
    ? type
    : formatTypeName({ provider: parsed.provider, name: parsed.name });
}

export function isSameType(one: string, other: string): boolean {
  return one === other || withoutVersion(one) === withoutVersion(other);
}

interface VendorNames {
  wellFormed: RegExp;
  /** How the vendor writes the whole name, with `$1` and `$2` of `name`. */
  bare: RegExp;
  name: string;
  /** A version of the API follows the name. */
  versioned?: true;
}

/** How the vendors of open types name them. Each pattern runs in linear time. */
const vendorNames: Readonly<Record<string, VendorNames>> = {
  aws: {
    wellFormed: /^[A-Za-z0-9]+(?:::[A-Za-z0-9]+){2,3}$/,
    bare: /^((?:AWS|Alexa)::[A-Za-z0-9]+::[A-Za-z0-9]+)$/i,
    name: "$1",
  },
  azure: {
    wellFormed: /^[A-Za-z0-9]+(?:\.[A-Za-z0-9]+)+(?:\/[A-Za-z0-9._-]+)+$/,
    bare: /^(Microsoft(?:\.[A-Za-z0-9]+)+(?:\/[A-Za-z0-9._-]+)+(?:@[A-Za-z0-9-]+)?)$/i,
    name: "$1",
    versioned: true,
  },
  gcp: {
    wellFormed: /^[a-z][a-z0-9-]*\/[A-Za-z][A-Za-z0-9]*$/,
    bare: /^([a-z][a-z0-9-]*)\.googleapis\.com\/([A-Za-z][A-Za-z0-9]*)$/,
    name: "$1/$2",
  },
};

/** Whether it can be the name of a type; of a vendor whose names are not known here, any can. */
export function isWellFormed({ provider, name, version }: TypeName): boolean {
  const names = Object.hasOwn(vendorNames, provider) ? vendorNames[provider] : undefined;
  if (names === undefined) return true;
  if (version !== undefined && (!names.versioned || !/^[A-Za-z0-9-]{1,40}$/.test(version)))
    return false;
  return names.wellFormed.test(name);
}

/** Every call about such a type names the version of its API, and this name has none. */
export function lacksVersion({ provider, version }: TypeName): boolean {
  const names = Object.hasOwn(vendorNames, provider) ? vendorNames[provider] : undefined;
  return version === undefined && names?.versioned === true;
}

/** The type with the version of the API that is used for it, if its names carry one and this one does not yet. */
export function withVersion(type: string, version: string | undefined): string {
  const parsed = parseTypeName(type);
  if (parsed === undefined || parsed.version !== undefined || version === undefined) return type;
  const versioned = { ...parsed, version };
  return isWellFormed(versioned) ? formatTypeName(versioned) : type;
}

/** The provider of a type that is named as its vendor does, without the provider (`AWS::S3::Bucket`). */
export function providerOfBareName(type: string): string | undefined {
  return Object.keys(vendorNames).find((provider) => vendorNames[provider]?.bare.test(type));
}

/** `AWS::S3::Bucket` as a template writes it: `aws:AWS::S3::Bucket`. Undefined: it is not named as a vendor does. */
export function withProvider(type: string): string | undefined {
  const provider = providerOfBareName(type);
  const names = provider === undefined ? undefined : vendorNames[provider];
  return names === undefined ? undefined : `${provider}:${type.replace(names.bare, names.name)}`;
}
