import type * as z from "zod";
import { tenantOfNew } from "#areas/tenants/public.ts";
import type { Call } from "#kernel/call/call.ts";
import type { CreateTemplateBody } from "./contract.ts";
import { newTemplate, type NewTemplate } from "./new-template.ts";

export async function createTemplate(
  call: Call,
  body: z.output<typeof CreateTemplateBody>,
): Promise<NewTemplate["template"]> {
  const tenantId = await tenantOfNew(call, body.tenantId);
  const { template, writes } = await newTemplate(call, tenantId, body);
  return call.commit(template, writes);
}
