import type * as z from "zod";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Template } from "#schema/templates.ts";
import type { TemplateView } from "./contract.ts";

export function templateView(template: Template): z.input<typeof TemplateView> {
  return {
    id: template.id,
    tenantId: tenantIdView(template.tenantId),
    name: template.name,
    description: template.description,
    labels: template.labels,
    latestVersion: template.latestVersion === 0 ? null : template.latestVersion,
    createdAt: timestamp(template.createdAtMs),
    updatedAt: timestamp(template.updatedAtMs),
  };
}
