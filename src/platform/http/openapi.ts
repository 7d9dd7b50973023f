/** The OpenAPI 3.1 document, from the declarations and from nothing else. */
import * as z from "zod";
import { type ErrorCode, errorCodes, errorStatus, errorTitle } from "#platform/errors.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { type Endpoint, isMutation } from "./endpoint.ts";
import { API_PREFIX } from "./router.ts";

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
  /** What is said of each area, by tag. */
  tags: Readonly<Record<string, string>>;
  /** The kinds of webhook payloads. */
  eventTypes: readonly string[];
}

const problemSchema: JsonMap = {
  type: "object",
  description: "RFC 9457 problem details.",
  required: ["type", "title", "status", "detail", "instance", "code", "requestId"],
  properties: {
    type: { type: "string", description: "Where this error is explained." },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "What is wrong and what to do." },
    instance: { type: "string", description: "The path of the request." },
    code: { type: "string", enum: [...errorCodes] },
    requestId: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["in", "pointer", "code", "detail"],
        properties: {
          in: { type: "string", enum: ["body", "query", "path", "header"] },
          pointer: { type: "string", description: "JSON Pointer into the body; else the name." },
          code: { type: "string" },
          detail: { type: "string" },
        },
      },
    },
  },
};

const eventSchema = (types: readonly string[]): JsonMap => ({
  type: "object",
  description: "What a webhook receives. Signed as Standard Webhooks says.",
  required: ["id", "type", "timestamp", "apiVersion", "tenantId", "sequence", "data"],
  properties: {
    id: { type: "string", format: "uuid", description: "The same in every delivery and retry." },
    type: { type: "string", enum: [...types] },
    timestamp: { type: "string", format: "date-time" },
    apiVersion: { type: "string", const: "v1" },
    tenantId: { type: ["string", "null"], description: "Null: the platform's own." },
    sequence: { type: "integer", description: "Rises per resource: order by it." },
    data: { type: "object", additionalProperties: true },
  },
});

export function openApiDocument(endpoints: readonly Endpoint[], info: DocumentInfo): JsonMap {
  const paths: { [path: string]: JsonMap } = {};
  for (const endpoint of endpoints) {
    const path = API_PREFIX + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  const used = new Set(endpoints.map((endpoint) => endpoint.tag));
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
    security: [{ apiKey: [] }],
    tags: Object.entries(info.tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: {
      event: {
        post: {
          operationId: "receiveEvent",
          summary: "An event",
          description:
            "Sent to every enabled webhook that asks for the kind. Verify `webhook-signature` before you read the body; answer 2xx within 15 seconds.",
          tags: ["Webhooks"],
          security: [],
          parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
            name,
            in: "header",
            required: true,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Event" } } },
          },
          responses: {
            "204": { description: "Received." },
            "410": { description: "Send no more: the webhook is disabled." },
          },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An organization API key, scoped." },
      },
      schemas: { Problem: problemSchema, Event: eventSchema(info.eventTypes) },
    },
  };
}

function operation(endpoint: Endpoint): JsonMap {
  const parameters = [
    ...parametersOf(endpoint.params, "path"),
    ...parametersOf(endpoint.query, "query"),
    ...(isMutation(endpoint.method) ? [idempotencyParameter] : []),
    ...(takesIfMatch(endpoint) ? [ifMatchParameter] : []),
    ...(answersNotModified(endpoint) ? [ifNoneMatchParameter] : []),
  ];
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: [endpoint.description ?? [], demandedOf(endpoint)].flat().join("\n\n"),
    tags: [endpoint.tag],
    ...(endpoint.access === "public"
      ? { security: [] }
      : { "x-required-role": endpoint.access.role, "x-required-scope": endpoint.access.scope }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: endpoint.bodyOptional !== true,
            content: { "application/json": { schema: jsonSchema(endpoint.body, "input") } },
          },
        }),
    responses: {
      ...success(endpoint),
      ...(answersNotModified(endpoint)
        ? { "304": { description: "It is still as `If-None-Match` has it." } }
        : {}),
      ...problems(endpoint),
      ...failures(endpoint),
    },
  };
}

function demandedOf({ access }: Endpoint): string {
  if (access === "public") return "Needs no API key.";
  const role = access.role === "operator" ? "an operator" : `the role \`${access.role}\``;
  return `Needs the scope \`${access.scope}\` and ${role}.`;
}

const idempotencyParameter: JsonMap = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Repeating the request with the same key repeats the answer, for 24 hours.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

const ifMatchParameter: JsonMap = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "The ETag the change is meant for; the object has another: 412.",
  schema: { type: "string" },
};

const ifNoneMatchParameter: JsonMap = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "An ETag the caller has; it is still the object's: 304.",
  schema: { type: "string" },
};

function takesIfMatch({ method, problems = [] }: Endpoint): boolean {
  return method === "PATCH" || method === "DELETE" || problems.includes("precondition_failed");
}

function answersNotModified({ method, etag }: Endpoint): boolean {
  return method === "GET" && etag === true;
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query"): JsonMap[] {
  if (schema === undefined) return [];
  const object = jsonSchema(schema, "input");
  const required = (object["required"] ?? []) as string[];
  return Object.entries(object["properties"] as Record<string, JsonMap>).map(
    ([name, { description, ...rest }]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }),
  );
}

function success({ answer, location, etag, query }: Endpoint): JsonMap {
  const headers: JsonMap = {
    "X-Request-Id": { schema: { type: "string" }, description: "Quote it when you ask for help." },
    ...(location === undefined
      ? {}
      : { Location: { schema: { type: "string" }, description: "The resource." } }),
    ...(has(query, "cursor")
      ? { Link: { schema: { type: "string" }, description: 'The next page, `rel="next"`.' } }
      : {}),
    ...(etag === true
      ? { ETag: { schema: { type: "string" }, description: "The version, for If-Match." } }
      : {}),
  };
  const content: JsonMap = {
    ...(answer.schema === undefined
      ? {}
      : { "application/json": { schema: jsonSchema(answer.schema, "output") } }),
    ...(answer.otherMediaType === undefined
      ? {}
      : { [answer.otherMediaType]: { schema: { type: "string" } } }),
  };
  return {
    [String(answer.status)]: {
      description: answer.description,
      headers,
      ...(Object.keys(content).length > 0 ? { content } : {}),
    },
  };
}

/** Every failure an endpoint may answer: what follows from its shape, and what it declares beyond that. */
export function problemCodes(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const { access, params, query, body, method } = endpoint;
  const when = (condition: boolean, ...codes: ErrorCode[]): ErrorCode[] => (condition ? codes : []);
  return new Set<ErrorCode>([
    "internal",
    "rate_limited",
    "unauthenticated",
    ...(endpoint.problems ?? []),
    ...when(access !== "public", "forbidden"),
    ...when(params !== undefined, "not_found", "validation_failed"),
    ...when(query !== undefined, "unknown_parameter", "validation_failed"),
    ...when(has(query, "cursor"), "invalid_cursor"),
    ...when(has(body, "tenantId"), "not_found"),
    ...when(body !== undefined, "malformed_json", "payload_too_large", "unsupported_media_type"),
    ...when(isMutation(method), "idempotency_key_reused", "validation_failed"),
    ...when(takesIfMatch(endpoint), "conflict", "precondition_failed"),
  ]);
}

function has(schema: z.ZodType | undefined, field: string): boolean {
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, field);
}

function problems(endpoint: Endpoint): JsonMap {
  const codes = problemCodes(endpoint);
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of codes) {
    const status = String(errorStatus(code));
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([status, list]): [string, Json] => [
        status,
        {
          description: list.map((code) => `${errorTitle(code)} (\`${code}\`)`).join("; "),
          content: {
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
          },
        },
      ]),
  );
}

function failures(endpoint: Endpoint): JsonMap {
  return Object.fromEntries(
    Object.entries(endpoint.failures ?? {}).map(([status, { description, schema }]) => [
      status,
      { description, content: { "application/json": { schema: jsonSchema(schema, "output") } } },
    ]),
  );
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonMap {
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  }) as JsonMap;
  return inlined(rest, isJsonMap($defs) ? $defs : {}) as JsonMap;
}

const REFERENCE = "#/$defs/";

/**
 * A reference inside a schema would be looked up from the root of the whole document, where there is nothing:
 * what it names stands in its place. What names itself is `z.json()`: any value.
 */
function inlined(value: Json, defs: JsonMap): Json {
  if (Array.isArray(value)) return value.map((item) => inlined(item, defs));
  if (!isJsonMap(value)) return value;
  const { $ref, ...rest } = value;
  const members = Object.entries(rest).map(([key, inner]): [string, Json] => [
    key,
    inlined(inner, defs),
  ]);
  if (typeof $ref !== "string") return plain(Object.fromEntries(members));
  const name = $ref.slice(REFERENCE.length);
  const named = Object.hasOwn(defs, name) ? defs[name] : undefined;
  if (!isJsonMap(named)) throw new Error(`A schema refers to ${$ref}, which it does not define`);
  const resolved = reaches(named, name, defs, new Set()) ? {} : inlined(named, defs);
  return { ...(resolved as JsonMap), ...Object.fromEntries(members) };
}

/** The same schema in words that readers of OpenAPI expect: named properties, and no choice that has anything in it. */
function plain(schema: JsonMap): JsonMap {
  const { propertyNames, additionalProperties, anyOf, ...rest } = schema;
  if (
    isJsonMap(propertyNames) &&
    Array.isArray(propertyNames["enum"]) &&
    isJsonMap(additionalProperties)
  )
    return {
      ...rest,
      properties: Object.fromEntries(
        propertyNames["enum"]
          .filter((name) => typeof name === "string")
          .map((name): [string, Json] => [name, additionalProperties]),
      ),
      additionalProperties: false,
    };
  const takesAll = (choice: Json) => isJsonMap(choice) && Object.keys(choice).length === 0;
  return Array.isArray(anyOf) && anyOf.some(takesAll) ? rest : schema;
}

function reaches(value: Json, target: string, defs: JsonMap, seen: Set<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => reaches(item, target, defs, seen));
  if (!isJsonMap(value)) return false;
  const { $ref } = value;
  if (typeof $ref === "string") {
    const name = $ref.slice(REFERENCE.length);
    if (name === target) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return reaches(defs[name] ?? null, target, defs, seen);
  }
  return Object.values(value).some((inner) => reaches(inner, target, defs, seen));
}
