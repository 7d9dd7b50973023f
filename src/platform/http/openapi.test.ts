import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { openApiDocument, problemCodes } from "./openapi.ts";
import { pageOf, pageQuery } from "./page.ts";
import { FreeMap, IdParams, TenantIdField } from "./schemas.ts";

const info = {
  title: "T",
  version: "1",
  description: "D",
  tags: { Things: "All things.", Unused: "None." },
  eventTypes: ["thing.created"],
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
  problems: ["slug_taken"],
});
const list: Endpoint = endpoint({
  method: "GET",
  path: "/things",
  operationId: "listThings",
  tag: "Things",
  summary: "List things",
  access,
  query: z.object(pageQuery),
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

/** Every object in the document. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

describe("openApiDocument", () => {
  it("puts all operations of a path together, and explains the tags that are used", () => {
    expect(Object.keys(document.paths)).toEqual(["/api/v1/things", "/api/v1/things/{id}"]);
    expect(Object.keys(document.paths["/api/v1/things"])).toEqual(["post", "get"]);
    expect(document.tags).toEqual([{ name: "Things", description: "All things." }]);
  });

  it("asks for what has no default and answers what has", () => {
    const { post } = document.paths["/api/v1/things"];
    const asked = post.requestBody.content["application/json"].schema;
    expect(asked.required).toEqual(["config"]);
    expect(asked.properties.size).toMatchObject({ type: "integer", default: 3 });
    const answered = post.responses["201"].content["application/json"].schema;
    expect(answered.required).toEqual(["id", "config", "size"]);
  });

  it("refers to nothing that is not there", () => {
    for (const object of objectsIn(document)) {
      expect(object).not.toHaveProperty("$schema");
      expect(object).not.toHaveProperty("$defs");
      const { $ref } = object;
      if (typeof $ref !== "string") continue;
      const found = $ref
        .slice(2)
        .split("/")
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      expect(found, $ref).toBeDefined();
    }
  });

  it("says who may call, and what to send beside the body", () => {
    const { post, get } = document.paths["/api/v1/things"];
    const { delete: gone } = document.paths["/api/v1/things/{id}"];
    expect(post.description).toBe("Needs the scope `targets:write` and the role `CustomerAdmin`.");
    expect(gone.description).toContain("an operator");
    const named = (operation: { parameters: { name: string }[] }) =>
      operation.parameters.map(({ name }) => name);
    expect(named(post)).toEqual(["Idempotency-Key"]);
    expect(named(get)).toEqual(["limit", "cursor"]);
    expect(named(gone)).toEqual(["id", "Idempotency-Key", "If-Match"]);
    expect(Object.keys(post.responses["201"].headers)).toEqual([
      "X-Request-Id",
      "Location",
      "ETag",
    ]);
    expect(Object.keys(get.responses["200"].headers)).toEqual(["X-Request-Id", "Link"]);
  });

  it("refuses a schema that refers to another document", () => {
    const odd = z.object({ x: z.string().meta({ $ref: "https://example.com/x.json" }) });
    const broken = { ...list, query: odd } as Endpoint;
    expect(() => openApiDocument([broken], info)).toThrow(/refers to/);
  });
});

describe("problemCodes", () => {
  it("follows from the shape of the endpoint, and what it declares", () => {
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
