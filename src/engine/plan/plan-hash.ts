import { canonicalJson, type Json } from "#platform/json.ts";
import type { Plan } from "./steps.ts";

/**
 * SHA-256, in lower-case hex, of the plan's canonical JSON. The serial of the state is part of the plan, so
 * a hash stands for one plan of one state. Equal plans give equal hashes, in whatever order their keys stand.
 */
export async function planHash(plan: Plan): Promise<string> {
  const text = canonicalJson(plan as unknown as Json);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
