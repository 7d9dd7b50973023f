/**
 * Scalars as the parser of Kubernetes reads them: YAML 1.1 with Go's numbers, converted to JSON.
 *
 * @see https://github.com/kubernetes-sigs/yaml
 */
import { exactNumber } from "./data-limits.ts";
import type { DataScalar } from "./data-node.ts";

const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const wholes: readonly (readonly [form: RegExp, radix: number])[] = [
  [/^([-+]?)(0|[1-9][0-9]*)$/, 10],
  [/^([-+]?)0[xX]([0-9a-fA-F]+)$/, 16],
  [/^([-+]?)0[bB]([01]+)$/, 2],
  [/^([-+]?)0[oO]?([0-7]+)$/, 8],
];

interface Written {
  source: string | undefined;
  isPlain: boolean;
  tag: string | undefined;
}

export function scalarOfKubernetes(
  given: unknown,
  { source = "", isPlain, tag }: Written,
): DataScalar["value"] {
  if (tag === "tag:yaml.org,2002:binary" || tag === "!!binary") return decoded(source);
  if (typeof given === "boolean") return given;
  if (given === null || given === undefined) return null;
  if (typeof given === "string" && (!isPlain || tag !== undefined)) return given;
  return numberOf(source) ?? source;
}

/** The name of a member whose key is no text; undefined for a key that Kubernetes refuses. */
export function keyOfKubernetes(value: unknown, source: string | undefined): string | undefined {
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number") return undefined;
  return String(numberOf(source ?? "") ?? source ?? value);
}

/** The number in a plain text; undefined for another text. A number that a double would change stays a text. */
function numberOf(source: string): number | string | undefined {
  if (!/^[-+.]?[0-9]/.test(source)) return undefined;
  const plain = source.replaceAll("_", "");
  for (const [form, radix] of wholes) {
    const [whole, sign, digits = ""] = form.exec(plain) ?? [];
    if (whole === undefined) continue;
    const value = Number.parseInt(digits, radix);
    if (!Number.isSafeInteger(value)) return source;
    return sign === "-" ? -value : value;
  }
  return float.test(plain) ? exactNumber(Number(plain), plain) : undefined;
}

function decoded(source: string): string {
  try {
    const bytes = Uint8Array.from(atob(source.replace(/\s/g, "")), (char) => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return source;
  }
}
