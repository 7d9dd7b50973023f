import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { TemplateVersion } from "#schema/templates.ts";
import {
  findNewer,
  findUsers,
  type RelatedVersion,
  relationsOf,
  withRelations,
} from "./components/relations.ts";
import { findTemplate, findTemplateVersion, findTemplateVersions } from "./store.ts";
import { versionNamed } from "./template-version.ts";

/** A version without its source and other large fields. */
export type ShortTemplateVersion = Pick<
  TemplateVersion,
  "id" | "tenantId" | "templateId" | "number" | "deprecatedAtMs" | "release" | "createdAtMs"
>;

export async function getTemplateVersion(
  call: Call,
  templateId: string,
  version: string,
): Promise<RelatedVersion> {
  const number = versionNamed(version);
  const [found, newer, usedBy] = await call.read(
    one(findTemplateVersion(call, templateId, number), "template version"),
    findNewer(call, templateId, number),
    findUsers(call, templateId, number),
  );
  return withRelations(found, relationsOf(newer, usedBy));
}

export async function listTemplateVersions<V>(
  call: Call,
  templateId: string,
  query: { limit: number; cursor?: string | undefined },
  view: (version: ShortTemplateVersion) => V,
): Promise<Page<V>> {
  const filters = { list: "template-versions", templateId };
  const page = await openPage(call, query, filters);
  const [, rows] = await call.read(
    one(findTemplate(call, templateId), "template"),
    findTemplateVersions(call, templateId, page),
  );
  return closePage(call, page, filters, rows, view);
}
