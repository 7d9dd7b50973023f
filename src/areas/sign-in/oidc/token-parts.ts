import { base64url } from "oslo/encoding";
import type { Claims } from "./check-id-token.ts";
import { type Checked, failed, passed } from "./reason.ts";

const MOST_CHARACTERS = 100_000;

/** Decodes the header and claims of a signed token without verifying anything. */
export function tokenParts(token: unknown): Checked<{ header: Claims; claims: Claims }> {
  const parts =
    typeof token === "string" && token.length <= MOST_CHARACTERS ? token.split(".") : [];
  const [header, claims] = parts.slice(0, 2).map(objectIn);
  if (parts.length !== 3 || header === undefined || claims === undefined)
    return failed("token_invalid", "not a signed token");
  return passed({ header, claims });
}

function objectIn(part: string): Claims | undefined {
  try {
    const bytes = base64url.decode(part, { strict: false });
    const value: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    );
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Claims)
      : undefined;
  } catch {
    return undefined;
  }
}
