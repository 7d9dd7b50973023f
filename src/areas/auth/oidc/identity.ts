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
    emailTrusted: email !== "" && trustedForEmail && claims["email_verified"] === true,
    name:
      typeof name === "string" && name.trim() !== ""
        ? name.replace(/\p{Cc}/gu, "").slice(0, 200)
        : null,
  };
}

/** What stands behind the last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}
