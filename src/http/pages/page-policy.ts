import { sha256 } from "oslo/crypto";
import { base64 } from "oslo/encoding";

/** A page's policy: nothing but this style sheet, no frame around it, and the other directives that it names. */
export async function pagePolicy(style: string, more: readonly string[]): Promise<string> {
  const digest = await sha256(new TextEncoder().encode(style));
  const hash = base64.encode(new Uint8Array(digest));
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "base-uri 'none'",
    ...more,
    "frame-ancestors 'none'",
  ].join("; ");
}
