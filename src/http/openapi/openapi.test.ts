import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Endpoint, endpoint } from "#http/endpoint.ts";
import { severalOf, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import { FreeMap, IdParams, TenantIdField } from "#http/schemas.ts";
import { openApiDocument, problemCodes } from "./openapi.ts";

const info = {
  title: "T",
  version: "1",
  description: "D",
  tags: { Things: "All things.", Unused: "None." },
  events: {
    "thing.created": z
      .object({ type: z.literal("thing.created") })
      .meta({ id: "ThingCreatedEvent" }),
  },
};
const View = z.object({ id: z.uuid(), config: FreeMap, size: z.int().default(3) });
const access = { role: "CustomerAdmin", scope: "targets:write" } as const;
const create: Endpoint = endpoint({
  method: "POST",
  path: "/things",
  operationId: "createThing",
  tag: "Things",
  summary: "Create a thing",
  access,
  body: z.object({ size: z.int().default(3), config: FreeMap, tenantId: TenantIdField }),
  answer: { status: 201, description: "It.", schema: View },
  location: "/things/{id}",
  etag: true,
  waits: true,
  problems: ["slug_taken"],
});
const list: Endpoint = endpoint({
  method: "GET",
  path: "/things",
  operationId: "listThings",
  tag: "Things",
  summary: "List things",
  access,
  query: z.object({
    ...pageQuery,
    state: severalOf(["ON", "OFF"], "Only things in this state."),
    sort: sortBy("createdAt", "name"),
  }),
  answer: { status: 200, description: "Them.", schema: pageOf(View) },
});
const remove: Endpoint = endpoint({
  method: "DELETE",
  path: "/things/{id}",
  operationId: "deleteThing",
  tag: "Things",
  summary: "Delete a thing",
  access: { role: "operator", scope: "targets:write" },
  params: IdParams,
  answer: { status: 204, description: "Gone." },
});
// oxlint-disable-next-line typescript/no-explicit-any -- a document is read by its paths here
const document = openApiDocument([create, list, remove], info) as any;

/** Resolves a reference into the document. */
const named = ({ $ref }: { $ref: string }) =>
  $ref
    .slice(2)
    .split("/")
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    .reduce<any>((at, key) => at?.[key], document);

/** Every object in the document. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

describe("openApiDocument", () => {
  it("describes filters with several values as arrays that commas separate", () => {
    const { parameters } = document.paths["/api/v1/things"].get;
    const parameter = (name: string) =>
      parameters.find((one: { name: string }) => one.name === name);
    expect(parameter("state")).toEqual({
      name: "state",
      in: "query",
      required: false,
      description: "Only things in this state. Several are separated by commas.",
      style: "form",
      explode: false,
      schema: { type: "array", items: { type: "string", enum: ["ON", "OFF"] }, minItems: 1 },
    });
    expect(parameter("sort").schema).toEqual({
      type: "string",
      enum: ["createdAt", "-createdAt", "name", "-name"],
      default: "-createdAt",
    });
  });

  it("groups the operations of a path, and describes the tags in use", () => {
    expect(Object.keys(document.paths)).toEqual(["/api/v1/things", "/api/v1/things/{id}"]);
    expect(Object.keys(document.paths["/api/v1/things"])).toEqual(["post", "get"]);
    expect(document.tags).toEqual([{ name: "Things", description: "All things." }]);
  });

  it("requires fields without a default in requests, and all fields in answers", () => {
    const { post } = document.paths["/api/v1/things"];
    const asked = named(post.requestBody.content["application/json"].schema);
    expect(asked.required).toEqual(["config"]);
    expect(asked.properties.size).toMatchObject({ type: "integer", default: 3 });
    const answered = named(post.responses["201"].content["application/json"].schema);
    expect(answered.required).toEqual(["id", "config", "size"]);
  });

  it("has no dangling references", () => {
    for (const object of objectsIn(document)) {
      expect(object).not.toHaveProperty("$schema");
      expect(object).not.toHaveProperty("$defs");
      const { $ref } = object;
      if (typeof $ref !== "string") continue;
      const found = named({ $ref });
      expect(found, $ref).toBeDefined();
    }
  });

  it("states access and parameters", () => {
    const always = ["X-Request-Id", "RateLimit", "RateLimit-Policy"];
    const { post, get } = document.paths["/api/v1/things"];
    const { delete: gone } = document.paths["/api/v1/things/{id}"];
    expect(post.description).toBe("Needs the scope `targets:write` and the role `CustomerAdmin`.");
    expect(gone.description).toContain("an operator");
    const names = (operation: { parameters: ({ name: string } & { $ref: string })[] }) =>
      operation.parameters.map((it) => it.name ?? named(it).name);
    expect(names(post)).toEqual(["Idempotency-Key", "Prefer", "x-service-csrf"]);
    expect(names(get)).toEqual(["limit", "cursor", "state", "sort", "X-D1-Bookmark", "Prefer"]);
    expect(names(gone)).toEqual(["id", "Idempotency-Key", "If-Match", "Prefer", "x-service-csrf"]);
    expect(Object.keys(post.responses["201"].headers)).toEqual([
      ...always,
      "Location",
      "ETag",
      "Preference-Applied",
      "X-D1-Bookmark",
    ]);
    expect(Object.keys(get.responses["200"].headers)).toEqual([
      ...always,
      "Link",
      "Preference-Applied",
      "X-D1-Bookmark",
    ]);
  });

  it("names schemas after the operation that answers or takes them", () => {
    expect(Object.keys(document.components.schemas)).toEqual([
      "Problem",
      "Event",
      "CreateThingBody",
      "Thing",
      "ThingCreatedEvent",
      "ThingPage",
    ]);
    const { data } = document.components.schemas.ThingPage.properties;
    expect(data.items).toEqual({ $ref: "#/components/schemas/Thing" });
  });

  const get = (operationId: string, schema: z.ZodType): Endpoint => ({
    ...list,
    path: `/${operationId}`,
    operationId,
    answer: { status: 200, description: "It.", schema },
  });
  const answering = (operationId: string, schema: z.ZodType): Endpoint => ({
    ...create,
    path: `/${operationId}`,
    operationId,
    answer: { ...create.answer, schema },
  });

  it("gives the summary and the full form of an object different names", () => {
    const Short = z.object({ id: z.uuid() });
    const Secret = View.extend({ secret: z.string() });
    const made = openApiDocument(
      [
        get("getThing", View),
        get("listThings", pageOf(Short)),
        answering("createThing", Secret),
        answering("renewThing", Secret),
        get("checkThing", z.object({ ok: z.boolean() })),
        get("getLog", pageOf(Short.extend({ at: z.int() }).meta({ id: "LogEntry" }))),
      ],
      info,
    ) as typeof document;
    const { Problem: _, Event: __, ...schemas } = made.components.schemas;
    expect(Object.keys(schemas)).toEqual([
      "CheckThingResult",
      "CreateThingBody",
      "Log",
      "LogEntry",
      "NewThing",
      "Thing",
      "ThingCreatedEvent",
      "ThingSummary",
      "ThingSummaryPage",
    ]);
  });

  it("rejects two schemas of one name, and one schema with two meanings", () => {
    const twice = [
      get("getA", z.object({ a: z.int() }).meta({ id: "Same" })),
      get("getB", z.object({ b: z.int() }).meta({ id: "Same" })),
    ];
    expect(() => openApiDocument(twice, info)).toThrow(/Same/);
    const thrice = ["a", "b", "c"].map((field) => get("getThing", z.object({ [field]: z.int() })));
    expect(() => openApiDocument(thrice, info)).toThrow(/name the schema/);
    const Both = z.object({ size: z.int().default(3) }).meta({ id: "Both" });
    const sides: Endpoint = { ...answering("createThing", Both), body: Both };
    expect(() => openApiDocument([sides], info)).toThrow(/Both differs between/);
  });

  it("allows additional members in answers, and leaves requests as they are", () => {
    expect(document.components.schemas.ThingPage.additionalProperties).toBeUndefined();
    const strict: Endpoint = { ...create, body: z.strictObject({ size: z.int() }) };
    const made = openApiDocument([strict], info) as typeof document;
    expect(made.components.schemas.CreateThingBody.additionalProperties).toBe(false);
  });

  it("lists the codes of each failure", () => {
    const { responses } = document.paths["/api/v1/things"].post;
    const { schema } = named(responses["409"]).content["application/problem+json"];
    expect(schema.allOf[1].properties.code.enum).toEqual(["idempotency_key_reused", "slug_taken"]);
    expect(Object.keys(named(responses["429"]).headers)).toContain("Retry-After");
    expect(Object.keys(named(responses["401"]).headers)).toContain("WWW-Authenticate");
  });

  it("describes webhook payloads, by kind and as one union", () => {
    const sent = document.webhooks["thing.created"].post.requestBody.content["application/json"];
    expect(sent.schema).toEqual({ $ref: "#/components/schemas/ThingCreatedEvent" });
    expect(document.components.schemas.Event).toMatchObject({
      oneOf: [sent.schema],
      discriminator: { mapping: { "thing.created": sent.schema.$ref } },
    });
  });

  it("rejects a schema that refers to another document", () => {
    const odd = z.object({ x: z.string().meta({ $ref: "https://example.com/x.json" }) });
    const broken = { ...list, query: odd } as Endpoint;
    expect(() => openApiDocument([broken], info)).toThrow(/refers to/);
  });
});

describe("problemCodes", () => {
  it("follows from the endpoint's shape and its declared problems", () => {
    expect([...problemCodes(list)].sort()).toEqual([
      "forbidden",
      "internal",
      "invalid_cursor",
      "rate_limited",
      "unauthenticated",
      "unknown_parameter",
      "validation_failed",
    ]);
    expect([...problemCodes(create)]).toEqual(
      expect.arrayContaining(["slug_taken", "not_found", "payload_too_large", "malformed_json"]),
    );
    expect([...problemCodes(remove)]).toEqual(
      expect.arrayContaining(["not_found", "precondition_failed", "idempotency_key_reused"]),
    );
    expect([...problemCodes(remove)]).not.toContain("malformed_json");
  });
});
