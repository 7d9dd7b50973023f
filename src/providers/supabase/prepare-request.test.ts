import { describe, expect, it } from "vitest";
import { sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { prepareRequest, type SupabaseType } from "./prepare-request.ts";

/** A cloud whose calls are for several objects: secrets that are set by a list, and deleted by a list of names. */
const row: Partial<SupabaseType> = {
  path: "/v1/secrets",
  paths: { item: "/v1/secrets" },
  id: { at: "name", known: "{name}" },
  name: { property: "name" },
  create: { guard: "read" },
  read: { fromList: true },
  asList: true,
  update: "POST",
  delete: { body: ["{id}"] },
  find: { by: "place", createdAt: "updated_at" },
};
const supabase = sampleProvider(row, { prepare: prepareRequest });
const type = "vultr:Thing";
const call = { type, name: "TOKEN", properties: { value: "one" }, token: "token-1" };
const shown = (name: string, updated_at = "2026-01-01T00:00:00Z") => ({ name, updated_at });

describe("objects that are set and deleted by lists", () => {
  it("are sent as the only item of a list, once nothing of that name is listed", async () => {
    const cloud = scriptedCloud(json([shown("OTHER")]), empty(201), json([shown("TOKEN")]));
    const made = await supabase.create(cloud.context(), call);
    expect(made).toMatchObject({ kind: "done", id: "TOKEN" });
    expect(cloud.lines()).toEqual(["GET /v1/secrets", "POST /v1/secrets", "GET /v1/secrets"]);
    expect(cloud.requests[1]?.body).toEqual([{ name: "TOKEN", value: "one" }]);
  });

  it("do not take over what has the name already", async () => {
    const cloud = scriptedCloud(json([shown("TOKEN")]));
    const refused = await supabase.create(cloud.context(), call);
    expect(refused).toMatchObject({ kind: "failed", code: "already_exists", means: "exists" });
    expect(cloud.lines()).toEqual(["GET /v1/secrets"]);
  });

  it("are found in the list after a lost create, if they were made since", async () => {
    const sentMs = Date.parse("2026-01-01T00:00:00Z");
    const lookUp = (updated?: string) => {
      const cloud = scriptedCloud(json([shown("TOKEN", updated)]), json([shown("TOKEN", updated)]));
      const found = supabase.lookUp(cloud.context(), { ...call, known: [], sentMs });
      return found;
    };
    expect(await lookUp("2026-01-01T00:00:05Z")).toMatchObject({ kind: "done", id: "TOKEN" });
    expect(await lookUp("2025-12-31T00:00:00Z")).toEqual({ kind: "gone" });
  });

  it("are changed and deleted by lists too", async () => {
    const cloud = scriptedCloud(
      json([shown("TOKEN")]),
      empty(201),
      json([shown("TOKEN")]),
      empty(200),
      json([]),
    );
    const properties = { name: "TOKEN", value: "two" };
    const before = { name: "TOKEN", value: "one" };
    const update = { ...call, id: "TOKEN", before, properties };
    expect(await supabase.update(cloud.context(), update)).toMatchObject({ kind: "done" });
    expect(cloud.requests[1]?.body).toEqual([properties]);
    const gone = await supabase.delete(cloud.context(), { ...call, id: "TOKEN", properties });
    expect(gone).toEqual({ kind: "gone" });
    expect(cloud.requests[3]).toMatchObject({ method: "DELETE", body: ["TOKEN"] });
  });
});

describe("a setting that takes no null", () => {
  it("stays as it is when it leaves the template", async () => {
    const settings: Partial<SupabaseType> = { update: "PATCH", neverNull: true };
    const cloud = scriptedCloud(json({ id: "t-1", name: "a", limit: 5 }));
    await sampleProvider(settings, { prepare: prepareRequest }).update(cloud.context(), {
      type,
      id: "t-1",
      name: "a",
      before: { name: "a", limit: 4, size: 1 },
      properties: { name: "a", limit: 5 },
      token: "token-1",
    });
    expect(cloud.requests[0]?.body).toEqual({ limit: 5 });
  });
});

describe("a function", () => {
  const row: Partial<SupabaseType> = {
    path: "/v1/functions",
    paths: { create: "/v1/functions/{slug}" },
    id: { at: "slug", known: "{slug}" },
    name: { property: "slug" },
    create: { guard: "read" },
    deploys: true,
    update: "none",
    find: { by: "properties", properties: ["slug"], createdAt: "created_at" },
  };
  const functions = sampleProvider(row, { prepare: prepareRequest });
  const source = "// --form\r\n--form-part--\r\nDeno.serve(() => new Response('ä'));\n";
  const properties = { slug: "orders", name: "orders", body: source, verify_jwt: false };

  it("is deployed by a form with its source as a file, once nothing has its name", async () => {
    const cloud = scriptedCloud(empty(404), json({ slug: "orders" }, 201));
    const sent: Request[] = [];
    const context = cloud.context();
    const fetch = (request: Request) => {
      sent.push(request.clone());
      const { method, headers, url } = request;
      return context.fetch(new Request(url, { method, headers }));
    };
    const made = await functions.create({ ...context, fetch }, { ...call, properties });
    expect(made).toMatchObject({ kind: "done", id: "orders" });
    expect(cloud.lines()).toEqual([
      "GET /v1/functions/orders",
      "POST /v1/functions/deploy?slug=orders",
    ]);
    const form = (await sent[1]?.formData()) ?? new FormData();
    expect(JSON.parse(form.get("metadata") as string)).toEqual({
      name: "orders",
      verify_jwt: false,
      entrypoint_path: "index.ts",
    });
    const file = form.get("file") as File;
    expect([file.name, await file.text()]).toEqual(["index.ts", source]);
    expect([...form.keys()]).toEqual(["metadata", "file"]);
  });

  it("that is there is not overwritten", async () => {
    const cloud = scriptedCloud(json({ slug: "orders", created_at: 1 }));
    const refused = await functions.create(cloud.context(), { ...call, properties });
    expect(refused).toMatchObject({ kind: "failed", means: "exists" });
    expect(cloud.lines()).toEqual(["GET /v1/functions/orders"]);
  });
});
