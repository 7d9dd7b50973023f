import type { Expression } from "#importers/expression.ts";

/** The index of an instance in an address: `[0]`, `["a"]`; empty for a resource without `count` and `for_each`. */
export function indexKey(index: unknown): string {
  if (typeof index === "number") return `[${index}]`;
  if (typeof index !== "string") return "";
  // Terraform's own escape: `${` and `%{` would start a template.
  return `[${JSON.stringify(index).replaceAll(/[$%](?=\{)/g, (sign) => sign + sign)}]`;
}

/**
 * The address that a reference to a resource or a module call means, with the keys of instances. `keyOf`: the value of a
 * computed key. Without it, `aws_x.y[each.key]` is the address of the resource.
 */
export function addressIn(
  of: Expression | undefined,
  keyOf?: (key: Expression) => unknown,
): string | undefined {
  if (of === undefined) return undefined;
  const [base, ...steps] = of.kind === "call" && of.name === "[]" ? of.args : [of];
  if (base?.kind !== "reference") return undefined;
  const below = steps.map((step) => (step.kind === "literal" ? step.value : keyOf?.(step)));
  const isKnown = below.every((step) => typeof step === "string" || typeof step === "number");
  if (!isKnown && (keyOf !== undefined || steps.length > 1)) return undefined;
  const { target } = base;
  const path: unknown[] = isKnown ? [...base.path, ...below] : [...base.path];
  if (target.kind === "resource") return target.address + path.map(indexKey).join("");
  if (target.kind !== "module") return undefined;
  let address = `module.${target.name}`;
  for (let at = 0; at < path.length; at += 1) {
    const [step, next] = path.slice(at);
    // A key stands behind the name of a call or a resource, and a name is followed by another one.
    const isName =
      typeof step === "string" &&
      typeof next === "string" &&
      /^(?:module|[a-z0-9]+_.*)$/.test(step);
    if (isName) {
      address += `.${step}.${next}`;
      at += 1;
    } else address += indexKey(step);
  }
  return address;
}

/** The name of a provider's configuration in a state or plan. */
export interface ProviderName {
  /** The local name that the provider's source suggests: `aws`. */
  name: string;
  /** `hashicorp/aws`; null in an old state, which has only the name. */
  source: string | null;
  alias: string | null;
}

const configuration = /provider\["([^"]{1,256})"\](?:\.([A-Za-z_][\w-]{0,63}))?$/;
const oldConfiguration = /provider\.([A-Za-z][\w-]{0,63})(?:\.([A-Za-z_][\w-]{0,63}))?$/;

/**
 * Parses `provider["registry.terraform.io/hashicorp/aws"].east`, `registry.terraform.io/hashicorp/aws` and
 * `provider.aws`. Undefined for any other text.
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
    // The public registry is the default, and Terraform's own sources leave it out.
    source: parts.length < 2 ? null : withoutRegistry(parts).join("/"),
    alias: current?.[2] ?? null,
  };
}

function withoutRegistry(parts: readonly string[]): readonly string[] {
  const [host = ""] = parts;
  return /^registry\.(terraform\.io|opentofu\.org)$/.test(host) ? parts.slice(1) : parts;
}
