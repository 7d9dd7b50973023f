import type * as z from "zod";
import { timestamp } from "#platform/http/schemas.ts";
import { tenantIdView } from "#platform/ids.ts";
import type { TemplateView } from "./contract.ts";
import type { Template } from "./tables.ts";

export function templateView(template: Template): z.input<typeof TemplateView> {
  return {
    id: template.id,
    tenantId: tenantIdView(template.tenantId),
    name: template.name,
    description: template.description,
    latestVersion: template.latestVersion === 0 ? null : template.latestVersion,
    createdAt: timestamp(template.createdAtMs),
    updatedAt: timestamp(template.updatedAtMs),
  };
}
