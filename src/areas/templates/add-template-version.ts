import type * as z from "zod";
import { findLimitsOfOwner, spendQuota } from "#areas/tenants/public.ts";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { personOf } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { templates } from "#schema/templates.ts";
import { commitVersion } from "./commit-version.ts";
import { findComponents, ofTemplate } from "./components/find-components.ts";
import type { RelatedVersion } from "./components/relations.ts";
import { resolveComponents } from "./components/resolve-components.ts";
import { wantedComponents } from "./components/wanted-components.ts";
import type { AddTemplateVersionBody } from "./contract.ts";
import { requireOwnTemplate } from "./own-template.ts";
import { findTemplate } from "./store.ts";

/** Concurrent requests get different numbers: the second fails on the template's version and runs again. */
export async function addTemplateVersion(
  call: Call,
  id: string,
  body: z.output<typeof AddTemplateVersionBody>,
): Promise<RelatedVersion & { diagnostics: Diagnostic[] }> {
  const { source, upgradeComponents } = body;
  const wanted = await wantedComponents(call, body, source);
  const [before, [limits], ...found] = await call.read(
    one(findTemplate(call, id), "template"),
    findLimitsOfOwner(call, templates, id),
    ...findComponents(call, wanted, {
      ...ofTemplate(call, id),
      ...(upgradeComponents ? {} : { pins: { of: "last" } }),
    }),
  );
  requireOwnTemplate(call, before);
  if (limits !== undefined) await spendQuota(call, limits);
  const components = await resolveComponents(wanted, found, source.length);
  return commitVersion(call, before, body, components, { person: personOf(call.actor) });
}
