/** What an import stores, and how it is deleted. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MAX_PAGE_BYTES } from "#http/lists/fitting.ts";
import { type Answer, makeTenant, makeUnlimitedTenant } from "#test/support/api.ts";

const tenant = await makeUnlimitedTenant();

async function importOf(files: readonly { path: string; content: string }[]): Promise<Answer> {
  const made = await tenant.post("/imports", { files });
  expect(made.status, made.text.slice(0, 500)).toBe(201);
  return made;
}

/** The bytes of the texts that are stored of an import. */
async function storedBytes(id: string): Promise<number> {
  const row = await env.DB.prepare(
    `SELECT (SELECT octet_length(formats) + octet_length(summary) + octet_length(counts) FROM imports WHERE id = ?1)
      + coalesce((SELECT sum(octet_length(items)) FROM import_parts WHERE import_id = ?1), 0)
      + coalesce((SELECT sum(octet_length(draft) + octet_length(module)) FROM import_drafts WHERE import_id = ?1), 0) AS n`,
  )
    .bind(id)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

/** A name that does not compress. */
function noise(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
}

const bytesOf = (files: readonly { path: string; content: string }[]) =>
  files.reduce((sum, { path, content }) => sum + path.length + content.length, 0);

const longFolders = () => {
  const folder = Array.from({ length: 4 }, () => noise(240)).join("/");
  return Array.from({ length: 20 }, (_, at) => ({
    path: `${folder}/${at}/main.tf`,
    content: Array.from(
      { length: 400 },
      (__, nth) =>
        `resource "aws_vpc" "n${nth}" {\n  depends_on = [aws_vpc.n${(nth + 1) % 400}, aws_vpc.n${(nth + 2) % 400}, aws_vpc.n${(nth + 3) % 400}]\n}\n`,
    ).join(""),
  }));
};
/** Short references that name long resources again and again. */
const longNames = () => {
  const names = Array.from({ length: 60 }, () => `n${noise(480)}`);
  const all = names.map((name) => `aws_vpc.${name}`).join(", ");
  return [
    {
      path: "net/main.tf",
      content: `${names.map((name) => `resource "aws_vpc" "${name}" {}\n`).join("")}output "all" {\n  value = [${all}]\n}\n`,
    },
    {
      path: "main.tf",
      content: `module "net" {\n  source = "./net"\n}\n${Array.from(
        { length: 800 },
        (_, at) => `resource "aws_subnet" "s${at}" {\n  tags = { all = module.net.all }\n}\n`,
      ).join("")}`,
    },
  ];
};

describe("what an import stores", () => {
  it.each([
    ["of long folder names", longFolders],
    ["of short references to long names", longNames],
  ])("%s is no more than was sent", async (_, make) => {
    const files = make();
    const made = await importOf(files);
    const stored = await storedBytes(made.body.id);
    expect(stored).toBeGreaterThan(1_000);
    expect(stored).toBeLessThanOrEqual(bytesOf(files) + 70_000);
    expect(Math.max(...Object.values<number>(made.body.counts))).toBeGreaterThan(500);
  });

  it("is said to be cut where there is no room, and what is kept can be read to its end", async () => {
    const made = await importOf(longNames());
    const codes = made.body.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toContain("import_cut");
    expect(made.body.state).toBe("COMPLETED_WITH_WARNINGS");
    let cursor: string | null = made.body.nextCursors.edges;
    let read = made.body.graph.edges.length;
    while (cursor !== null) {
      const page: Answer = await tenant.get(`/imports/${made.body.id}?part=edges&cursor=${cursor}`);
      expect(page.text.length).toBeLessThanOrEqual(MAX_PAGE_BYTES + 4_096);
      expect(page.body.graph.edges.length).toBeGreaterThan(0);
      read += page.body.graph.edges.length;
      cursor = page.body.nextCursors.edges;
    }
    expect(read).toBe(made.body.counts.edges);
  });

  it("is answered in pages of at most 400 KiB, beside the draft", async () => {
    const { body } = await importOf(longFolders());
    const { draft: _, ...lists } = body;
    expect(JSON.stringify(lists).length).toBeLessThanOrEqual(MAX_PAGE_BYTES + 8_192);
    const read = await tenant.get(`/imports/${body.id}`);
    expect(read.body).toEqual(body);
  });
});

describe("an import that is deleted", () => {
  it("is gone with its lists and drafts, and makes room for another one", async () => {
    const mine = await makeTenant();
    const content = 'resource "digitalocean_vpc" "a" {\n  name = "a"\n  region = "nyc3"\n}\n';
    const { body } = await mine.post("/imports", { files: [{ path: "main.tf", content }] });
    expect(body.draft).not.toBeNull();
    const gone = await mine.delete(`/imports/${body.id}`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await mine.get(`/imports/${body.id}`)).status).toBe(404);
    expect((await mine.delete(`/imports/${body.id}`)).status).toBe(404);
    expect((await mine.get("/imports")).body.data).toEqual([]);
    const left = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM import_parts WHERE import_id = ?1)
        + (SELECT count(*) FROM import_drafts WHERE import_id = ?1) AS n`,
    )
      .bind(body.id)
      .first<{ n: number }>();
    expect(left?.n).toBe(0);
    const audited = await mine.get("/audit-events?limit=1");
    expect(audited.body.data[0]).toMatchObject({ action: "import.delete", resourceId: body.id });
  });

  it("stays where somebody else read another version, or may not delete it", async () => {
    const { body } = await tenant.post("/imports", {});
    const stale = await tenant.delete(`/imports/${body.id}`, { "if-match": '"7"' });
    expect(stale.status).toBe(412);
    expect((await (await makeTenant()).delete(`/imports/${body.id}`)).status).toBe(404);
    expect((await tenant.get(`/imports/${body.id}`)).status).toBe(200);
  });
});
