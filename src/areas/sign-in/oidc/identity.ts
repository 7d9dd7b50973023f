import * as z from "zod";
import { asOneLine } from "#platform/text/visible-text.ts";
import type { Claims } from "./check-id-token.ts";

/** An identity: issuer and subject. The other members are claims of the provider. */
export interface Identity {
  issuer: string;
  subject: string;
  /** In lower case; empty: unknown. */
  email: string;
  /** True: the address is verified by a provider that is trusted for addresses. */
  emailTrusted: boolean;
  name: string | null;
}

const Email = z.email().max(254).toLowerCase();
const GOOGLE = "https://accounts.google.com";

/** `email_verified` must be the boolean `true`: `"true"`, `1` and a missing claim do not count. */
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
    name: typeof name === "string" ? shownName(name) : null,
  };
}

function shownName(name: string): string | null {
  const shown = Array.from(asOneLine(name)).slice(0, 200).join("");
  return shown === "" ? null : shown;
}

/**
 * True: the provider knows the present owner of the address. A Google account can use an address of any domain; Google
 * verifies it once and reports it as verified even after the mailbox is gone, so a former employee could return by the
 * company's domain. Google is authoritative for Gmail and for organizations whose accounts it manages (`hd`).
 * https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
function speaksFor(issuer: string, email: string, hostedDomain: unknown): boolean {
  if (issuer !== GOOGLE || domainOf(email) === "gmail.com") return true;
  return typeof hostedDomain === "string" && hostedDomain !== "";
}

/** The part after the last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}
