import { expect, it } from "vitest";
import { acceptFiles } from "#areas/imports/accept-files.ts";
import { analyse } from "#areas/imports/analyse.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { inTurns } from "#test/support/depth.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { ImportWork, MAX_WORK } from "./import-work.ts";

async function imported(files: Readonly<Record<string, string>>) {
  const sent = Object.entries(files).map(([path, content]) => ({ path, content }));
  const before = process.cpuUsage();
  const { drafts, parts } = await analyse(await acceptFiles(sent), undefined, {
    adopt: false,
    assets: builtAssets,
  });
  const { user, system } = process.cpuUsage(before);
  const codes = (parts.warnings ?? []).map(({ code }) => code);
  return { drafts, codes, seconds: (user + system) / 1e6, rows: parts.drafts ?? [] };
}

const callers = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, at) => [
      `root${at}/main.tf`,
      'module "all" {\n  source = "../faulty"\n}\n',
    ]),
  );
const faulty = (length: number) =>
  Array.from(
    { length },
    (_, at) =>
      `resource "aws_sqs_queue" "q${at}" {\n  delay_seconds = "soon"\n  max_message_size = [1]\n  redrive_policy = [${'{ a = "b" }, '.repeat(20)}]\n  fifo_queue = "perhaps"\n}\n`,
  ).join("");

// This test spends all the work of an import, which takes seconds.
it.runIf(inTurns(6)())(
  "a hundred roots that call a module of two hundred faulty resources end in seconds, with a warning",
  async () => {
    const { drafts, codes, seconds, rows } = await imported({
      ...callers(100),
      "faulty/main.tf": faulty(200),
    });
    expect(codes).toEqual(["drafts_incomplete"]);
    // Five on an idle machine; without the limit twenty.
    expect(seconds).toBeLessThan(15);
    // The first drafts are complete.
    expect(drafts[0]).toMatchObject({ module: "root0", partlyMapped: 200 });
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.length).toBeLessThan(100);
  },
  120_000,
);

it("a module that ten roots call is drafted for each, without a warning", async () => {
  const { drafts, codes } = await imported({ ...callers(10), "faulty/main.tf": faulty(20) });
  expect(codes).toEqual([]);
  expect(drafts.map(({ partlyMapped }) => partlyMapped)).toEqual(Array(10).fill(20));
});

it("the work of drafts is spent once and for all", () => {
  for (const spend of [
    (work: ImportWork) => work.spend(MAX_WORK),
    (work: ImportWork) => work.spendCheck(5 * MAX_WORK),
    (work: ImportWork) => work.spendWriting(2.5 * MAX_WORK),
  ]) {
    const work = new ImportWork();
    expect([work.spend(1), work.spendCheck(1), work.isSpent]).toEqual([true, true, false]);
    expect([spend(work), work.isSpent]).toEqual([false, true]);
  }
});

/** Eight settings, each of which splits a text of 80 kB a thousand times. */
const splitting = `locals {
  a = "${"ab".repeat(40_000)}"
}
${Array.from({ length: 8 }, (_, at) => `resource "aws_sqs_queue" "q${at}" {\n  name = join("-", [for i in range(1000): length(split("a", local.a))])\n}\n`).join("")}
resource "aws_sqs_queue" "last" {
  name = "last"
}
`;

it("loops that split a long text end soon, and the draft names the missing parts", async () => {
  const spentMs = processorTime();
  const { drafts, codes } = await imported({ "main.tf": splitting });
  expect(spentMs()).toBeLessThan(3_000);
  expect(codes).toEqual([]);
  expect(drafts).toMatchObject([
    {
      unsupported: expect.arrayContaining([
        expect.objectContaining({ address: "module", code: "too_many" }),
      ]),
      source: expect.stringMatching(/Name: last/),
    },
  ]);
});
