import * as z from "zod";
import { RELEASE } from "#engine/template/releases/release.ts";
import { endpoint } from "#http/endpoint.ts";
import { LabelsField, LabelsPatch, LabelsView } from "#http/labels.ts";
import { listFilters, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import {
  CreatedAt,
  Id,
  IdParams,
  oneLine,
  OwnerId,
  PathId,
  plainText,
  QueryList,
  TenantFilter,
  TenantIdField,
  Timestamp,
  UpdatedAt,
} from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";

const tag = "Templates";
const MAX_BODY_BYTES = 1024 * 1024;

const Source = z
  .string()
  .min(1)
  .max(200_000)
  .describe(
    prose(
      "The template as YAML 1.2 or JSON, in Pulumi YAML syntax with the providers' own property names.",
    ),
  );

const Release = z
  .string()
  .max(100)
  .regex(RELEASE, "It must be a release in full, such as 1.4.0 or 2.0.0-rc.1.")
  .describe(
    prose(
      "The release of the version, by semantic versioning: `1.4.0`. Other templates can then use the version as a component. Unique in the template, and never used again. Default: none.",
    ),
  );

const Name = oneLine(2, 80).describe(prose("The template's name, for people."));
const Description = plainText(0, 2000).describe(prose("A description, for people."));

export const CreateTemplateBody = z.object({
  name: Name,
  description: Description.default(""),
  labels: LabelsField.default({}),
  source: Source.optional().describe(
    prose("The source of version 1. Default: the template has no version yet."),
  ),
  release: Release.optional(),
  tenantId: TenantIdField,
});

export const UpdateTemplateBody = z.object({
  name: Name.optional(),
  description: Description.optional(),
  labels: LabelsPatch.optional(),
});

export const AddTemplateVersionBody = z.object({
  source: Source,
  release: Release.optional(),
  upgradeComponents: z
    .boolean()
    .default(false)
    .describe(
      prose(
        "True: each component becomes the highest release in its range. False: a component with the same name and range as in the previous version keeps its release.",
      ),
    ),
});

const CheckedTenant = TenantIdField.describe(
  prose(
    "Also check whether this tenant's targets and limits allow a deployment. Default: check the source only.",
  ),
);

export const ValidateTemplateBody = z.object({
  source: Source.optional().describe(
    prose("The source to check. Default: the source of the latest version."),
  ),
  tenantId: CheckedTenant,
});

export const ValidateTemplateSourceBody = z.object({
  source: Source.describe(prose("The source to check.")),
  tenantId: CheckedTenant,
});

/** The media type of RFC 9512, and its common variants. */
const yamlBody = {
  mediaTypes: ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"],
  member: "source",
} as const;

export const TemplateView = z.object({
  id: Id,
  tenantId: z
    .uuid()
    .nullable()
    .describe(prose("Null: a platform template, which every tenant can use.")),
  name: z.string().describe(prose("The template's name, for people.")),
  description: z.string().describe(prose("A description, for people.")),
  labels: LabelsView,
  latestVersion: z
    .int()
    .nullable()
    .describe(
      prose("The number of the newest version, deprecated or not. Null: there is no version yet."),
    ),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

const JsonSchema = z
  .record(z.string(), z.unknown())
  .describe(prose("The JSON Schema (2020-12) of the variables that an instance sets."));

const Resources = z
  .array(
    z.object({
      name: z.string().describe(prose("The resource's name in the template.")),
      type: z
        .string()
        .nullable()
        .describe(
          prose(
            "The resource's type, with the version of the vendor's API where the provider's types have one. A stored version of a template keeps it. Null: it is a component.",
          ),
        ),
      component: z
        .string()
        .nullable()
        .describe(
          prose("The component: the name or id of the template that it uses. Null: it has a type."),
        ),
      range: z
        .string()
        .nullable()
        .describe(
          prose("The range of the component's releases, such as `^1.2`. Null: it has a type."),
        ),
      conditional: z
        .boolean()
        .describe(prose("It has a condition (`when`), which can leave it out.")),
      repeats: z
        .boolean()
        .describe(prose("It has a loop (`forEach`), which makes it once for each key.")),
      dependsOn: z
        .array(z.string())
        .describe(prose("The names of the resources and components that it needs first.")),
    }),
  )
  .describe(prose("The resources and components that the template declares."));

const ReleaseField = z
  .string()
  .nullable()
  .describe(prose("The version's release, such as `1.4.0`. Null: it is no component of others."));

export const ComponentsField = z
  .array(
    z.object({
      component: z.string().describe(prose("The template's name or id, as the source has it.")),
      range: z.string().describe(prose("The range of releases, as the source has it.")),
      templateId: z.uuid().describe(prose("The template's id.")),
      name: z.string().describe(prose("The template's name when the version was added.")),
      version: z.int().describe(prose("The number of the version that is used.")),
      release: z.string().describe(prose("The release that is used.")),
      digest: z.string().describe(prose("SHA-256 of the component's source, in hex.")),
      newest: z
        .object({
          version: z.int().describe(prose("The number of the version.")),
          release: z.string().describe(prose("The release.")),
        })
        .nullable()
        .describe(
          prose(
            "The highest release in the range, if it is another one. `upgradeComponents` takes it.",
          ),
        ),
    }),
  )
  .describe(
    prose("The templates that it uses as components, with their releases. They never change."),
  );

const UsedBy = z
  .array(
    z.object({
      templateId: z.uuid().describe(prose("The id of the template that uses it.")),
      name: z.string().describe(prose("The name of the template that uses it.")),
      version: z.int().describe(prose("The number of the version that uses it.")),
    }),
  )
  .describe(
    prose(
      "The template versions that use this version as a component: 50 at most. `GET /templates/{id}/uses` lists all.",
    ),
  );

const Diagnostics = z.array(
  z.object({
    severity: z
      .enum(["error", "warning"])
      .describe(prose("`error`: the source is refused. `warning`: it is accepted.")),
    code: z.string().describe(prose("The kind of diagnostic, for programs.")),
    message: z.string().describe(prose("The text, for people.")),
    path: z.string().describe(prose("JSON Pointer into the template.")),
    line: z.int().describe(prose("The line, from 1. 0: the diagnostic has no place in the text.")),
    column: z.int().describe(prose("The column, from 1, as editors count.")),
    endLine: z
      .int()
      .optional()
      .describe(prose("The line where the text in question ends, if known.")),
    endColumn: z
      .int()
      .optional()
      .describe(prose("The column after the end of the text in question, if known.")),
    hint: z.string().optional().describe(prose("What to write instead, if known.")),
  }),
);

const Warnings = Diagnostics.describe(
  prose("What is odd in the source; errors would have refused it."),
);

export const TemplateVersionSummary = z.object({
  id: Id,
  tenantId: OwnerId,
  templateId: z.uuid().describe(prose("The template's id.")),
  version: z.int().describe(prose("The number of the version: 1, 2, 3.")),
  deprecatedAt: Timestamp.nullable().describe(prose("Null: the version is not deprecated.")),
  release: ReleaseField,
  createdAt: CreatedAt,
});

export const TemplateVersionView = TemplateVersionSummary.extend({
  config: JsonSchema,
  secretNames: z.array(z.string()).describe(prose("The names of the secret variables.")),
  resources: Resources,
  outputs: z.array(z.string()).describe(prose("The names of the outputs.")),
  components: ComponentsField,
  usedBy: UsedBy,
}).meta({ id: "TemplateVersionDetails" });

export const TemplateUseView = z.object({
  templateId: z.uuid().describe(prose("The id of the template that uses it.")),
  name: z.string().describe(prose("The name of the template that uses it.")),
  version: z.int().describe(prose("The number of the version that uses it.")),
  usedVersion: z.int().describe(prose("The number of the version that is used.")),
  createdAt: CreatedAt,
});

export const NewTemplateVersionView = TemplateVersionView.extend({ diagnostics: Warnings }).meta({
  id: "NewTemplateVersion",
});

export const NewTemplateView = TemplateView.extend({ diagnostics: Warnings }).meta({
  id: "NewTemplate",
});

export const TemplateVersionWithSource = TemplateVersionView.extend({
  source: z.string().describe(prose("The source, as it was sent.")),
});

export const TemplateValidationView = z.object({
  valid: z.boolean().describe(prose("True: no diagnostic is an error.")),
  diagnostics: Diagnostics.describe(prose("Errors first, each kind in the order of the text.")),
  config: JsonSchema,
  resources: Resources,
  outputs: z.array(z.string()).describe(prose("The names of the outputs.")),
  components: ComponentsField,
});

const reader = { role: "CustomerViewer", scope: "templates:read" } as const;
/** The rights to change templates. */
export const templateWriter = { role: "CustomerDeveloper", scope: "templates:write" } as const;

export const createTemplateEndpoint = endpoint({
  method: "POST",
  path: "/templates",
  operationId: "createTemplate",
  tag,
  summary: prose("Create a template"),
  description: prose(
    "If an operator names no tenant, it becomes a platform template, which every tenant can use.",
  ),
  access: templateWriter,
  body: CreateTemplateBody,
  maxBodyBytes: MAX_BODY_BYTES,
  exampleBody: {
    name: "Network",
    source:
      "name: network\nruntime: yaml\nresources:\n  net:\n    type: mock:Network\n    properties: { name: main }\noutputs:\n  networkId: ${net.id}\n",
  },
  answer: {
    status: 201,
    description: prose("The template, with the warnings of its source."),
    schema: NewTemplateView,
  },
  location: "/templates/{id}",
  etag: true,
  problems: ["template_invalid", "not_found", "quota_exceeded"],
});

export const listTemplatesEndpoint = endpoint({
  method: "GET",
  path: "/templates",
  operationId: "listTemplates",
  tag,
  summary: prose("List templates"),
  description: prose("Lists the caller's templates and the platform's."),
  access: reader,
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    ...listFilters,
    sort: sortBy("createdAt", "updatedAt", "name"),
  }),
  answer: {
    status: 200,
    description: prose("A page of templates."),
    schema: pageOf(TemplateView),
  },
  problems: ["invalid_cursor"],
});

const MAX_SCHEMA_TYPES = 50;

const SchemaTypes = QueryList.transform((text) => [...new Set(text.split(","))])
  .refine((types) => types.length <= MAX_SCHEMA_TYPES, `At most ${MAX_SCHEMA_TYPES} types.`)
  .default([])
  .meta({
    type: "array",
    items: { type: "string" },
    minItems: 1,
    maxItems: MAX_SCHEMA_TYPES,
    default: [],
    description:
      "Resource types to add, with all that is known of their properties (`aws:AWS::S3::Bucket`). Several are separated by commas.",
  });

export const getTemplateSchemaEndpoint = endpoint({
  method: "GET",
  path: "/templates/schema",
  operationId: "getTemplateSchema",
  tag,
  summary: prose("Read the JSON Schema of template sources"),
  description: prose(
    "For editors, which fetch it without credentials. It knows the types of the available providers, and those that `types` adds.",
  ),
  access: "public",
  query: z.object({ types: SchemaTypes }),
  answer: {
    status: 200,
    description: prose("JSON Schema (2020-12)."),
    schema: z.record(z.string(), z.unknown()),
  },
});

export const getTemplateEndpoint = endpoint({
  method: "GET",
  path: "/templates/{id}",
  operationId: "getTemplate",
  tag,
  summary: prose("Read a template"),
  access: reader,
  params: IdParams,
  answer: { status: 200, description: prose("The template."), schema: TemplateView },
  etag: true,
});

export const updateTemplateEndpoint = endpoint({
  method: "PATCH",
  path: "/templates/{id}",
  operationId: "updateTemplate",
  tag,
  summary: prose("Rename, describe or label a template"),
  description: prose(
    "Changes name, description and labels only. Versions never change; add a new one to change the source.",
  ),
  access: templateWriter,
  params: IdParams,
  body: UpdateTemplateBody,
  elsewhere: {
    source: "POST /templates/{id}/versions",
    release: "POST /templates/{id}/versions",
    upgradeComponents: "POST /templates/{id}/versions",
  },
  bodyOptional: true,
  answer: { status: 200, description: prose("The template."), schema: TemplateView },
  etag: true,
  problems: ["conflict", "precondition_failed"],
});

export const deleteTemplateEndpoint = endpoint({
  method: "DELETE",
  path: "/templates/{id}",
  operationId: "deleteTemplate",
  tag,
  summary: prose("Delete a template"),
  description: prose(
    "Deletes the template and its versions. Refused while an instance uses it, a listing offers it or a version of another template uses it as a component.",
  ),
  access: templateWriter,
  params: IdParams,
  answer: { status: 204, description: prose("The template is deleted.") },
  problems: ["in_use", "conflict", "precondition_failed"],
});

export const deprecateTemplateVersionEndpoint = endpoint({
  method: "POST",
  path: "/templates/{id}/versions/{version}/deprecate",
  operationId: "deprecateTemplateVersion",
  shows: "/templates/{id}/versions/{version}",
  tag,
  summary: prose("Deprecate a version of a template"),
  description: prose(
    "`latest` skips the version from now on, and no new version takes it as a component. Instances and template versions that use it are not affected; `usedBy` names the templates. Repeating the request changes nothing.",
  ),
  access: templateWriter,
  params: IdParams.extend({
    version: PathId.describe(prose("The number of the version, or `latest`.")),
  }),
  answer: { status: 200, description: prose("The version."), schema: TemplateVersionView },
  etag: true,
  problems: ["conflict", "precondition_failed"],
});

export const addTemplateVersionEndpoint = endpoint({
  method: "POST",
  path: "/templates/{id}/versions",
  operationId: "addTemplateVersion",
  tag,
  summary: prose("Add a version to a template"),
  description: prose(
    "Versions are numbered 1, 2, 3 and never change. An invalid source is refused with all its errors. Each component becomes one release of its range, and deployments use that one until a new version takes another.",
  ),
  access: templateWriter,
  params: IdParams,
  body: AddTemplateVersionBody,
  maxBodyBytes: MAX_BODY_BYTES,
  answer: {
    status: 201,
    description: prose("The version, without its source, with its warnings."),
    schema: NewTemplateVersionView,
  },
  location: "/templates/{templateId}/versions/{version}",
  etag: true,
  quota: "versions",
  problems: ["template_invalid", "conflict", "release_taken", "quota_exceeded"],
});

export const listTemplateVersionsEndpoint = endpoint({
  method: "GET",
  path: "/templates/{id}/versions",
  operationId: "listTemplateVersions",
  tag,
  summary: prose("List the versions of a template"),
  access: reader,
  params: IdParams,
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: prose("A page of versions, newest first."),
    schema: pageOf(TemplateVersionSummary),
  },
  problems: ["invalid_cursor"],
});

export const listTemplateUsesEndpoint = endpoint({
  method: "GET",
  path: "/templates/{id}/uses",
  operationId: "listTemplateUses",
  tag,
  summary: prose("List the uses of a template as a component"),
  access: reader,
  params: IdParams,
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: prose("A page of template versions that use it, newest first."),
    schema: pageOf(TemplateUseView),
  },
  problems: ["invalid_cursor"],
});

export const getTemplateVersionEndpoint = endpoint({
  method: "GET",
  path: "/templates/{id}/versions/{version}",
  operationId: "getTemplateVersion",
  tag,
  summary: prose("Read a version of a template"),
  access: reader,
  params: IdParams.extend({
    version: PathId.describe(prose("The number of the version, or `latest`.")),
  }),
  answer: {
    status: 200,
    description: prose("The version, with its source."),
    schema: TemplateVersionWithSource,
  },
  etag: true,
});

export const validateTemplateEndpoint = endpoint({
  method: "POST",
  path: "/templates/{id}/validate",
  operationId: "validateTemplate",
  safe: true,
  tag,
  summary: prose("Validate a template"),
  description: prose(
    "Checks a source and changes nothing. An invalid source is a result (`valid: false`), not an error.",
  ),
  access: { role: "CustomerDeveloper", scope: "templates:read" },
  params: IdParams,
  body: ValidateTemplateBody,
  textBody: yamlBody,
  bodyOptional: true,
  maxBodyBytes: MAX_BODY_BYTES,
  answer: {
    status: 200,
    description: prose("The result, with all diagnostics."),
    schema: TemplateValidationView,
  },
});

export const validateTemplateSourceEndpoint = endpoint({
  method: "POST",
  path: "/templates/validate",
  operationId: "validateTemplateSource",
  tag,
  summary: prose("Validate a source"),
  description: prose(
    "Checks a source that is no template yet and stores nothing. Send it as JSON, or the file itself as `application/yaml`. An invalid source is a result (`valid: false`), not an error.",
  ),
  access: { role: "CustomerDeveloper", scope: "templates:read" },
  body: ValidateTemplateSourceBody,
  textBody: yamlBody,
  maxBodyBytes: MAX_BODY_BYTES,
  safe: true,
  answer: {
    status: 200,
    description: prose("The result, with all diagnostics."),
    schema: TemplateValidationView,
  },
});
