import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { type DescribedCloud, describedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import {
  type Description,
  methods,
  readDescription,
} from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import type { FakeObject } from "#test/support/fake-cloud/rules.ts";
import { validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { type InProject, ORGANIZATION, supabaseRules } from "./rules.ts";

export const TOKEN = "sbp_canary0123456789";
export const REGION = "eu-central-1";
export const CONFIG = { organizationSlug: ORGANIZATION };

const kept =
  /^\/v1\/(organizations$|branches\/\{[^/]+\}$|projects($|\/\{ref\}($|\/(api-keys($|\/\{id\}$)|functions($|\/\{function_slug\}$)|secrets$|branches$|billing\/addons$|database\/password$|network-restrictions($|\/apply$)|postgrest$|config\/(storage$|database\/(postgres|pooler)$|auth($|\/(sso|third-party-auth|signing-keys($|\/\{id\}$))))))))/;

/** The paths of the 14 types alone. The vendor's description names few of its refusals. */
export function supabaseDescription(document: JsonMap): Description {
  const { paths } = document;
  const anyError = { description: "", content: { "application/json": { schema: {} } } };
  const mended = Object.entries(isJsonMap(paths) ? paths : {}).map(([path, item]) => {
    const calls = Object.entries(isJsonMap(item) ? item : {}).map(([method, call]) => {
      const isCall = methods.some((one) => one === method) && isJsonMap(call);
      if (!isCall || !isJsonMap(call["responses"])) return [method, call];
      return [method, { ...call, responses: { ...taken(call["responses"]), default: anyError } }];
    });
    return [path, Object.fromEntries(calls)];
  });
  return readDescription({ ...document, paths: Object.fromEntries(mended) as JsonMap }, (path) =>
    kept.test(path),
  );
}

function taken(responses: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith("2")));
}

export interface SupabaseCloud extends DescribedCloud {
  inProject: (project: FakeObject) => InProject;
}

/** The names of what the cloud shows of a project's authentication. */
function authSettings(description: Description): string[] {
  const read = description.match("GET", "/v1/projects/ref/config/auth")?.operation;
  const schema = description.resolve(read?.answers.get("200") ?? {});
  return Object.keys(isJsonMap(schema["properties"]) ? schema["properties"] : {});
}

/** An empty Supabase behind its description. */
export function supabaseCloud(description: Description, options: FakeOptions = {}): SupabaseCloud {
  const { rules, inProject } = supabaseRules({ auth: authSettings(description) });
  const fake = new FakeCloud(description, rules, { token: TOKEN, ...options });
  const proxy = validatingProxy(description, async (request) => {
    const { method } = request;
    const { pathname, searchParams } = new URL(request.url);
    if (
      pathname === "/v1/organizations" &&
      request.headers.get("authorization") === `Bearer ${options.token ?? TOKEN}`
    )
      return Response.json([{ id: "1", slug: ORGANIZATION, name: "Acme" }]);
    const [, ref = "", rest = ""] = /^\/v1\/projects\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
    const status = fake.living("/v1/projects").find(({ key }) => key === ref)?.shown["status"];
    // Nothing of a project that is paused can be found.
    if (rest !== "" && (status === "INACTIVE" || status === "RESTORING"))
      return Response.json({ message: "Not Found" }, { status: 404 });
    const shownBefore = fake.living().find(({ key }) => pathname.endsWith(`/${key}`))?.shown;
    const answer = await fake.fetch(request);
    if (!answer.ok) return answer;
    if (rest === "" && ref !== "" && (method === "PATCH" || method === "DELETE"))
      return Response.json({ id: 1, ref, name: "" }, { headers: answer.headers });
    if (method === "DELETE" && shownBefore !== undefined && !rest.startsWith("/functions"))
      return Response.json(shownBefore, { headers: answer.headers });
    if (!/\/api-keys\b/.test(rest) || searchParams.get("reveal") === "true") return answer;
    const shown: unknown = await answer.json();
    const hidden = JSON.stringify(shown).replaceAll(/"api_key":"[^"]*"/g, '"api_key":null');
    return new Response(hidden, answer);
  });
  const deploying = {
    violations: proxy.violations,
    fetch: async (request: Request): Promise<Response> =>
      proxy.fetch(await asChange(request, (slug) => fake.living().some(({ key }) => key === slug))),
  };
  return {
    ...describedCloud(fake, deploying, { region: REGION, config: CONFIG, credential: TOKEN }),
    inProject,
  };
}

/** A deploy of a function, by a form with its source, as the create or change that it is. */
async function asChange(request: Request, exists: (slug: string) => boolean): Promise<Request> {
  const url = new URL(request.url);
  if (request.method !== "POST" || !url.pathname.endsWith("/functions/deploy")) return request;
  const slug = url.searchParams.get("slug") ?? "";
  const form = await request.formData();
  const file = form.get("file");
  const sent = form.get("metadata");
  if (typeof sent !== "string") throw new Error("The form has no metadata.");
  const { entrypoint_path: entry, ...metadata } = JSON.parse(sent) as JsonMap;
  if (file instanceof File && file.name !== entry) throw new Error("The entrypoint is no file.");
  const functions = url.pathname.replace(/\/deploy$/, "");
  const body = { ...metadata, ...(file instanceof File ? { body: await file.text() } : {}) };
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/json");
  return exists(slug)
    ? new Request(`${url.origin}${functions}/${slug}`, {
        method: "PATCH",
        headers,
        body: JSON.stringify(body),
      })
    : new Request(`${url.origin}${functions}`, {
        method: "POST",
        headers,
        body: JSON.stringify({ slug, ...body }),
      });
}
