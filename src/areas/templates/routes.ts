import type * as z from "zod";
import { plainRoute, route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import { addTemplateVersion } from "./add-template-version.ts";
import { componentsView } from "./components/component-views.ts";
import { listTemplateUses } from "./components/list-uses.ts";
import type { RelatedVersion } from "./components/relations.ts";
import {
  addTemplateVersionEndpoint,
  createTemplateEndpoint,
  deleteTemplateEndpoint,
  deprecateTemplateVersionEndpoint,
  getTemplateEndpoint,
  getTemplateSchemaEndpoint,
  getTemplateVersionEndpoint,
  listTemplatesEndpoint,
  listTemplateUsesEndpoint,
  listTemplateVersionsEndpoint,
  type TemplateValidationView,
  type TemplateVersionSummary,
  type TemplateVersionView,
  updateTemplateEndpoint,
  validateTemplateEndpoint,
  validateTemplateSourceEndpoint,
} from "./contract.ts";
import { createTemplate } from "./create-template.ts";
import { deleteTemplate } from "./delete-template.ts";
import { deprecateTemplateVersion } from "./deprecate-template-version.ts";
import {
  getTemplateVersion,
  listTemplateVersions,
  type ShortTemplateVersion,
} from "./read-template-versions.ts";
import { getTemplate, listTemplates } from "./read-templates.ts";
import { schemaDocument } from "./schema-document.ts";
import { templateView } from "./template-view.ts";
import { updateTemplate } from "./update-template.ts";
import { type Validation, validateTemplate, validateTemplateSource } from "./validate-template.ts";

/** `/templates/schema` must come before `/templates/{id}`, which matches it too. */
export const templateRoutes = [
  route(
    createTemplateEndpoint,
    (call, { body }) => createTemplate(call, body),
    (template) => ({ ...templateView(template), diagnostics: template.diagnostics }),
  ),
  route(
    listTemplatesEndpoint,
    (call, { query }) => listTemplates(call, query, templateView),
    (page) => page,
  ),
  plainRoute(getTemplateSchemaEndpoint, async (c, { query: { types } }) => {
    const { origin, pathname } = new URL(c.req.url);
    const named = types.length === 0 ? "" : `?types=${types.map(encodeURIComponent).join(",")}`;
    const url = `${origin}${pathname}${named}`;
    const { json, etag } = await schemaDocument(url, types, c.env.ASSETS);
    const headers = { etag, "cache-control": "public, max-age=60" };
    if (c.req.header("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return new Response(json, { headers: { ...headers, "content-type": "application/json" } });
  }),
  route(getTemplateEndpoint, (call, { params }) => getTemplate(call, params.id), templateView),
  route(
    updateTemplateEndpoint,
    (call, { params, body }) => updateTemplate(call, params.id, body),
    templateView,
  ),
  route(deleteTemplateEndpoint, (call, { params }) => deleteTemplate(call, params.id)),
  route(
    addTemplateVersionEndpoint,
    (call, { params, body }) => addTemplateVersion(call, params.id, body),
    (added) => ({ ...versionView(added), diagnostics: added.diagnostics }),
  ),
  route(
    listTemplateVersionsEndpoint,
    (call, { params, query }) => listTemplateVersions(call, params.id, query, versionSummary),
    (page) => page,
  ),
  route(
    listTemplateUsesEndpoint,
    (call, { params, query }) => listTemplateUses(call, params.id, query),
    (page) => page,
  ),
  route(
    getTemplateVersionEndpoint,
    (call, { params }) => getTemplateVersion(call, params.id, params.version),
    (found) => ({ ...versionView(found), source: found.row.source }),
  ),
  route(
    deprecateTemplateVersionEndpoint,
    (call, { params }) => deprecateTemplateVersion(call, params.id, params.version),
    versionView,
  ),
  route(
    validateTemplateSourceEndpoint,
    (call, { body }) => validateTemplateSource(call, body),
    validationView,
  ),
  route(
    validateTemplateEndpoint,
    (call, { params, body }) => validateTemplate(call, params.id, body),
    validationView,
  ),
];

function versionSummary(version: ShortTemplateVersion): z.input<typeof TemplateVersionSummary> {
  return {
    id: version.id,
    tenantId: tenantIdView(version.tenantId),
    templateId: version.templateId,
    version: version.number,
    deprecatedAt: timestampOrNull(version.deprecatedAtMs),
    release: version.release,
    createdAt: timestamp(version.createdAtMs),
  };
}

function versionView({ row, relations }: RelatedVersion): z.input<typeof TemplateVersionView> {
  return {
    ...versionSummary(row),
    config: row.config,
    secretNames: [...row.secretNames],
    resources: row.resources,
    outputs: [...row.outputs],
    components: componentsView(row.components, relations.newer),
    usedBy: [...relations.usedBy],
  };
}

function validationView(validation: Validation): z.input<typeof TemplateValidationView> {
  const { valid, diagnostics, config, resources, outputs, pinned, newer } = validation;
  const components = componentsView(pinned, newer);
  return { valid, diagnostics, config, resources, outputs, components };
}
