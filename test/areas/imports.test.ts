import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sweepImports } from "#areas/imports/sweep-imports.ts";
import { faultsOf, idOf, roundTripsOf } from "#test/support/answers.ts";
import { type Answer, clientOf, makeTenant, operator, send, stranger } from "#test/support/api.ts";
import { expectRefusals } from "#test/support/refusals.ts";
import { unpackedRows } from "#test/support/unpacked-rows.ts";

const tenant = await makeTenant();
const file = (path: string) => ({ path, content: "resource {}" });
const filesOf = (length: number) =>
  Array.from({ length }, (_, at) => file(`f${String(at).padStart(4, "0")}.txt`));

async function importOf(body?: unknown, client = tenant): Promise<Answer> {
  const made = await client.post("/imports", body);
  expect(made.status, made.text.slice(0, 500)).toBe(201);
  return made;
}

const DAY_MS = 24 * 60 * 60 * 1000;

describe("an import", () => {
  it.for([["{}"], [""], ['{"files":[]}']])(
    "without files, sent as %j, completes with a warning",
    async ([text]) => {
      const made = await send("POST", "/imports", {
        headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
        body: text ?? "",
      });
      expect(made.status, made.text).toBe(201);
      expect(made.body).toEqual({
        id: expect.any(String),
        tenantId: tenant.tenantId,
        state: "COMPLETED",
        createdAt: expect.any(String),
        formats: [],
        progress: { total: 0, parsed: 0, failed: 0, skipped: 0 },
        files: [],
        modules: [],
        resources: [],
        variables: [],
        outputs: [],
        moduleCalls: [],
        providers: [],
        drafts: [],
        coverage: [],
        clouds: [],
        graph: { nodes: [], edges: [] },
        warnings: [
          {
            code: "empty_import",
            severity: "warning",
            file: null,
            line: null,
            column: null,
            message: "The request has neither files nor a report: there is nothing to import.",
          },
        ],
        report: null,
        draft: null,
        counts: expect.objectContaining({ files: 0, warnings: 1 }),
        nextCursors: expect.objectContaining({ files: null, warnings: null }),
      });
      expect(made.headers.get("location")).toBe(`/api/v1/imports/${made.body.id}`);
      const read = await tenant.get(`/imports/${made.body.id}`);
      expect(read.text).toBe(made.text);
      expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
    },
  );

  it("reports on every file, and stores none of them", async () => {
    const canary = "s3cr3t-canary-in-a-file";
    const made = await importOf({
      files: [
        { path: "./main.txt", content: `password = "${canary}"`, color: "blue" },
        { path: "../up.tf", content: "" },
        { name: "b.txt", content: "aGk=", encoding: "base64" },
        "main.tf",
        {},
      ],
      report: { canary },
    });
    expect(made.body.state).toBe("COMPLETED_WITH_WARNINGS");
    expect(made.body.progress).toEqual({ total: 5, parsed: 0, failed: 3, skipped: 2 });
    expect(
      made.body.files.map((f: { path: string; reason: string }) => [f.path, f.reason]),
    ).toEqual([
      ["main.txt", "unsupported_format"],
      ["../up.tf", "invalid_path"],
      ["b.txt", "unsupported_format"],
      ["files[3]", "invalid_file"],
      ["files[4]", "invalid_file"],
    ]);
    expect(made.body.files[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    for (const table of ["imports", "import_parts", "events", "audit_events"]) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
      expect(JSON.stringify(results)).not.toContain(canary);
    }
    const unpacked = await unpackedRows();
    expect(unpacked).toContain("main.txt");
    expect(unpacked).not.toContain(canary);
    expect(made.text).not.toContain(canary);
    expect((await tenant.get(`/imports/${made.body.id}`)).text).toBe(made.text);
  });

  it("fails, and is stored, if none of its files can be read", async () => {
    const made = await importOf({ files: [{}, { path: "/abs", content: "" }] });
    expect(made.body.state).toBe("FAILED");
    const { results } = await env.DB.prepare(
      "SELECT type FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
    )
      .bind(made.body.id)
      .all();
    expect(results).toEqual([{ type: "import.created" }, { type: "import.failed" }]);
  });

  it("accepts 2,000 files and no more, and pages through its lists", async () => {
    const made = await importOf({ files: filesOf(2000) });
    expect(roundTripsOf(made)).toBe(2);
    expect(made.body.counts).toMatchObject({ files: 2000, warnings: 1000, resources: 0 });
    expect(made.body.files).toHaveLength(100);
    const paths: string[] = [];
    let cursor: string | null = null;
    do {
      const query =
        cursor === null ? "?part=files&limit=70" : `?part=files&limit=70&cursor=${cursor}`;
      const page = await tenant.get(`/imports/${made.body.id}${query}`);
      expect(page.status, page.text).toBe(200);
      expect(roundTripsOf(page)).toBe(1);
      expect(page.body.warnings).toEqual([]);
      expect(page.body.progress).toEqual(made.body.progress);
      paths.push(...page.body.files.map((f: { path: string }) => f.path));
      cursor = page.body.nextCursors.files;
    } while (cursor !== null);
    expect(paths).toEqual(filesOf(2000).map(({ path }) => path));
    const next = await tenant.get(
      `/imports/${made.body.id}?part=warnings&cursor=${made.body.nextCursors.warnings}`,
    );
    expect(next.body.warnings).toHaveLength(100);
    expect(next.body.warnings[0].file).toBe("f0100.txt");
    const over = await tenant.post("/imports", { files: filesOf(2001) });
    expect(over.status).toBe(400);
    expect(faultsOf(over)).toEqual(["/files"]);
  });

  it("pages exactly where a list ends", async () => {
    for (const length of [99, 100, 101, 200]) {
      const { body } = await importOf({ files: filesOf(length) });
      expect(body.files).toHaveLength(Math.min(100, length));
      expect(body.nextCursors.files === null).toBe(length <= 100);
      const read = await tenant.get(`/imports/${body.id}`);
      expect(read.body).toEqual(body);
      if (length <= 100) continue;
      const rest = await tenant.get(
        `/imports/${body.id}?part=files&cursor=${body.nextCursors.files}`,
      );
      expect(rest.body.files).toHaveLength(length - 100);
      expect(rest.body.nextCursors.files).toBeNull();
    }
  });

  it("refuses a cursor of another list, another import, or none", async () => {
    const { body } = await importOf({ files: filesOf(150) });
    const other = await importOf({ files: filesOf(150) });
    const cursor = body.nextCursors.files;
    for (const path of [
      `/imports/${body.id}?cursor=${cursor}`,
      `/imports/${body.id}?part=warnings&cursor=${cursor}`,
      `/imports/${other.body.id}?part=files&cursor=${cursor}`,
      `/imports/${body.id}?part=files&cursor=${cursor}x`,
    ])
      expect((await tenant.get(path)).body.code).toBe("invalid_cursor");
    for (const [query, pointer] of [
      ["part=graph", "part"],
      ["limit=0", "limit"],
      ["limit=101", "limit"],
    ])
      expect(faultsOf(await tenant.get(`/imports/${body.id}?${query}`))).toEqual([pointer]);
    expect((await tenant.get(`/imports/${body.id}?page=2`)).body.code).toBe("unknown_parameter");
  });

  it.for([
    ["/files", { files: {} }],
    ["/files", { files: null }],
    ["/report", { report: [] }],
    ["/report", { report: "text" }],
    ["/tenantId", { tenantId: "acme" }],
  ] as const)("rejects %s in %j", async ([pointer, body]) => {
    const refused = await tenant.post("/imports", body);
    expect(refused.status).toBe(400);
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("takes several reports of one tool as a list", async () => {
    const run = { results: { failed_checks: [{ check_id: "CKV_1", check_name: "a" }] } };
    const { status, body } = await tenant.post("/imports", { report: [run, run] });
    expect(status).toBe(201);
    expect(body.report).toMatchObject({ kind: "checkov", summary: { failed: 2 } });
    expect(body.warnings).toEqual([]);
  });

  it("accepts a JSON body of up to 16 MiB, and no other type", async () => {
    const content = "x".repeat(1024 * 1024);
    const big = { files: Array.from({ length: 15 }, (_, at) => ({ path: `f${at}`, content })) };
    const made = await importOf(big);
    expect(made.body.state).toBe("FAILED");
    expect(made.body.warnings[0].code).toBe("import_too_large");
    expect((await tenant.post("/imports", { report: { text: content.repeat(16) } })).status).toBe(
      413,
    );
    const plain = await send("POST", "/imports", {
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "text/plain" },
      body: "{}",
    });
    expect(plain.status).toBe(415);
  });

  it("is created once for a repeated request", async () => {
    const mine = await makeTenant();
    const headers = { "idempotency-key": "one" };
    const body = { files: filesOf(300) };
    const answers = await Promise.all([1, 2].map(() => mine.post("/imports", body, headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await mine.get("/imports")).body.data).toHaveLength(1);
  });

  it("belongs to the caller's tenant, or the one that an operator names", async () => {
    const other = await makeTenant();
    const named = await operator.post("/imports", { tenantId: other.tenantId });
    expect(named.body.tenantId).toBe(other.tenantId);
    expect((await other.get(`/imports/${named.body.id}`)).status).toBe(200);
    expect((await operator.post("/imports", {})).body.tenantId).toBeNull();
    for (const tenantId of [
      other.tenantId,
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ])
      expect((await tenant.post("/imports", { tenantId })).status).toBe(404);
  });

  it("is refused without the role, the scope or the tenant", async () => {
    const { body } = await importOf({});
    await expectRefusals({
      send: (client, id) => client.get(`/imports/${id}`),
      id: body.id,
      scope: "imports:read",
    });
    expect((await stranger.post("/imports", {})).status).toBe(401);
    expect((await clientOf("cpk_nonsense").post("/imports", {})).status).toBe(401);
    const reader = await makeTenant(["imports:read"]);
    expect((await reader.post("/imports", {})).body.detail).toContain("imports:write");
    expect((await reader.get("/imports")).status).toBe(200);
  });
});

describe("the list of imports", () => {
  it("shows the newest first, pages and filters", async () => {
    const mine = await makeTenant();
    const made: string[] = [];
    for (const body of [{}, { files: [{}] }, { files: [file("a")] }])
      made.unshift((await importOf(body, mine)).body.id);
    const list = await mine.get("/imports");
    expect(list.body.data.map(idOf)).toEqual(made);
    expect(roundTripsOf(list)).toBe(1);
    expect(list.body.data[0]).toEqual({
      id: made[0],
      tenantId: mine.tenantId,
      state: "COMPLETED_WITH_WARNINGS",
      formats: [],
      progress: { total: 1, parsed: 0, failed: 0, skipped: 1 },
      createdAt: expect.any(String),
    });
    const first = await mine.get("/imports?limit=2");
    const second = await mine.get(`/imports?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...second.body.data].map(idOf)).toEqual(made);
    expect((await mine.get("/imports?state=FAILED")).body.data.map(idOf)).toEqual([made[1]]);
    expect(faultsOf(await mine.get("/imports?state=PENDING"))).toEqual(["state"]);
    const foreign = await tenant.get(`/imports?tenantId=${mine.tenantId}`);
    expect(foreign.body).toEqual({ data: [], nextCursor: null });
  });
});

describe("the retention of imports", () => {
  it("ends after thirty days, for all their parts, and not before", async () => {
    const mine = await makeTenant();
    const { body } = await importOf({ files: filesOf(150) }, mine);
    const madeMs = Date.parse(body.createdAt);
    await sweepImports(env, madeMs + 30 * DAY_MS - 1000);
    expect((await mine.get(`/imports/${body.id}`)).status).toBe(200);
    // A sweep removes a hundred imports, the oldest first, and other suites make imports too.
    for (let sweeps = 0; sweeps < 50; sweeps += 1) {
      await sweepImports(env, madeMs + 30 * DAY_MS + 1000);
      if ((await mine.get(`/imports/${body.id}`)).status === 404) break;
    }
    expect((await mine.get(`/imports/${body.id}`)).status).toBe(404);
    const left = await env.DB.prepare("SELECT count(*) AS n FROM import_parts WHERE import_id = ?")
      .bind(body.id)
      .first("n");
    expect(left).toBe(0);
  });
});
