import { oneTenant } from "#areas/tenants/store.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import {
  challengeRecord,
  type EmailDomain,
  normalDomain,
  provedByDns,
  unusable,
} from "./email-domain.ts";
import { findEmailDomain, findEmailDomains, setEmailDomain } from "./store.ts";
import { DEFAULT_RESOLVER, txtRecords } from "./txt-records.ts";

interface At {
  tenantId: string;
  domain: string;
}

export async function listEmailDomains(call: Call, tenantId: string): Promise<EmailDomain[]> {
  const [, domains] = await call.read(oneTenant(call, tenantId), findEmailDomains(call, tenantId));
  return domains;
}

/** Looks the record up. An operator's approval remains. */
export async function verifyEmailDomain(call: Call, at: At): Promise<EmailDomain> {
  const before = await getUsableDomain(call, at);
  if (before.method === "operator") return before;
  const { name, value } = challengeRecord(before);
  const found = await txtRecords(call.env.DNS_RESOLVER || DEFAULT_RESOLVER, name);
  if (found.kind === "unknown")
    throw new ApiError(
      "unavailable",
      `The TXT record ${name} could not be looked up (${found.why}). Repeat the request in a minute. An operator can set DNS_RESOLVER, or vouch for the domain.`,
      {
        headers: { "retry-after": "60" },
      },
    );
  if (!found.texts.includes(value))
    throw new ApiError(
      "invalid_state",
      `There is no TXT record ${name} with the text ${value}. Add it where the DNS of ${before.domain} is kept, wait until it is published, and repeat the request.`,
    );
  return write(call, "verify", before, {
    ...before,
    ...provedByDns(call.now),
    verifiedAtMs: before.verifiedAtMs ?? call.now,
  });
}

/** An operator's approval in place of a record. */
export async function approveEmailDomain(call: Call, at: At): Promise<EmailDomain> {
  const before = await getUsableDomain(call, at);
  if (before.method === "operator") return before;
  return write(call, "approve", before, {
    ...before,
    method: "operator",
    verifiedAtMs: call.now,
    verifiedUntilMs: null,
    nextCheckAtMs: null,
  });
}

async function getUsableDomain(call: Call, { tenantId, domain }: At): Promise<EmailDomain> {
  const [, found] = await call.read(
    oneTenant(call, tenantId),
    one(findEmailDomain(call, tenantId, normalDomain(domain)), "domain"),
  );
  const why = unusable(found.domain);
  if (why !== undefined)
    throw new ApiError(
      "invalid_state",
      `The domain ${found.domain} cannot be verified. ${why} Remove it from the tenant's \`allowedEmailDomains\`.`,
    );
  return found;
}

async function write(
  call: Call,
  verb: "verify" | "approve",
  before: EmailDomain,
  after: EmailDomain,
): Promise<EmailDomain> {
  const { tenantId, domain } = before;
  return call.commit(after, [
    ...setEmailDomain(call, before, after),
    audit(
      `email_domain.${verb}`,
      { tenantId, type: "email_domain", id: domain },
      { before, after },
    ),
  ]);
}
