import type { Diagnostic } from "#engine/diagnostics.ts";
import type { TemplateDescription } from "#engine/template/describe.ts";
import { releaseOrder } from "#engine/template/releases/release-order.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import { ApiError, type RequestFault } from "#kernel/errors.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Authors } from "#schema/authors.ts";
import type { Template, TemplateVersion } from "#schema/templates.ts";
import type { Resolution } from "./components/resolve-components.ts";

export interface NewSource {
  source: string;
  release?: string | undefined;
}

/**
 * The next version of a template from a source. Throws `template_invalid` for an invalid source. The authors of its
 * components count as its authors: their content is deployed with it. `others`: further authors of the source.
 */
export function nextVersion(
  template: Template,
  { source, release }: NewSource,
  { description, components }: { description: TemplateDescription; components: Resolution },
  made: { id: string; now: number; person: string | null | undefined; others?: Authors },
): TemplateVersion {
  if (!description.valid) throw templateInvalid(description.diagnostics);
  const others = [...components.authors, made.others ?? {}].flatMap(Object.keys);
  const authors = others.reduce(
    (all: Authors, person) => withAuthor(all, person, { version: 1 }),
    {},
  );
  return {
    id: made.id,
    tenantId: template.tenantId,
    templateId: template.id,
    number: template.latestVersion + 1,
    version: 1,
    deprecatedAtMs: null,
    release: release ?? null,
    releaseOrder: release === undefined ? null : releaseOrder(release),
    authors: withAuthor(authors, made.person, { version: 1 }),
    createdAtMs: made.now,
    secretNames: secretNames(description.config),
    outputs: description.outputs,
    resources: description.resources,
    config: description.config,
    components: components.pinned,
    source,
  };
}

/** The version named in a path; 0, which no version has, for text that is neither a number nor `latest`. */
export function versionNamed(text: string): number | "latest" {
  if (text === "latest") return text;
  return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0;
}

function secretNames(config: JsonMap): string[] {
  const { properties } = config;
  return Object.entries(isJsonMap(properties) ? properties : {})
    .filter(([, schema]) => isJsonMap(schema) && schema["writeOnly"] === true)
    .map(([name]) => name);
}

/**
 * The error for a release that a version of the template has, for the commit. The number of a new version violates no
 * UNIQUE: the commit checks the template's version first.
 */
export function releaseTaken(release: string | undefined): Record<string, ApiError> {
  return {
    "template_versions.template_id": new ApiError(
      "release_taken",
      `A version of the template has the release ${release} already. A release always means the same version: use a higher one.`,
    ),
  };
}

function templateInvalid(diagnostics: readonly Diagnostic[]): ApiError {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return new ApiError(
    "template_invalid",
    `The source has ${errors === 1 ? "an error" : `${errors} errors`}; \`errors\` says where. Nothing was stored.`,
    { faults: diagnostics.map(faultOf) },
  );
}

function faultOf({ severity, code, message, line, column, hint }: Diagnostic): RequestFault {
  const place = line === 0 ? "" : `${line}:${column}: `;
  return {
    in: "body",
    pointer: "/source",
    code,
    detail: `${place}${severity === "warning" ? "Warning: " : ""}${message}${hint === undefined ? "" : ` ${hint}`}`,
  };
}
