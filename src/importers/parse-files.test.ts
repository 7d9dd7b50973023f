import { expect, it } from "vitest";
import { ImportLog } from "./import-log.ts";
import { MAX_READING, workOf } from "./import-work.ts";
import { parseFiles } from "./parse-files.ts";

const map = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n`;
const large = map("large") + "  key: value\n".repeat(1_000);

it("reads small files of every format before a large one spends the work of the import", async () => {
  const log = new ImportLog();
  workOf(log).spendReading(MAX_READING - 2_000);
  const { files, modules } = await parseFiles(
    [
      { path: "large.yaml", text: large },
      { path: "main.tf", text: `locals {\n${"  a = 1\n".repeat(2_000)}}\n` },
      { path: "a/main.tf", text: 'resource "aws_vpc" "a" {}\n' },
      { path: "small.yaml", text: map("small") },
      { path: "compose.yaml", text: "services:\n  web:\n    image: web\n" },
    ],
    log,
  );
  expect(Object.fromEntries([...files].map(([path, { state }]) => [path, state]))).toEqual({
    "large.yaml": "FAILED",
    "main.tf": "FAILED",
    "a/main.tf": "PARSED",
    "small.yaml": "PARSED",
    "compose.yaml": "PARSED",
  });
  expect(modules.map(({ path }) => path)).toEqual(["a", "compose.yaml", "small.yaml"]);
  expect(log.warnings().map(({ code, file }) => [code, file])).toEqual([
    ["parse_budget_exceeded", "large.yaml"],
    ["too_many_values", "main.tf"],
  ]);
});

it("keeps the order of files, whatever their sizes", async () => {
  const blocks = (...names: string[]) =>
    names.map((name) => `resource "aws_vpc" "${name}" {}\n`).join("");
  const { files, modules } = await parseFiles(
    [
      { path: "net/b.tf", text: blocks("a", "b", "c") },
      { path: "net/a.tf", text: blocks("d") },
      { path: "late/a.yaml", text: large },
      { path: "early/a.yaml", text: map("early") },
    ],
    new ImportLog(),
  );
  expect([...files.keys()]).toEqual(["net/b.tf", "net/a.tf", "late/a.yaml", "early/a.yaml"]);
  expect(modules.map(({ path }) => path)).toEqual(["net", "late/a.yaml", "early/a.yaml"]);
  expect(modules[0]?.resources.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
});

it("gives the modules of two formats in one folder their own paths", async () => {
  const { modules } = await parseFiles(
    [
      { path: "app/main.tf", text: 'resource "aws_vpc" "a" {}' },
      { path: "app/a.yaml", text: map("a") },
      { path: "app/b.yaml", text: map("b") },
      { path: "c.yaml", text: map("c") },
    ],
    new ImportLog(),
  );
  expect(modules.map(({ path }) => path)).toEqual(["app", "app/*.yaml", "c.yaml"]);
});
