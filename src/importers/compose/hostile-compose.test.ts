import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { composeParser } from "./compose.ts";

/** Processor time. Each of these took several times as much before. */
const MAX_SECONDS = 2.5;

/** The modules of these files, the warnings, and the seconds of a processor that reading them takes. */
function read(files: Readonly<Record<string, string>>) {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const log = new ImportLog();
  const spentMs = processorTime();
  const { modules } = parsedBy(composeParser, all, log);
  const codes = new Set(log.warnings().map(({ code }) => code));
  return { modules, codes, seconds: spentMs() / 1000 };
}

const each = (length: number, of: (at: number) => string) =>
  Array.from({ length }, (_, at) => of(at));
const documents = (length: number, of: (at: number) => string) => each(length, of).join("---\n");

it("services of many documents that extend each other in circles end at the first base again", () => {
  const labels = each(40, (at) => `l${at}: x`).join(", ");
  const services = each(
    12,
    (at) => `  s${at}: { image: a, extends: s${(at + 1) % 12}, labels: { ${labels} } }\n`,
  ).join("");
  const { modules, codes, seconds } = read({
    "compose.yaml": documents(12, () => `services:\n${services}`),
  });
  expect(modules[0]?.resources).toHaveLength(12);
  expect(codes).toContain("extends_in_circle");
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("a base that each of many services extends is read again only as often as the import pays", () => {
  const labels = each(5_000, (at) => `        l${at}: x\n`).join("");
  const { modules, codes, seconds } = read({
    "base.yaml": `services:\n  base:\n    image: a\n    labels:\n${labels}`,
    "compose.yaml": `services:\n${each(
      1_000,
      (at) => `  s${at}: { extends: { file: base.yaml, service: base } }\n`,
    ).join("")}`,
  });
  const values = modules.flatMap(({ resources }) =>
    resources.flatMap(({ settings }) =>
      settings.members.flatMap(({ value }) => (value.kind === "object" ? value.members : [])),
    ),
  );
  expect(values.length).toBeGreaterThan(100_000);
  expect(values.length).toBeLessThan(1_000_000);
  expect(codes).toContain("too_many_values");
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("a thousand documents that add to one service merge in one pass", () => {
  const { modules, seconds } = read({
    "compose.yaml": documents(
      900,
      (at) =>
        `services:\n  a:\n    image: a\n    ports: [${each(20, (port) => `"${at}:${port}"`).join(", ")}]\n    labels: { ${each(20, (one) => `l${at}-${one}: x`).join(", ")} }\n`,
    ),
  });
  const [service] = modules[0]?.resources ?? [];
  const sizes = service?.settings.members.map(({ name, value }) => [
    name,
    value.kind === "list" ? value.items.length : value.kind === "object" && value.members.length,
  ]);
  expect(sizes).toEqual([
    ["image", false],
    ["ports", 18_000],
    ["labels", 18_000],
  ]);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("a large file that many projects include is read again only as often as the import pays", () => {
  const { modules, codes, seconds } = read({
    "big.yaml": `services:\n${each(4_000, (at) => `  s${at}: { image: a }\n`).join("")}`,
    ...Object.fromEntries(
      each(400, (at) => `p${at}/compose.yaml`).map((path) => [
        path,
        "include: [../big.yaml]\nservices: { own: { image: b } }\n",
      ]),
    ),
  });
  expect(modules).toHaveLength(400);
  expect(modules.every(({ resources }) => resources.some(({ name }) => name === "own"))).toBe(true);
  const count = modules.reduce((sum, { resources }) => sum + resources.length, 0);
  expect(count).toBeGreaterThan(8_000);
  expect(count).toBeLessThan(200_000);
  expect(codes).toContain("too_many_values");
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("long lists of includes are followed once for each project, up to a limit", () => {
  const missing = each(20_000, (at) => `  - ../m${at}.yaml\n`).join("");
  const { modules, seconds } = read({
    "list.yaml": `include:\n${missing}services: { a: { image: a } }\n`,
    ...Object.fromEntries(
      each(1_000, (at) => `p${at}/compose.yaml`).map((path) => [
        path,
        "include: [../list.yaml]\nservices: { own: { image: b } }\n",
      ]),
    ),
  });
  expect(modules).toHaveLength(1_000);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});

it("bases that lead to a circle through many documents are followed once", () => {
  const levels = each(
    8,
    (at) => `  l${at}: { image: a, extends: l${at === 7 ? 0 : at + 1} }\n`,
  ).join("");
  const services = each(16_000, (at) => `  s${at}: { extends: l0 }\n`).join("");
  const { modules, seconds } = read({
    "compose.yaml": `${documents(12, () => `services:\n${levels}`)}---\nservices:\n${services}`,
  });
  expect(modules[0]?.resources).toHaveLength(16_008);
  expect(seconds).toBeLessThan(MAX_SECONDS);
});
