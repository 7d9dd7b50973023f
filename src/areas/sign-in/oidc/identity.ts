import * as z from "zod";
import type { Claims } from "./check-id-token.ts";

/** Who somebody is: issuer and subject. The rest is what the provider says of them. */
export interface Identity {
  issuer: string;
  subject: string;
  /** In lower case; empty: the provider names none. */
  email: string;
  /** The address is proved: verified by a provider that is trusted for addresses. */
  emailTrusted: boolean;
  name: string | null;
}

const Email = z.email().max(254).toLowerCase();
const GOOGLE = "https://accounts.google.com";

/**
 * `email_verified` counts as the boolean `true` alone: a provider that says `"true"` or `1` says something else, and
 * of one that says nothing nothing is known.
 */
export function identityOf(
  who: { issuer: string; subject: string },
  claims: Claims,
  trustedForEmail: boolean,
): Identity {
  const email = Email.safeParse(claims["email"]).data ?? "";
  const name = claims["name"];
  return {
    ...who,
    email,
    emailTrusted:
      email !== "" &&
      trustedForEmail &&
      claims["email_verified"] === true &&
      speaksFor(who.issuer, email, claims["hd"]),
    name:
      typeof name === "string" && name.trim() !== ""
        ? name.replace(/\p{Cc}/gu, "").slice(0, 200)
        : null,
  };
}

/**
 * Whether who has the address now is the provider's to say. Google lets an account be made with an address of anybody's
 * domain, verifies it that one time, and goes on saying so when the mailbox has long been taken away: who left a company
 * would come back by its domain. It speaks for Gmail, and for organizations whose accounts it manages (`hd`).
 * https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
function speaksFor(issuer: string, email: string, hostedDomain: unknown): boolean {
  if (issuer !== GOOGLE || domainOf(email) === "gmail.com") return true;
  return typeof hostedDomain === "string" && hostedDomain !== "";
}

/** What stands behind the last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}
