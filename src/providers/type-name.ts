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

/** The type without the version of its API: the same objects, whichever version a call names. */
export function unversionedType(type: string): string {
  const parsed = parseTypeName(type);
  if (parsed?.version === undefined) return type;
  const { provider, name } = parsed;
  return formatTypeName({ provider, name });
}

interface VendorNames {
  wellFormed: RegExp;
  /** How the vendor writes the whole name, with `$1` and `$2` of `name`. */
  bare: RegExp;
  name: string;
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
  },
  gcp: {
    wellFormed: /^[a-z][a-z0-9-]*\/[A-Za-z][A-Za-z0-9]*$/,
    bare: /^([a-z][a-z0-9-]*)\.googleapis\.com\/([A-Za-z][A-Za-z0-9]*)$/,
    name: "$1/$2",
  },
};

/** Whether it can be the name of a type; of a vendor whose names are not known here, any can. */
export function isWellFormed({ provider, name, version }: TypeName): boolean {
  if (!Object.hasOwn(vendorNames, provider)) return true;
  if (version !== undefined && (provider !== "azure" || !/^[A-Za-z0-9-]{1,40}$/.test(version)))
    return false;
  return vendorNames[provider]?.wellFormed.test(name) === true;
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
