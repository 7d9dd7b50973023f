import { canonicalJson, type Json } from "#platform/json.ts";
import type { Plan } from "./steps.ts";

/**
 * SHA-256, in lower-case hex, of the plan's canonical JSON, independent of key order. The plan includes the
 * state serial, so a hash identifies one plan of one state.
 */
export async function planHash(plan: Plan): Promise<string> {
  const text = canonicalJson(plan as unknown as Json);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
