import { expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { listInstancesEndpoint } from "#areas/instances/contract.ts";
import { getSessionEndpoint } from "#areas/sign-in/contract.ts";
import { validateTemplateSourceEndpoint } from "#areas/templates/contract.ts";
import { createTenantEndpoint } from "#areas/tenants/contract.ts";
import { PageApi, PageProblem } from "./page-api.ts";

function pageApi(status: number) {
  const asked: string[] = [];
  const request = { url: "https://control.test/", requestId: "r", header: () => undefined };
  const api = new PageApi(request, ({ url }) => {
    asked.push(url.replace("https://control.test/api/v1", ""));
    return Response.json({ data: [], detail: "No." }, { status });
  });
  return { api, asked };
}

it("reads an answer once for the page and its frame, and asks again for another", async () => {
  const { api, asked } = pageApi(200);
  await Promise.all([api.read(getSessionEndpoint), api.read(getSessionEndpoint)]);
  await api.read(listInstancesEndpoint, {}, { q: "a" });
  await api.read(listInstancesEndpoint, {}, { q: "b" });
  await api.readIfAny(listInstancesEndpoint, {}, { q: "a", state: "" });
  expect(asked).toEqual(["/auth/session?", "/instances?q=a", "/instances?q=b"]);
});

it("reports a refusal of the API to every caller", async () => {
  const { api, asked } = pageApi(403);
  const [read, ifAny] = await Promise.allSettled([
    api.read(getSessionEndpoint),
    api.readIfAny(getSessionEndpoint),
  ]);
  expect(read).toEqual({ status: "rejected", reason: new PageProblem(403, "No.") });
  expect(ifAny).toEqual({ status: "fulfilled", value: null });
  expect(asked).toHaveLength(1);
});

/** Endpoints that change nothing despite their method, listed by hand. */
const harmless = [
  "POST /templates/validate",
  "POST /templates/{id}/validate",
  "POST /ofrep/v1/evaluate/flags/{key}",
  "POST /ofrep/v1/evaluate/flags",
];
/** GETs that take part in signing in. */
const changing = new Set(["GET /auth/oidc/{provider}/login", "GET /auth/oidc/{provider}/callback"]);

it("reads only endpoints that change nothing", async () => {
  const { api, asked } = pageApi(200);
  const read: string[] = [];
  for (const endpoint of endpoints)
    await api.read(endpoint).then(
      () => read.push(`${endpoint.method} ${endpoint.path}`),
      (error: unknown) => expect(String(error)).toContain("is not for reading"),
    );
  const gets = endpoints
    .filter(({ method }) => method === "GET")
    .map(({ path }) => `GET ${path}`)
    .filter((get) => !changing.has(get));
  expect(read.toSorted()).toEqual([...gets, ...harmless].toSorted());
  expect(asked).toHaveLength(read.length);
});

it("sends no request that changes something, whatever the page's code", async () => {
  const { api, asked } = pageApi(200);
  const body = { name: "Shop", slug: "shop" };
  await expect(api.read(createTenantEndpoint, {}, {}, body)).rejects.toThrow("not for reading");
  expect(asked).toEqual([]);
  await api.read(validateTemplateSourceEndpoint, {}, {}, { source: "" });
  expect(asked).toEqual(["/templates/validate?"]);
});
