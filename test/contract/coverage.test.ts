import { describe, expect, it } from "vitest";
import * as z from "zod";
import { app, endpoints } from "#app.ts";
import { consolePages } from "#console/serve-console.ts";
import { API_PREFIX } from "#http/api-prefix.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { stranger } from "#test/support/api.ts";
import { titleOf } from "#test/support/world.ts";

const document = (await stranger.get("/openapi.json")).body as {
  tags: { name: string }[];
  paths: Record<string, Record<string, { summary: string }>>;
};

/** The endpoints of the API reference by number, and whether they exist yet. */
const reference: readonly [number, string, mounted: boolean][] = [
  [1, "GET /auth/oidc/{provider}/login", true],
  [2, "GET /auth/providers", true],
  [3, "POST /cloud/targets", true],
  [4, "POST /incidents/{id}/updates", true],
  [5, "PATCH /tenants/{tenantId}/members/{userId}", true],
  [6, "POST /marketplace/listings/{id}/review", true],
  [7, "POST /templates/{id}/versions", true],
  [8, "PATCH /marketplace/listings/{id}", true],
  [9, "POST /templates/{id}/validate", true],
  [10, "POST /tenants", true],
  [11, "PATCH /instances/{id}", true],
  [12, "POST /imports", true],
  [13, "POST /deployments/{id}/cancel", true],
  [14, "GET /instances/{id}/triggers", true],
  [15, "POST /instances/{id}/deploy", true],
  [16, "DELETE /feature-flags/{key}", true],
  [17, "GET /status/{tenantId}", true],
  [18, "DELETE /profiles/{id}", true],
  [19, "GET /imports/{id}", true],
  [20, "GET /marketplace/listings", true],
  [21, "GET /templates", true],
  [22, "GET /license", true],
  [23, "POST /webhooks/{id}/rotate-secret", true],
  [24, "POST /webhooks/{id}/test", true],
  [25, "POST /webhooks", true],
];

const declared = endpoints.map(({ method, path }) => `${method} ${path}`);
const bySample = (endpoint: Endpoint): [string, Endpoint] => [titleOf(endpoint), endpoint];

describe("the endpoints", () => {
  it("are mounted exactly as they are declared, each once", () => {
    const mounted = app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    const wanted = declared.map((title) => title.replace(" ", ` ${API_PREFIX}`));
    // Pages for people, outside the API and its document.
    wanted.push(
      "GET /",
      // Of no page: a page for people who follow a wrong link.
      "GET /*",
      "GET /docs",
      "GET /docs/search",
      "GET /docs/{page}",
      "GET /login",
      "GET /status/{slug}",
      ...consolePages.map(({ path }) => `GET ${path.replace(/:(\w+)/g, "{$1}")}`),
    );
    // What clouds read of the issuer, where OpenID Connect has it.
    wanted.push("GET /.well-known/jwks.json", "GET /.well-known/openid-configuration");
    expect([...new Set(mounted)].sort()).toEqual(wanted.sort());
  });

  it("have unique paths and operation ids", () => {
    const shapes = declared.map((title) => title.replace(/\{\w+\}/g, "{}"));
    const ids = endpoints.map(({ operationId }) => operationId);
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are exactly those of the document", () => {
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(endpoints.map(titleOf).sort());
  });

  it("cover 25 endpoints of the reference", () => {
    expect(reference.map(([number]) => number)).toEqual(
      Array.from({ length: 25 }, (_, i) => i + 1),
    );
  });
});

it.each(reference)("endpoint %i of the reference, %s, is declared: %s", (_, title, mounted) => {
  expect(declared.includes(title)).toBe(mounted);
});

/** A route mounted earlier that matches this path too. */
function shadowed(endpoint: Endpoint, at: number): Endpoint | undefined {
  const sample = endpoint.path.replace(/\{\w+\}/g, "x");
  return endpoints
    .slice(0, at)
    .find(
      ({ method, path }) =>
        method === endpoint.method &&
        new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(sample),
    );
}

describe.each(endpoints.map(bySample))("%s", (_, endpoint) => {
  const { access, answer, location, path, params, query } = endpoint;
  const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

  it("has an operation id in camelCase", () => {
    expect(endpoint.operationId).toMatch(/^[a-z]+([A-Z][a-z0-9]*)*$/);
  });

  it("has a valid example", () => {
    const { body, exampleBody } = endpoint;
    const accepts = exampleBody === undefined || body?.safeParse(exampleBody).success === true;
    expect(accepts).toBe(true);
  });

  it("has a summary and a tag that the document describes", () => {
    expect(document.tags.map(({ name }) => name)).toContain(endpoint.tag);
    const documented = document.paths[`${API_PREFIX}${path}`]?.[endpoint.method.toLowerCase()];
    expect(documented?.summary).toMatch(/^[A-Z].*[^.]$/);
  });

  it("declares who can call it", () => {
    if (access !== "public" && access.role === "session") return;
    const { role, scope } =
      access === "public" ? { role: "operator", scope: "nothing:read" } : access;
    expect(role).toMatch(/^(operator|Customer\w+)$/);
    expect(scope).toMatch(/^[a-z_]+:(read|write|approve|review)$/);
    // An endpoint whose path is secret: the path is the credential.
    const isSecret = params instanceof z.ZodObject && Object.hasOwn(params.shape, "token");
    const methods = ["GET", ...(access === "public" && !isSecret ? [] : ["POST"])];
    const mayChange = !scope.endsWith(":read");
    expect(mayChange || methods.includes(endpoint.method), "a reader changes nothing").toBe(true);
  });

  it("declares exactly the parameters of its path", () => {
    const shape = params === undefined ? {} : (params as unknown as z.ZodObject).shape;
    expect(Object.keys(shape).sort()).toEqual(holes(path).sort());
  });

  it("makes its Location from its answer", () => {
    expect(answer.status === 201 && location === undefined, "has no place").toBe(false);
    if (location === undefined) return;
    const shape = (answer.schema as unknown as z.ZodObject).shape;
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(holes(location)));
    const places = endpoints.filter(({ method }) => method === "GET").map((it) => it.path);
    const form = (text: string) => text.replace(/\{\w+\}/g, "{}");
    expect(places.map(form), "a place that can be read").toContain(form(location));
  });

  it("has a body, except with 204 and redirects", () => {
    const hasBody = answer.schema !== undefined || answer.otherMediaTypes !== undefined;
    expect(hasBody).toBe(answer.status !== 204 && answer.status !== 302);
  });

  it("pages if it is an unbounded list", () => {
    const shape = answer.schema instanceof z.ZodObject ? answer.schema.shape : {};
    const cursor = Object.hasOwn(shape, "nextCursor") ? shape["nextCursor"] : undefined;
    if (query === undefined || cursor === undefined) return;
    const names = Object.keys((query as unknown as z.ZodObject).shape);
    expect(names).toEqual(expect.arrayContaining(["limit", "cursor"]));
  });

  it("is not hidden by another route", () => {
    expect(shadowed(endpoint, endpoints.indexOf(endpoint))?.path).toBeUndefined();
  });

  it("declares its parameters in an object", () => {
    const groups = [params, query].filter((schema) => schema !== undefined);
    expect(groups.every((schema) => schema instanceof z.ZodObject)).toBe(true);
  });
});
