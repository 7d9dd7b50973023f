/** Proofs that a domain of `allowedEmailDomains` belongs to the tenant (decision 0013). Pure. */
import { base64url } from "oslo/encoding";
import type { tenantEmailDomains } from "#schema/tenants.ts";

export type EmailDomain = typeof tenantEmailDomains.$inferSelect;

/** The validity of a proof by DNS, from the last sight of the record. */
export const PROOF_MS = 30 * 24 * 60 * 60 * 1000;
/** The time to the next lookup, after a lookup with and without the record. */
export const LOOK_AGAIN_MS = 7 * 24 * 60 * 60 * 1000;
export const LOOK_SOONER_MS = 24 * 60 * 60 * 1000;

const CHALLENGE_LABEL = "_control-challenge";
/** The challenge's label is added in front, and a name has at most 253 characters. */
const MAX_LENGTH = 253 - CHALLENGE_LABEL.length - 1;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const domainName = new RegExp(`^(?:${LABEL}\\.)+(?=[a-z])${LABEL}$`);

/**
 * Public mail providers. Their DNS proves nothing for a tenant; the list keeps an operator from approving one by
 * mistake.
 */
const publicMail: ReadonlySet<string> = new Set(
  `126.com 163.com aol.com att.net comcast.net duck.com fastmail.com foxmail.com free.fr
  gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.com hotmail.co.uk hotmail.fr icloud.com
  laposte.net libero.it live.com mac.com mail.com mail.ru mailbox.org me.com msn.com naver.com orange.fr outlook.com
  outlook.de passport.com pm.me posteo.de proton.me protonmail.com qq.com rediffmail.com rocketmail.com sina.com
  t-online.de tuta.com tuta.io tutanota.com verizon.net web.de yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de yahoo.fr
  yandex.com yandex.ru yeah.net ymail.com zoho.com`.split(/\s+/),
);

/** The form for comparisons: trimmed, in lower case. */
export function normalDomain(domain: string): string {
  return domain.trim().toLowerCase();
}

/** The reason why the domain can admit nobody, even if proved; undefined: it can. */
export function unusable(domain: string): string | undefined {
  if (domain.length > MAX_LENGTH || !domainName.test(domain))
    return "It is not the name of a domain.";
  if (publicMail.has(domain)) return "Everybody can have an address of this domain.";
  return undefined;
}

/** A new challenge: 256 random bits. */
export function newChallenge(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)), { includePadding: false });
}

/** The TXT record that proves the domain. */
export function challengeRecord({ domain, challenge }: Pick<EmailDomain, "domain" | "challenge">): {
  name: string;
  value: string;
} {
  return { name: `${CHALLENGE_LABEL}.${domain}`, value: `control-api=${challenge}` };
}

export function isVerified(
  { method, verifiedUntilMs }: Pick<EmailDomain, "method" | "verifiedUntilMs">,
  nowMs: number,
): boolean {
  return method !== null && (verifiedUntilMs === null || verifiedUntilMs > nowMs);
}

/** The columns after a lookup that showed the record. */
export function provedByDns(nowMs: number) {
  return {
    method: "dns",
    verifiedUntilMs: nowMs + PROOF_MS,
    nextCheckAtMs: nowMs + LOOK_AGAIN_MS,
  } as const;
}
