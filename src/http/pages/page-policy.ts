import { sha256 } from "oslo/crypto";
import { base64 } from "oslo/encoding";

/**
 * A page's content security policy: only this style sheet, our colours and our icon, and the directives of `more`; no
 * frames.
 */
export async function pagePolicy(style: string, more: readonly string[]): Promise<string> {
  const digest = await sha256(new TextEncoder().encode(style));
  const hash = base64.encode(new Uint8Array(digest));
  return [
    "default-src 'none'",
    `style-src 'self' 'sha256-${hash}'`,
    "img-src 'self'",
    "base-uri 'none'",
    ...more,
    "frame-ancestors 'none'",
  ].join("; ");
}
