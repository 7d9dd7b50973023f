import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf } from "#http/lists/page.ts";
import { TenantParams, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";

const tag = "Tenants";

export const EmailDomainView = z.object({
  domain: z.string().describe(prose("The domain, in lower case.")),
  state: z
    .enum(["PENDING", "VERIFIED", "UNUSABLE"])
    .describe(
      prose(
        "`VERIFIED`: people with a verified address of the domain may join. `PENDING`: they may not yet, or not any more. `UNUSABLE`: nobody can prove it.",
      ),
    ),
  reason: z.string().nullable().describe(prose("Why it is `UNUSABLE`. Null otherwise.")),
  method: z
    .enum(["dns", "operator"])
    .nullable()
    .describe(prose("What proved it last: the TXT record, or an operator's word. Null: nothing.")),
  record: z
    .object({
      type: z.literal("TXT").describe(prose("The type of the record.")),
      name: z.string().describe(prose("Where the record belongs.")),
      value: z.string().describe(prose("Its text. It is not a secret.")),
    })
    .describe(prose("The DNS record that proves the domain. Leave it there.")),
  verifiedAt: Timestamp.nullable().describe(prose("Null: it was never proved.")),
  verifiedUntil: Timestamp.nullable().describe(
    prose(
      "When the proof ends unless the record is seen again: the service looks each week. Null: there is none, or it is an operator's word, which does not end.",
    ),
  ),
});

const EmailDomainParams = TenantParams.extend({
  domain: z.string().min(1).max(253).describe(prose("A domain of `allowedEmailDomains`.")),
});

export const listEmailDomainsEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/email-domains",
  operationId: "listEmailDomains",
  tag,
  summary: prose("List a tenant's e-mail domains"),
  description: prose(
    "The domains of `allowedEmailDomains`, all on one page, each with the DNS record that proves it.",
  ),
  access: { role: "CustomerAdmin", scope: "tenants:read" },
  params: TenantParams,
  answer: {
    status: 200,
    description: prose("All of the tenant's domains."),
    schema: pageOf(EmailDomainView),
  },
});

export const verifyEmailDomainEndpoint = endpoint({
  method: "POST",
  path: "/tenants/{tenantId}/email-domains/{domain}/verify",
  operationId: "verifyEmailDomain",
  shows: null,
  tag,
  summary: prose("Verify an e-mail domain"),
  description: prose(
    "Looks up the domain's TXT record. With it, people with a verified address of the domain may join the tenant for 30 days; the service looks again each week and prolongs that. A record behind a CNAME does not count. Several tenants can prove the same domain: people choose.",
  ),
  access: { role: "CustomerOwner", scope: "tenants:write" },
  params: EmailDomainParams,
  answer: { status: 200, description: prose("The domain."), schema: EmailDomainView },
  problems: ["invalid_state", "conflict", "unavailable"],
});

export const approveEmailDomainEndpoint = endpoint({
  method: "POST",
  path: "/tenants/{tenantId}/email-domains/{domain}/approve",
  operationId: "approveEmailDomain",
  shows: null,
  tag,
  summary: prose("Vouch for an e-mail domain"),
  description: prose(
    "An operator's word in place of the DNS record. It holds until the domain leaves `allowedEmailDomains`.",
  ),
  access: { role: "operator", scope: "tenants:write" },
  params: EmailDomainParams,
  answer: { status: 200, description: prose("The domain."), schema: EmailDomainView },
  problems: ["invalid_state", "conflict"],
});
