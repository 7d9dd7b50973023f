import type * as z from "zod";
import { findTargetProviders } from "#areas/cloud-targets/public.ts";
import { findTenant } from "#areas/tenants/public.ts";
import { describeTemplate, type TemplateDescription } from "#engine/template/describe.ts";
import type { Call } from "#platform/call.ts";
import { notFound } from "#platform/errors.ts";
import { catalog } from "#providers/registry.ts";
import type { ValidateTemplateBody } from "./contract.ts";
import { missingTargets } from "./missing-targets.ts";
import { findTemplate, findTemplateVersion } from "./store.ts";

/** What is wrong with a source is the answer and no failure, even that there is no source. */
export async function validateTemplate(
  call: Call,
  id: string,
  body: z.output<typeof ValidateTemplateBody>,
): Promise<TemplateDescription> {
  const tenantId = body.tenantId ?? "";
  const [[template], [latest], [tenant], targets] = await call.read(
    findTemplate(call, id),
    findTemplateVersion(call, body.source === undefined ? id : "", "latest"),
    findTenant(call, tenantId),
    findTargetProviders(call, tenantId),
  );
  if (template === undefined) throw notFound("template");
  if (body.tenantId !== undefined && tenant === undefined) throw notFound("tenant");
  const source = body.source ?? latest?.source;
  if (source === undefined) return withoutSource();
  const description = describeTemplate(source, catalog());
  if (body.tenantId === undefined) return description;
  const providers = new Set<string>(targets.map(({ provider }) => provider));
  return {
    ...description,
    diagnostics: [...description.diagnostics, ...missingTargets(description.resources, providers)],
  };
}

function withoutSource(): TemplateDescription {
  return {
    ...describeTemplate("", catalog()),
    valid: false,
    diagnostics: [
      {
        severity: "error",
        code: "no_source",
        message: "The template has no version yet.",
        path: "",
        line: 0,
        column: 0,
        hint: "Send `source` with the request, or add a version.",
      },
    ],
  };
}
