/** Builds the OpenAPI 3.1 document from the endpoint declarations alone. */
import * as z from "zod";
import { API_PREFIX } from "#http/api-prefix.ts";
import { type Endpoint, isMutation, isStrict, takesIdempotencyKey } from "#http/endpoint.ts";
import { faultCodes } from "#http/faults.ts";
import { sessionCookie } from "#kernel/authn/cookies.ts";
import { type ErrorCode, errorCodes, errorStatus, errorTitle } from "#kernel/errors.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { QUOTA_WINDOW_SECONDS, quotaLimits } from "#schema/lists/plans.ts";
import { type Components, componentsOf } from "./components.ts";
import {
  answerHeaders,
  bookmark,
  componentName,
  csrfProof,
  headerParameter,
  headerRefs,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  ON_EVERY_ANSWER,
  parameterRefs,
  prefer,
  requestHeaders,
} from "./headers.ts";
import { anyEvent, webhookHeaders, webhooksOf } from "./webhooks.ts";

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
  /** The description of each tag. */
  tags: Readonly<Record<string, string>>;
  /** The schema of each event, by kind. */
  events: Readonly<Record<string, z.ZodType>>;
}

export function openApiDocument(endpoints: readonly Endpoint[], info: DocumentInfo): JsonMap {
  const components = componentsOf(endpoints, Object.values(info.events));
  const paths: { [path: string]: JsonMap } = {};
  for (const endpoint of endpoints) {
    const path = API_PREFIX + endpoint.path;
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(endpoint, components),
    };
  }
  const used = new Set(endpoints.map((endpoint) => endpoint.tag));
  const events = Object.entries(info.events).map(([kind, schema]): [string, JsonMap] => [
    kind,
    components.output(schema),
  ]);
  return {
    openapi: "3.1.1",
    info: {
      title: info.title,
      version: info.version,
      summary: "Control plane for cloud deployments",
      description: info.description,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
      contact: { name: "The operator of this installation" },
    },
    servers: [{ url: "/", description: "This installation" }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: Object.entries(info.tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(events),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key of a tenant or of the platform, with scopes.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: sessionCookie.host,
          description:
            "A browser session, started with `GET /auth/oidc/{provider}/login`. Changes also need `x-service-csrf: 1`. Do not send it together with an API key.",
        },
      },
      parameters: Object.fromEntries(
        [...requestHeaders, ...webhookHeaders].map((it) => [
          componentName(it),
          headerParameter(it),
        ]),
      ),
      headers: Object.fromEntries(
        Object.entries(answerHeaders).map(([name, description]) => [
          componentName({ name }),
          { description, schema: { type: "string" } },
        ]),
      ),
      responses: sharedProblems(endpoints),
      schemas: { Problem: problemSchema, Event: anyEvent(events), ...components.schemas },
    },
  };
}

const problemSchema: JsonMap = {
  type: "object",
  description: "Problem details (RFC 9457). Programs decide by `code`; new codes may be added.",
  required: ["type", "title", "status", "detail", "instance", "code", "requestId"],
  properties: {
    type: { type: "string", description: "The URL of the documentation of this error." },
    title: { type: "string", description: "The meaning of `code` in a few words." },
    status: { type: "integer", description: "The HTTP status." },
    detail: { type: "string", description: "What is wrong and what to do next, for people." },
    instance: { type: "string", description: "The path of the request." },
    code: {
      type: "string",
      enum: [...errorCodes],
      description: "The kind of error, for programs.",
    },
    requestId: {
      type: "string",
      description: "The id of the request. Quote it when you ask for help.",
    },
    errors: {
      type: "array",
      description: "All faults of the request, at most 100.",
      items: {
        type: "object",
        required: ["in", "pointer", "code", "detail"],
        properties: {
          in: {
            type: "string",
            enum: ["body", "query", "path", "header"],
            description: "The part of the request.",
          },
          pointer: {
            type: "string",
            description:
              "The place: a JSON Pointer into the body, otherwise the name of the parameter or header.",
          },
          code: {
            type: "string",
            description: `What is wrong there: ${Object.entries(faultCodes)
              .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
              .join(" ")} Endpoints may name others.`,
          },
          detail: {
            type: "string",
            description: "The fault in words, and what to do, for people.",
          },
        },
      },
    },
  },
  examples: [
    {
      type: "/docs/errors#not_found",
      title: errorTitle("not_found"),
      status: 404,
      detail: "There is no such deployment.",
      instance: "/api/v1/deployments/01930000-0000-7000-8000-000000000000",
      code: "not_found",
      requestId: "01930000-0000-7000-8000-000000000001",
    },
  ],
};

function operation(endpoint: Endpoint, components: Components): JsonMap {
  const parameters = [
    ...parametersOf(endpoint.params, "path", components),
    ...parametersOf(endpoint.query, "query", components),
    ...parameterRefs([
      ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
      ...(takesIfMatch(endpoint) ? [ifMatch] : []),
      ...(answersNotModified(endpoint) ? [ifNoneMatch] : []),
      ...(endpoint.access !== "public" && !isMutation(endpoint.method) ? [bookmark] : []),
      ...(isStrict(endpoint) ? [prefer] : []),
      ...(endpoint.access !== "public" && isMutation(endpoint.method) ? [csrfProof] : []),
    ]),
  ];
  const { body, exampleBody } = endpoint;
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: [endpoint.description ?? [], requiredOf(endpoint), countedOf(endpoint)]
      .flat()
      .join("\n\n"),
    tags: [endpoint.tag],
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true }),
    ...(endpoint.access === "public"
      ? { security: [] }
      : endpoint.access.role === "session"
        ? { security: [{ session: [] }], "x-required-role": "session" }
        : { "x-required-role": endpoint.access.role, "x-required-scope": endpoint.access.scope }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: endpoint.bodyOptional !== true,
            content: {
              "application/json": {
                schema: components.input(body),
                ...(exampleBody === undefined ? {} : { example: exampleBody as Json }),
              },
              ...(endpoint.textBody === undefined
                ? {}
                : { [endpoint.textBody.mediaTypes[0]]: { schema: { type: "string" } } }),
            },
          },
        }),
    responses: {
      ...success(endpoint, components),
      ...(answersNotModified(endpoint)
        ? {
            "304": {
              description: "Not modified: the ETag of `If-None-Match` is still current.",
              headers: headerRefs(...ON_EVERY_ANSWER, "ETag"),
            },
          }
        : {}),
      ...problems(endpoint),
      ...failures(endpoint, components),
      ...(endpoint.answer.status === 302 ? { default: anyOtherFailure } : {}),
    },
  };
}

function requiredOf({ access }: Endpoint): string {
  if (access === "public") return "Needs no API key.";
  if (access.role === "session")
    return "Needs a signed-in browser session, of any tenant and role.";
  const role = access.role === "operator" ? "an operator" : `the role \`${access.role}\``;
  return `Needs the scope \`${access.scope}\` and ${role}.`;
}

function countedOf({ quota, quotaBytes }: Endpoint): string[] {
  if (quota === undefined) return [];
  return [
    `Counts against the tenant's quota \`${quota}\`: at most \`${quotaLimits[quota]}\` requests (a limit of the tenant's plan) within any ${QUOTA_WINDOW_SECONDS} seconds.`,
    ...(quotaBytes === undefined
      ? []
      : [`A larger body counts once for each ${quotaBytes / 1024 / 1024} MiB that begin.`]),
  ];
}

function takesIfMatch({ method, problems = [] }: Endpoint): boolean {
  return method === "PATCH" || method === "DELETE" || problems.includes("precondition_failed");
}

function answersNotModified(endpoint: Endpoint): boolean {
  return endpoint.etag === true && (endpoint.method === "GET" || endpoint.safe === true);
}

function parametersOf(
  schema: z.ZodType | undefined,
  place: "path" | "query",
  components: Components,
): JsonMap[] {
  if (schema === undefined) return [];
  const object = components.input(schema);
  const required = (object["required"] ?? []) as string[];
  return Object.entries(object["properties"] as Record<string, JsonMap>).map(
    ([name, { description, ...rest }]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description === undefined ? {} : { description }),
      // Lists in a query are separated by commas.
      ...(rest["type"] === "array" ? { style: "form", explode: false } : {}),
      schema: rest,
    }),
  );
}

function success(endpoint: Endpoint, components: Components): JsonMap {
  const { answer, location, etag, query } = endpoint;
  const headers = headerRefs(
    ...ON_EVERY_ANSWER,
    ...(location === undefined && answer.status !== 302 ? [] : (["Location"] as const)),
    ...(has(query, "cursor") ? (["Link"] as const) : []),
    ...(etag === true ? (["ETag"] as const) : []),
    ...(isStrict(endpoint) ? (["Preference-Applied"] as const) : []),
    ...(endpoint.access === "public" ? [] : (["X-D1-Bookmark"] as const)),
  );
  const content: JsonMap = {
    ...(answer.schema === undefined
      ? {}
      : { "application/json": { schema: components.output(answer.schema) } }),
    ...Object.fromEntries(
      (answer.otherMediaTypes ?? []).map((name) => [name, { schema: { type: "string" } }]),
    ),
  };
  return {
    ...(endpoint.dryRun !== true
      ? {}
      : {
          "200": {
            description: "The same, of a dry run: nothing was stored, and `id` is null.",
            headers: headerRefs(...ON_EVERY_ANSWER),
            content,
          },
        }),
    [String(answer.status)]: {
      description: answer.description,
      headers,
      ...(Object.keys(content).length > 0 ? { content } : {}),
    },
  };
}

/** Every failure that an endpoint may answer: those that follow from its shape, and those it declares. */
export function problemCodes(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const { access, params, query, body, method } = endpoint;
  const when = (condition: boolean, ...codes: ErrorCode[]): ErrorCode[] => (condition ? codes : []);
  return new Set<ErrorCode>([
    "internal",
    "rate_limited",
    ...(endpoint.problems ?? []),
    ...when(access !== "public", "unauthenticated", "forbidden", "validation_failed"),
    ...when(access !== "public" && isMutation(method), "csrf_required"),
    ...when(params !== undefined, "not_found", "validation_failed"),
    ...when(isStrict(endpoint), "unknown_parameter", "validation_failed"),
    ...when(has(query, "cursor"), "invalid_cursor"),
    ...when(has(body, "tenantId"), "not_found"),
    ...when(body !== undefined, "malformed_json", "payload_too_large", "unsupported_media_type"),
    ...when(takesIdempotencyKey(endpoint), "idempotency_key_reused"),
    ...when(isMutation(method), "validation_failed"),
    ...when(takesIfMatch(endpoint), "conflict", "precondition_failed"),
  ]);
}

function has(schema: z.ZodType | undefined, field: string): boolean {
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, field);
}

/** The possible codes of each status, in alphabetical order. */
function problemsByStatus(endpoint: Endpoint): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...problemCodes(endpoint)].sort()) {
    const status = errorStatus(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([a], [b]) => a - b);
}

/** An endpoint that only redirects has no 2xx answer; linters then require a `default`. */
const anyOtherFailure: JsonMap = {
  description: "Any other answer is an error.",
  headers: headerRefs(...ON_EVERY_ANSWER),
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

/** `ConflictOrInUse`: endpoints with equal failures share one component. */
const problemName = (codes: readonly ErrorCode[]): string =>
  codes
    .map((code) => code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join("Or");

function problems(endpoint: Endpoint): JsonMap {
  return Object.fromEntries(
    problemsByStatus(endpoint).map(([status, codes]): [string, Json] => [
      String(status),
      { $ref: `#/components/responses/${problemName(codes)}` },
    ]),
  );
}

function sharedProblems(endpoints: readonly Endpoint[]): JsonMap {
  const shared = new Map<string, JsonMap>();
  for (const endpoint of endpoints)
    for (const [status, codes] of problemsByStatus(endpoint)) {
      if (Object.hasOwn(endpoint.failures ?? {}, status)) continue;
      shared.set(problemName(codes), {
        description: codes.map((code) => `${errorTitle(code)} (\`${code}\`)`).join("; "),
        headers: headerRefs(
          ...ON_EVERY_ANSWER,
          ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
          ...(status === 429 || status === 503 ? (["Retry-After"] as const) : []),
        ),
        content: {
          "application/problem+json": {
            schema: {
              allOf: [
                { $ref: "#/components/schemas/Problem" },
                {
                  type: "object",
                  required: ["code"],
                  properties: { code: { type: "string", enum: codes } },
                },
              ],
            },
          },
        },
      });
    }
  return Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function failures(endpoint: Endpoint, components: Components): JsonMap {
  return Object.fromEntries(
    Object.entries(endpoint.failures ?? {}).map(([status, { description, schema }]) => [
      status,
      {
        description,
        headers: headerRefs(...ON_EVERY_ANSWER),
        content: { "application/json": { schema: components.output(schema) } },
      },
    ]),
  );
}
