import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { createdFilters, severalOf } from "#http/lists/list-query.ts";
import { limitOf, pageOf, pageQuery } from "#http/lists/page.ts";
import { FreeMap, IdParams, TenantFilter, TenantIdField, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { importStates, importParts, type ImportPart } from "#schema/imports.ts";

const tag = "Imports";
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const ImportFile = z.looseObject({
  path: z
    .string()
    .describe(prose("A relative path with `/`. The member may also be called `name`.")),
  content: z.string(),
  encoding: z
    .enum(["utf-8", "base64"])
    .optional()
    .describe(prose("How `content` is encoded. Default: `utf-8`.")),
  format: z.string().optional(),
});

export const CreateImportBody = z.object({
  tenantId: TenantIdField,
  files: z
    .array(z.union([ImportFile, z.unknown()]))
    .max(2000)
    .default([])
    .describe(
      prose(
        "At most 1 MiB per file and 10 MiB together. A file that cannot be read does not fail the import; `files` of the answer says why.",
      ),
    ),
  report: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(prose("The JSON report of another tool.")),
});

const Place = { file: z.string(), line: z.int() };

const ImportSummary = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  state: z.enum(importStates),
  formats: z.array(z.string()),
  progress: z.object({
    total: z.int(),
    parsed: z.int(),
    failed: z.int(),
    skipped: z.int(),
  }),
  createdAt: Timestamp,
});

export const ImportFileView = z
  .object({
    path: z.string(),
    format: z.string().nullable(),
    bytes: z.int(),
    sha256: z
      .string()
      .nullable()
      .describe(prose("SHA-256 (hex) of the content. Null: the file could not be read.")),
    state: z.enum(["PARSED", "FAILED", "SKIPPED"]),
    reason: z
      .string()
      .nullable()
      .describe(
        prose("Why the file was not parsed, for example `unsupported_format`. Null: it was."),
      ),
    counts: z.record(z.string(), z.int()),
  })
  .meta({ id: "ImportFile" });

export const ImportWarning = z
  .object({
    code: z.string(),
    severity: z.enum(["info", "warning", "error"]),
    file: z.string().nullable(),
    line: z.int().nullable(),
    column: z.int().nullable(),
    message: z.string(),
  })
  .meta({ id: "ImportWarning" });

const parts = {
  files: z.array(ImportFileView),
  modules: z.array(
    z.object({
      path: z.string(),
      isRoot: z.boolean(),
      requiredVersion: z.string().nullable(),
      backend: z.string().nullable(),
    }),
  ),
  resources: z.array(
    z.object({
      address: z.string(),
      mode: z.string(),
      type: z.string(),
      name: z.string(),
      provider: z.string().nullable(),
      cloud: z.string().nullable(),
      region: z.string().nullable(),
      ...Place,
      endLine: z.int(),
      repeated: z.boolean(),
    }),
  ),
  variables: z.array(FreeMap),
  outputs: z.array(FreeMap),
  moduleCalls: z.array(FreeMap),
  providers: z.array(
    z.object({
      name: z.string(),
      source: z.string().nullable(),
      constraints: z.string().nullable(),
      aliases: z.array(z.string()),
      cloud: z.string().nullable(),
    }),
  ),
  warnings: z.array(ImportWarning),
} as const satisfies Record<ImportPart, z.ZodType>;

export const ImportView = ImportSummary.extend({
  ...parts,
  clouds: z.array(
    z.object({
      cloud: z.string(),
      resources: z.int(),
      regions: z.array(z.object({ name: z.string(), from: z.string(), ...Place })),
    }),
  ),
  graph: z.object({
    nodes: z.array(z.string()),
    edges: z.array(z.object({ from: z.string(), to: z.string(), ...Place })),
  }),
  report: z
    .object({ kind: z.string(), summary: FreeMap, findings: z.array(FreeMap) })
    .nullable()
    .describe(prose("Null: no report was sent, or it was not recognized; a warning then says so.")),
  draft: z
    .object({
      source: z.string(),
      mapped: z.int(),
      unsupported: z.array(FreeMap),
      unresolved: z.array(FreeMap),
    })
    .nullable()
    .describe(prose("A draft template. Null: nothing in the files can be converted.")),
  counts: z
    .record(z.enum(importParts), z.int())
    .describe(prose("The number of items in each list.")),
  nextCursors: z
    .record(z.enum(importParts), z.string().nullable())
    .describe(prose("For each list: the `cursor` of its next page. Null: there is none.")),
});

const reader = { role: "CustomerDeveloper", scope: "imports:read" } as const;

export const createImportEndpoint = endpoint({
  method: "POST",
  path: "/imports",
  operationId: "createImport",
  tag,
  summary: prose("Import infrastructure code"),
  description: prose(
    "Analyses the files and answers with the finished import; nothing is deployed. `files` has the result for every file. The files are not stored; the import is kept for 30 days.",
  ),
  access: { role: "CustomerDeveloper", scope: "imports:write" },
  body: CreateImportBody,
  bodyOptional: true,
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
  location: "/imports/{id}",
  etag: true,
  quota: "imports",
  problems: ["not_found", "quota_exceeded"],
});

export const getImportEndpoint = endpoint({
  method: "GET",
  path: "/imports/{id}",
  operationId: "getImport",
  tag,
  summary: prose("Read an import"),
  description: prose(
    "Answers the first page of each list. With `part` and `cursor`, answers another page of that list; the other lists are then empty.",
  ),
  access: reader,
  params: IdParams,
  query: z.object({
    part: z
      .enum(importParts)
      .optional()
      .describe(prose("The list that `cursor` belongs to. Required with `cursor`.")),
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

export { ImportSummary };
