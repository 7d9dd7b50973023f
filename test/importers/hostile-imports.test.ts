import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, makeUnlimitedTenant } from "#test/support/api.ts";
import { partOf } from "#test/support/depth.ts";
import {
  attacks,
  goodFiles,
  hostileFiles,
  largeImports,
  type SentFile,
} from "#test/support/hostile-imports.ts";

const tenant = await makeUnlimitedTenant();
const MAX_ANSWER = 4_000_000;

interface FileRow {
  path: string;
  state: string;
  reason: string | null;
}

/** What an import says of the ordinary files, which come first and have no module in common with others. */
function ofGoodFiles({
  body,
}: Answer): Readonly<Record<"files" | "drafts" | "coverage" | "draft", unknown>> {
  const isGood = ({ module }: { module: string }): boolean => module.startsWith("good/");
  return {
    files: body.files.slice(0, goodFiles.length),
    drafts: body.drafts.filter(isGood),
    coverage: body.coverage.filter(isGood),
    draft: body.draft,
  };
}

async function imported(files: readonly SentFile[], report?: object): Promise<Answer> {
  const made = await tenant.post("/imports?module=good/main.tf", { files, report });
  expect(made.status, made.text.slice(0, 500)).toBe(201);
  expect(made.text.length).toBeLessThan(MAX_ANSWER);
  const { total, parsed, failed, skipped } = made.body.progress;
  expect([total, parsed + failed + skipped]).toEqual([files.length, files.length]);
  return made;
}

let clean: ReturnType<typeof ofGoodFiles>;
beforeAll(async () => {
  clean = ofGoodFiles(await imported(goodFiles));
});

describe("beside an ordinary file of each format, all of which are read whole,", () => {
  const large = attacks.filter(({ isLarge = false }) => isLarge);
  const taken = [...attacks.filter((one) => !large.includes(one)), ...partOf(large, large.length)];
  it.each(taken.map((attack) => [attack.what, attack] as const))(
    "%s in a file of each format has a verdict",
    async (_, attack) => {
      const all = hostileFiles(attack);
      // Large ones would take the work of an import from each other.
      for (const hostile of attack.isLarge === true ? all.map((one) => [one]) : [all])
        await expectVerdicts(hostile);
    },
    120_000,
  );

  async function expectVerdicts(hostile: ReturnType<typeof hostileFiles>): Promise<void> {
    const made = await imported([...goodFiles, ...hostile.map(({ file }) => file)]);
    const rows: FileRow[] = made.body.files.slice(goodFiles.length);
    expect(rows.map(({ path, state, reason }) => [path, state, reason])).toEqual(
      hostile.map(({ file, verdict }) => [file.path, ...verdict]),
    );
    expect(ofGoodFiles(made)).toEqual(clean);
    const codes = made.body.warnings.map(({ code }: { code: string }) => code);
    for (const { reason } of rows) if (reason !== null) expect(codes).toContain(reason);
  }

  it.each(partOf(largeImports, largeImports.length))(
    "$what are read or refused",
    async ({ files, isBeyondDrafts = false }) => {
      const made = await imported([...goodFiles, ...files()]);
      const found = ofGoodFiles(made);
      expect(isBeyondDrafts ? found.files : found).toEqual(isBeyondDrafts ? clean.files : clean);
      for (const [part, length] of Object.entries(made.body.counts as Record<string, number>)) {
        expect(length, part).toBeLessThanOrEqual(50_000);
        const cursor = made.body.nextCursors[part] as string | null;
        if (cursor === null) continue;
        const page = await tenant.get(`/imports/${made.body.id}?part=${part}&cursor=${cursor}`);
        expect(page.status, page.text.slice(0, 500)).toBe(200);
      }
    },
  );

  it("files of paths that lead elsewhere are refused one by one", async () => {
    const bad = [
      "../up.tf",
      "a/../../up.tf",
      "/etc/passwd.tf",
      "a\\b.tf",
      "..\\up.tf",
      "a\0.tf",
      "a//b.tf",
      "./",
      "",
      "good/main.tf/main.tf/below.tf",
    ];
    const good = [
      "C:/main.tf",
      "twin/main.tf",
      "TWIN/main.tf",
      "...tf",
      "__proto__/constructor.tf",
    ];
    const paths = [...bad, "./good/main.tf/main.tf", ...good];
    const made = await imported([
      ...goodFiles,
      ...paths.map((path) => ({ path, content: 'variable "x" {}' })),
    ]);
    const rows: FileRow[] = made.body.files.slice(goodFiles.length);
    expect(rows.map(({ state, reason }) => reason ?? state)).toEqual([
      ...bad.map(() => "invalid_path"),
      "duplicate_path",
      ...good.map(() => "PARSED"),
    ]);
    expect(ofGoodFiles(made)).toEqual(clean);
  });

  it("files that lie about their format are read as what they say, or refused", async () => {
    const contents = goodFiles.map(({ content }) => content);
    const lies = goodFiles.flatMap(({ path }, at) =>
      contents.map((content, of) => ({ path: `lie${of}/${at}/${path}`, content })),
    );
    const named = [...new Set(["arm", "compose", "terraform-state", "nonsense", "__proto__"])];
    const forced = named.flatMap((format) =>
      contents.map((content, of) => ({ path: `forced/${format}/${of}/a`, content, format })),
    );
    const made = await imported([...goodFiles, ...lies, ...forced]);
    expect(ofGoodFiles(made)).toEqual(clean);
  });
});

describe("a report", () => {
  const many = Array.from({ length: 30_000 }, () => ({}));
  const proto = JSON.parse('{"__proto__":{"a":1},"constructor":"toString"}') as object;
  it.each([
    ["of Checkov", "checkov", { results: { failed_checks: many } }],
    ["of Checkov with other types", "checkov", { results: { failed_checks: [1, null, proto] } }],
    [
      "of driftctl",
      "driftctl",
      { summary: { total_managed: Number.MAX_SAFE_INTEGER }, unmanaged: many },
    ],
    ["of SARIF", "sarif", { version: "2.1.0", runs: [{ results: many }] }],
    ["of SARIF without end", "sarif", { version: "2.1.0", runs: many }],
    [
      "that is a plan",
      "terraform-plan",
      {
        format_version: "1.2",
        resource_changes: [{ address: "__proto__", change: { actions: ["constructor"] } }, proto],
      },
    ],
    [
      "that is a state",
      "terraform-raw-state",
      { version: 4, resources: [proto, { type: "__proto__", name: "x", instances: many }] },
    ],
    ["of nothing known", null, { constructor: "toString", results: many }],
  ])("%s is bounded, and files beside it are read", async (_, kind, report) => {
    const made = await imported(goodFiles, report);
    expect(ofGoodFiles(made)).toEqual(clean);
    expect(made.body.report?.kind ?? null).toBe(kind);
    expect(made.body.counts.findings).toBeLessThanOrEqual(20_000);
  });

  it("of more values than a Worker has memory for is refused", async () => {
    const refused = await tenant.post("/imports", {
      report: { a: Array.from({ length: 400_000 }, () => ({})) },
    });
    expect([refused.status, refused.body.code]).toEqual([413, "payload_too_large"]);
  });
});

it("2,001 files are refused as a whole, and no import is made of them", async () => {
  const files = Array.from({ length: 2001 }, (_, at) => ({ path: `${at}.tf`, content: "" }));
  const refused = await tenant.post("/imports", { files: [...goodFiles, ...files] });
  expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
});
