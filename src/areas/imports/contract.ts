import * as z from "zod";
import { TemplateView } from "#areas/templates/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { LabelsField } from "#http/labels.ts";
import { createdFilters, severalOf } from "#http/lists/list-query.ts";
import { limitOf, pageOf, pageQuery } from "#http/lists/page.ts";
import {
  CreatedAt,
  flagQuery,
  FreeMap,
  Id,
  IdParams,
  oneLine,
  OwnerId,
  plainText,
  TenantFilter,
  TenantIdField,
} from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { importStates, importParts, type ImportPart } from "#schema/imports.ts";

const tag = "Imports";
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const QUOTA_BYTES = 2 * 1024 * 1024;

/** The limits of an import's files. */
export const importLimits = {
  files: 2_000,
  fileBytes: 1024 * 1024,
  totalBytes: 10 * 1024 * 1024,
} as const;

const ImportFile = z.looseObject({
  path: z
    .string()
    .describe(prose("A relative path with `/`. The member may also be called `name`.")),
  content: z.string(),
  encoding: z
    .enum(["utf-8", "base64"])
    .optional()
    .describe(prose("How `content` is encoded. Default: `utf-8`.")),
  format: z
    .string()
    .optional()
    .describe(
      prose(
        "`terraform`, `terraform-state`, `terraform-plan`, `cloudformation`, `arm`, `pulumi`, `kubernetes` or `compose`. Default: the path and the content decide.",
      ),
    ),
});

export const CreateImportBody = z.object({
  tenantId: TenantIdField,
  files: z
    .array(z.union([ImportFile, z.unknown()]))
    .max(importLimits.files)
    .default([])
    .describe(
      prose(
        "At most 1 MiB per file and 10 MiB together. A file that cannot be read does not fail the import; `files` of the answer says why.",
      ),
    ),
  report: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1)])
    .optional()
    .describe(
      prose(
        "The JSON report of another tool: a plan or a state of Terraform or OpenTofu (`show -json`, or the state file), Checkov, driftctl or SARIF 2.1. Several reports of one tool are a list, as Checkov writes one.",
      ),
    ),
});

const Place = {
  file: z.string().describe(prose("The path of the file.")),
  line: z.int().describe(prose("The line, from 1.")),
};
const Format = z.string().describe(prose("The recognized format."));
const Cloud = z
  .string()
  .nullable()
  .describe(prose("The cloud, for example `aws`. Null: none that the service knows."));

export const ImportProgress = z
  .object({
    total: z.int().describe(prose("All files.")),
    parsed: z.int().describe(prose("Files that were read.")),
    failed: z.int().describe(prose("Files that could not be read.")),
    skipped: z.int().describe(prose("Files that were left out.")),
  })
  .describe(prose("The number of files by result."));

const ImportSummary = z.object({
  id: Id,
  tenantId: OwnerId,
  state: z
    .enum(importStates)
    .describe(
      prose(
        "`COMPLETED_WITH_WARNINGS`: `warnings` says what needs attention. `FAILED`: every file failed.",
      ),
    ),
  formats: z.array(z.string()).describe(prose("The recognized formats.")),
  progress: ImportProgress,
  createdAt: CreatedAt,
});

export const ImportFileView = z
  .object({
    path: z.string().describe(prose("The file's path.")),
    format: z.string().nullable().describe(prose("The recognized format. Null: none.")),
    bytes: z.int().describe(prose("The size in bytes.")),
    sha256: z
      .string()
      .nullable()
      .describe(prose("SHA-256 (hex) of the content. Null: the file could not be read.")),
    state: z
      .enum(["PARSED", "FAILED", "SKIPPED"])
      .describe(prose("The result; `reason` explains `FAILED` and `SKIPPED`.")),
    reason: z
      .string()
      .nullable()
      .describe(
        prose("Why the file was not parsed, for example `unsupported_format`. Null: it was."),
      ),
    counts: z.record(z.string(), z.int()).describe(prose("The number of declarations by kind.")),
  })
  .meta({ id: "ImportFile" });

export const ImportWarning = z
  .object({
    code: z.string().describe(prose("The kind of warning, for programs.")),
    severity: z
      .enum(["info", "warning", "error"])
      .describe(prose("The importance of the warning.")),
    file: z
      .string()
      .nullable()
      .describe(prose("The path of the file. Null: the warning is about no single file.")),
    line: z.int().nullable().describe(prose("The line, from 1. Null: none is known.")),
    column: z.int().nullable().describe(prose("The column, from 1. Null: none is known.")),
    message: z.string().describe(prose("The text, for people.")),
  })
  .meta({ id: "ImportWarning" });

const ModulePath = z.string().describe(prose("The path of its module."));

/** The numbers of managed resources that a draft has whole, in part, and not at all. */
const mappedCounts = {
  mapped: z.int().describe(prose("Resources that the draft has whole.")),
  partlyMapped: z.int().describe(prose("Resources of which the draft leaves something out.")),
  notMapped: z.int().describe(prose("Resources that the draft does not have.")),
};

const DraftGap = z
  .object({
    address: z
      .string()
      .describe(prose("The address in the source, for example `module.net.aws_vpc.main`.")),
    ...Place,
    path: z.string().nullable().describe(prose("What of it is left out. Null: the whole of it.")),
    code: z.string().describe(prose("The kind of gap, for programs.")),
    reason: z.string().describe(prose("The reason, for people.")),
  })
  .meta({ id: "ImportDraftGap" });

const ImportDraft = z
  .object({
    module: ModulePath,
    format: Format,
    source: z
      .string()
      .describe(prose("A template that passes the check. What it could not say is listed beside.")),
    ...mappedCounts,
    unsupported: z.array(DraftGap).describe(prose("What the source has and the draft has not.")),
    unresolved: z
      .array(
        z.object({
          config: z.string().describe(prose("Its name in the draft.")),
          address: z.string().describe(prose("The address in the source that needs the variable.")),
          ...Place,
          reason: z.string().describe(prose("The reason, for people.")),
        }),
      )
      .describe(prose("Config variables that stand for what only the source's tool can compute.")),
    release: z
      .string()
      .optional()
      .describe(
        prose("The release of its template, if other drafts of the import use it as a component."),
      ),
  })
  .meta({ id: "ImportDraft" });

const parts = {
  files: z.array(ImportFileView).describe(prose("The files, each with its result.")),
  modules: z
    .array(
      z.object({
        path: z.string().describe(prose("The folder for Terraform, the file for other formats.")),
        format: Format,
        isRoot: z.boolean().describe(prose("No other module of the import calls it.")),
        requiredVersion: z
          .string()
          .nullable()
          .describe(prose("The Terraform versions that the module asks for. Null: it names none.")),
        backend: z
          .string()
          .nullable()
          .describe(prose("The type of the Terraform backend. Null: none.")),
      }),
    )
    .describe(prose("The modules.")),
  resources: z
    .array(
      z.object({
        module: ModulePath,
        address: z
          .string()
          .describe(prose("The address in the source, for example `module.net.aws_vpc.main`.")),
        mode: z.enum(["managed", "data"]).describe(prose("`data`: the resource is only read.")),
        type: z.string().describe(prose("The source's type of resource, for example `aws_vpc`.")),
        name: z.string().describe(prose("The resource's name.")),
        provider: z
          .string()
          .nullable()
          .describe(prose("The source's name of the provider. Null: none is known.")),
        cloud: Cloud,
        region: z.string().nullable().describe(prose("The region. Null: none is known.")),
        ...Place,
        endLine: z.int().describe(prose("The last line, from 1.")),
        repeated: z
          .boolean()
          .describe(
            prose(
              "It stands for several objects, or for one under a condition: `count`, `for_each`.",
            ),
          ),
      }),
    )
    .describe(prose("The declared resources.")),
  variables: z
    .array(
      z.object({
        module: ModulePath,
        name: z.string().describe(prose("The variable's name.")),
        type: z.string().nullable().describe(prose("The type as the source has it. Null: none.")),
        description: z.string().nullable().describe(prose("The source's description. Null: none.")),
        required: z.boolean().describe(prose("It has no default.")),
        default: z
          .union([z.string(), z.number(), z.boolean()])
          .nullable()
          .describe(prose("Null: there is none, it is no literal, or it could be a secret.")),
        sensitive: z
          .boolean()
          .describe(prose("The source marks it as a secret, or its name says so.")),
        ...Place,
      }),
    )
    .describe(prose("The declared variables.")),
  outputs: z
    .array(
      z.object({
        module: ModulePath,
        name: z.string().describe(prose("The output's name.")),
        description: z.string().nullable().describe(prose("The source's description. Null: none.")),
        sensitive: z
          .boolean()
          .describe(prose("The source marks it as a secret, or its name says so.")),
        ...Place,
      }),
    )
    .describe(prose("The declared outputs.")),
  moduleCalls: z
    .array(
      z.object({
        module: ModulePath,
        name: z.string().describe(prose("The name of the call.")),
        source: z
          .string()
          .nullable()
          .describe(prose("The address of the called module. Null: none is known.")),
        version: z.string().nullable().describe(prose("The version constraint. Null: none.")),
        target: z
          .string()
          .nullable()
          .describe(prose("The path of the called module. Null: it is not in the import.")),
        repeated: z
          .boolean()
          .describe(prose("True: it stands for several calls: `count`, `for_each`.")),
        ...Place,
      }),
    )
    .describe(prose("The calls of modules.")),
  providers: z
    .array(
      z.object({
        module: ModulePath,
        name: z.string().describe(prose("The source's name of the provider.")),
        source: z
          .string()
          .nullable()
          .describe(prose("The provider's address in a registry. Null: none is given.")),
        constraints: z.string().nullable().describe(prose("The version constraints. Null: none.")),
        aliases: z
          .array(z.string())
          .describe(prose("The names of further configurations of the provider.")),
        cloud: Cloud,
      }),
    )
    .describe(prose("The providers that the modules use.")),
  nodes: z.array(z.object({ id: z.string() })),
  edges: z.array(z.object({ from: z.string(), to: z.string(), ...Place })),
  findings: z.array(FreeMap),
  drafts: z
    .array(
      z.object({
        module: ModulePath,
        format: Format,
        ...mappedCounts,
      }),
    )
    .describe(prose("The counts of each draft: of the root modules, then of components.")),
  coverage: z
    .array(
      z.object({
        module: ModulePath,
        type: z.string().describe(prose("The source's type of resource.")),
        ...mappedCounts,
        reasons: z
          .array(z.string())
          .describe(prose("Why resources of the type are not mapped, or only in part.")),
      }),
    )
    .describe(prose("The counts of the drafts by type of resource.")),
  warnings: z
    .array(ImportWarning)
    .describe(prose("Gaps of the import, and other things that need attention.")),
} as const satisfies Record<ImportPart, z.ZodType>;

const { nodes: _, edges: __, findings: ___, ...lists } = parts;

export const ImportView = ImportSummary.extend({
  id: z.uuid().nullable().describe(prose("Null: a dry run, of which nothing is stored.")),
  ...lists,
  clouds: z
    .array(
      z.object({
        cloud: z.string().describe(prose("The cloud, for example `aws`.")),
        resources: z.int().describe(prose("The number of its resources.")),
        regions: z
          .array(
            z.object({
              name: z.string().describe(prose("The region's name.")),
              from: z
                .enum(["resource", "provider", "default"])
                .describe(prose("What names it; `default`: the default of a variable.")),
              ...Place,
            }),
          )
          .describe(prose("The regions in use.")),
      }),
    )
    .describe(prose("The clouds in use.")),
  graph: z
    .object({
      nodes: z.array(z.string()).describe(prose("The ids of the declarations.")),
      edges: z
        .array(
          z.object({
            from: z.string().describe(prose("The id of the referring declaration.")),
            to: z.string().describe(prose("The id of the declaration that it refers to.")),
            ...Place,
          }),
        )
        .describe(prose("The references.")),
    })
    .describe(prose("The references between the declarations.")),
  report: z
    .object({
      kind: z.string().describe(prose("The kind of report, for example `checkov`.")),
      summary: FreeMap.describe(prose("Counts by name.")),
      findings: z.array(FreeMap).describe(prose("The findings, in the order of the report.")),
    })
    .nullable()
    .describe(prose("Null: no report was sent, or it was not recognized; a warning then says so.")),
  draft: ImportDraft.nullable().describe(
    prose(
      "The draft template of one root module: the first, or the one that `module` names. Null: nothing in the files can be converted.",
    ),
  ),
  counts: z
    .record(z.enum(importParts), z.int().describe(prose("The number of items in this list.")))
    .describe(prose("The number of items in each list.")),
  nextCursors: z
    .record(
      z.enum(importParts),
      z
        .string()
        .nullable()
        .describe(prose("The `cursor` of this list's next page. Null: there is none.")),
    )
    .describe(prose("For each list: the `cursor` of its next page. Null: there is none.")),
});

const ModuleQuery = z
  .string()
  .max(1024)
  .optional()
  .describe(prose("The path of the root module whose draft is answered. Default: the first one."));

export const TemplateOfImportBody = z.object({
  name: oneLine(2, 80).describe(prose("The template's name, for people.")),
  description: plainText(0, 2000).default("").describe(prose("A description, for people.")),
  labels: LabelsField.default({}),
  module: z
    .string()
    .max(1024)
    .optional()
    .describe(prose("The path of the draft's module. Default: the first one.")),
});

const reader = { role: "CustomerDeveloper", scope: "imports:read" } as const;

export const createImportEndpoint = endpoint({
  method: "POST",
  path: "/imports",
  operationId: "createImport",
  tag,
  summary: prose("Import infrastructure code"),
  description: prose(
    "Analyses the files and answers with the finished import; nothing is deployed. `files` has the result for every file. The files are not stored; the import is kept for 30 days, or until it is deleted.",
  ),
  access: { role: "CustomerDeveloper", scope: "imports:write" },
  body: CreateImportBody,
  bodyOptional: true,
  query: z.object({
    adopt: flagQuery(
      "Drafts adopt what exists: resources whose ids a plan or a state tells get `options.import`.",
    ),
    dryRun: flagQuery("Analyse and store nothing."),
    module: ModuleQuery,
  }),
  maxBodyBytes: MAX_BODY_BYTES,
  exampleBody: {
    files: [
      { path: "main.tf", content: 'resource "aws_vpc" "main" { cidr_block = "10.0.0.0/16" }' },
    ],
  },
  answer: {
    status: 201,
    description: prose("The finished import, with the first page of each list."),
    schema: ImportView,
  },
  dryRun: true,
  location: "/imports/{id}",
  etag: true,
  quota: "imports",
  quotaBytes: QUOTA_BYTES,
  problems: ["not_found", "quota_exceeded"],
});

export const getImportEndpoint = endpoint({
  method: "GET",
  path: "/imports/{id}",
  operationId: "getImport",
  tag,
  summary: prose("Read an import"),
  description: prose(
    "Answers the first page of each list, together at most 400 KiB: a list of long names has fewer items than `limit`, and `nextCursors` goes on. With `part` and `cursor`, answers another page of that list; the other lists are then empty.",
  ),
  access: reader,
  params: IdParams,
  query: z.object({
    part: z
      .enum(importParts)
      .optional()
      .describe(prose("The list that `cursor` belongs to. Required with `cursor`.")),
    module: ModuleQuery,
    cursor: z
      .string()
      .max(1000)
      .optional()
      .describe(prose("The list's cursor, from `nextCursors`.")),
    limit: limitOf(100, "Maximum items per list (1–100)."),
  }),
  answer: { status: 200, description: prose("The import."), schema: ImportView },
  etag: true,
  problems: ["invalid_cursor"],
});

export const deleteImportEndpoint = endpoint({
  method: "DELETE",
  path: "/imports/{id}",
  operationId: "deleteImport",
  tag,
  summary: prose("Delete an import"),
  description: prose(
    "Deletes the import with its lists and drafts. Templates that were made of it stay.",
  ),
  access: { role: "CustomerDeveloper", scope: "imports:write" },
  params: IdParams,
  answer: { status: 204, description: prose("The import is deleted.") },
  problems: ["conflict", "precondition_failed"],
});

export const listImportsEndpoint = endpoint({
  method: "GET",
  path: "/imports",
  operationId: "listImports",
  tag,
  summary: prose("List imports"),
  access: reader,
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    state: severalOf(importStates, "Only imports in this state."),
    ...createdFilters,
  }),
  answer: {
    status: 200,
    description: prose("A page of imports, newest first."),
    schema: pageOf(ImportSummary),
  },
  problems: ["invalid_cursor"],
});

export const createTemplateOfImportEndpoint = endpoint({
  method: "POST",
  path: "/imports/{id}/template",
  operationId: "createTemplateOfImport",
  tag,
  summary: prose("Make a template of an import"),
  description: prose(
    "Makes a template in the import's tenant; version 1 has the draft as its source. The caller also needs the scope `imports:read`.",
  ),
  access: { role: "CustomerDeveloper", scope: "templates:write" },
  params: IdParams,
  body: TemplateOfImportBody,
  exampleBody: { name: "Shop" },
  answer: { status: 201, description: prose("The template."), schema: TemplateView },
  location: "/templates/{id}",
  etag: true,
  problems: ["invalid_state", "quota_exceeded", "template_invalid", "unavailable"],
});

export { ImportSummary };
