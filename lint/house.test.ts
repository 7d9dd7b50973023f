import { describe, expect, it } from "vitest";
import { holdsPromise, problemWith } from "./house.ts";

const importing = (from: string, importKind = "value") => ({ source: { value: from }, importKind });

describe("house/imports", () => {
  it.each([
    ["src/platform/call.ts", "#platform/access.ts"],
    ["src/platform/http/router.ts", "hono"],
    ["src/platform/quota-counter.ts", "cloudflare:workers"],
    ["src/engine/plan.ts", "./diff.ts"],
    ["src/orchestrator/run.ts", "#areas/deployments/tables.ts"],
    ["src/areas/instances/start-deployment.ts", "#areas/deployments/public.ts"],
    ["src/areas/instances/start-deployment.ts", "#orchestrator/public.ts"],
    ["src/areas/templates/contract.ts", "zod"],
    ["src/providers/mock/mock-provider.ts", "#providers/rest/rest-provider.ts"],
    ["src/app.ts", "#areas/webhooks/routes.ts"],
  ])("%s may import %s", (file, from) => {
    expect(problemWith(file, importing(from))).toBeUndefined();
  });

  it.each([
    ["src/platform/call.ts", "#areas/tenants/public.ts", "platform knows nothing"],
    ["src/platform/call.ts", "../engine/value.ts", "`../`"],
    ["src/platform/call.ts", "hono", "Routes alone"],
    ["src/platform/call.ts", "cloudflare:workers", "platform knows nothing"],
    ["src/engine/plan.ts", "hono", "Routes alone"],
    ["src/engine/plan.ts", "drizzle-orm", "engine is pure"],
    ["src/engine/plan.ts", "cloudflare:workers", "engine is pure"],
    ["src/engine/plan.ts", "#providers/provider.ts", "engine is pure"],
    ["src/orchestrator/run.ts", "#areas/deployments/public.ts", "asks no area"],
    ["src/areas/instances/store.ts", "#areas/deployments/store.ts", "by its public.ts"],
    ["src/areas/instances/store.ts", "#areas/instances/tables.ts", "A neighbour"],
    ["src/areas/instances/store.ts", "#orchestrator/run.ts", "by its public.ts"],
    ["src/areas/instances/create-instance.ts", "hono", "Routes alone"],
    ["src/areas/instances/contract.ts", "drizzle-orm", "A contract is zod"],
    ["src/areas/instances/tables.ts", "#platform/call.ts", "Tables are drizzle"],
    ["src/areas/tenants/create-tenant.ts", "#areas/webhooks/public.ts", "Nobody imports webhooks"],
    ["src/providers/mock/mock-provider.ts", "#engine/plan.ts", "A provider knows"],
    ["src/areas/tenants/store.ts", "vitest", "For tests"],
  ])("%s may not import %s", (file, from, why) => {
    expect(problemWith(file, importing(from))).toContain(why);
  });

  it("lets the engine name the provider port's types", () => {
    expect(
      problemWith("src/engine/plan.ts", importing("#providers/provider.ts", "type")),
    ).toBeUndefined();
  });
});

describe("house/kept-promises", () => {
  const promise = { type: "TSTypeReference", typeName: { type: "Identifier", name: "Promise" } };
  const annotated = (type: object) => ({
    type: "VariableDeclarator",
    id: { type: "Identifier", typeAnnotation: { type: "TSTypeAnnotation", typeAnnotation: type } },
    init: null,
  });
  const promises = { type: "TSTypeParameterInstantiation", params: [promise] };

  it.each([
    ["let kept: Promise<T> | undefined", annotated({ type: "TSUnionType", types: [promise] })],
    [
      "const kept = new Map<string, Promise<T>>()",
      { type: "VariableDeclarator", init: { type: "NewExpression", typeArguments: promises } },
    ],
    [
      "const kept: { of?: Promise<T> } = {}",
      annotated({
        type: "TSTypeLiteral",
        members: [{ type: "TSPropertySignature", typeAnnotation: promise }],
      }),
    ],
  ])("finds the promise of `%s`", (_, node) => expect(holdsPromise(node)).toBe(true));

  it.each([
    ["let make: () => Promise<T>", annotated({ type: "TSFunctionType", returnType: promise })],
    [
      "const make = async (): Promise<T> => …",
      {
        type: "VariableDeclarator",
        init: { type: "ArrowFunctionExpression", returnType: promise },
      },
    ],
    ["let kept: string", annotated({ type: "TSStringKeyword" })],
  ])("lets `%s` be", (_, node) => expect(holdsPromise(node)).toBe(false));
});
