import { parseTypeName } from "#providers/type-name.ts";

/**
 * Finds a cloud's types by the names of tools that drop their separators: `awscc_ec2_vpc`, `aws-native:ec2:Vpc` and
 * `azure-native:network:VirtualNetwork`.
 */
export class VendorTypes {
  readonly #types = new Map<string, string | undefined>();

  constructor(types: Iterable<string>) {
    for (const type of types) {
      const parsed = parseTypeName(type);
      if (parsed === undefined) continue;
      const key = keyOf(parsed.provider, shortName(parsed.name));
      // Two types with the same short name are ambiguous.
      this.#types.set(key, this.#types.has(key) ? undefined : type);
    }
  }

  /** Finds `ec2Vpc` of aws or `networkVirtualNetwork` of azure, in any letter case. */
  find(provider: string, name: string): string | undefined {
    return this.#types.get(keyOf(provider, name));
  }
}

function keyOf(provider: string, name: string): string {
  return `${provider}:${name.replace(/[^A-Za-z0-9]/g, "").toLowerCase()}`;
}

/** `AWS::EC2::VPC` becomes `EC2VPC`, and `Microsoft.Network/virtualNetworks/subnets` becomes `NetworkSubnet`. */
function shortName(name: string): string {
  if (name.includes("::")) return name.replace(/^AWS::/, "");
  const [namespace = "", ...kinds] = name.split("/");
  const last = kinds.at(-1) ?? "";
  return namespace.slice(namespace.indexOf(".") + 1) + singular(last);
}

/** `virtualNetworks` becomes `virtualNetwork`. */
export function singular(word: string): string {
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/i.test(word)) return word.slice(0, -2);
  return word.replace(/s$/i, "");
}
