import type * as z from "zod";
import { namedTenant, tenantOfNew } from "#areas/tenants/public.ts";
import { owningTenant } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { findComponents, ofTenant } from "./components/find-components.ts";
import { wantedComponents } from "./components/wanted-components.ts";
import type { CreateTemplateBody } from "./contract.ts";
import { newTemplate, type NewTemplate } from "./new-template.ts";

export async function createTemplate(
  call: Call,
  body: z.output<typeof CreateTemplateBody>,
): Promise<NewTemplate["template"]> {
  const { tenantId, found } = await ownerAndComponents(call, body);
  const { template, writes } = await newTemplate(call, tenantId, body, found);
  return call.commit(template, writes);
}

/** One round trip for both, if the source has components. */
async function ownerAndComponents(
  call: Call,
  body: z.output<typeof CreateTemplateBody>,
): Promise<{ tenantId: string; found: readonly unknown[] }> {
  const wanted = await wantedComponents(call, body, body.source);
  if (wanted.length === 0) return { tenantId: await tenantOfNew(call, body.tenantId), found: [] };
  const [, ...found] = await call.read(
    namedTenant(call, body.tenantId),
    ...findComponents(call, wanted, ofTenant(call, body.tenantId)),
  );
  return { tenantId: owningTenant(call.actor, body.tenantId), found };
}
