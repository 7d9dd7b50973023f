import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { floorOf } from "./floors.ts";
import { cyclesIn, groupGraph, readImportGraph } from "./import-graph.ts";

const graph = readImportGraph(process.cwd());

/** From the bottom up: a floor imports itself and those before it. */
const order = [
  "platform",
  "schema",
  "kernel",
  "http",
  "providers",
  "engine",
  "importers",
  "orchestrator",
  "areas",
  "console",
] as const;
const floorOfFile = (file: string): string | undefined => /^src\/([a-z]+)\//.exec(file)?.[1];

describe("the structure of src", () => {
  it("has a floor for every source file", () => {
    expect(graph.files.length).toBeGreaterThan(400);
    expect(graph.files.filter((file) => floorOf(file) === undefined)).toEqual([]);
    expect(new Set(graph.files.flatMap((file) => floorOfFile(file) ?? []))).toEqual(
      new Set(order.filter((floor) => graph.files.some((file) => floorOfFile(file) === floor))),
    );
  });

  it("has no upward imports", () => {
    const upwards: string[] = [];
    for (const [from, targets] of groupGraph(graph, floorOfFile))
      for (const to of targets)
        if (order.indexOf(to as never) > order.indexOf(from as never))
          upwards.push(`${from} → ${to}`);
    expect(upwards).toEqual([]);
  });

  it("has no cycle of files", () => {
    expect(cyclesIn(graph.imports)).toEqual([]);
  });

  it("has no cycle of folders", () => {
    // A folder and its subfolders may import each other; sibling folders must not form a cycle.
    const within = (a: string, b: string): boolean => `${a}/`.startsWith(`${b}/`);
    const folders = [...groupGraph(graph, dirname)].map(
      ([from, targets]) =>
        [from, [...targets].filter((to) => !within(from, to) && !within(to, from))] as const,
    );
    expect(cyclesIn(new Map(folders))).toEqual([]);
  });

  it("makes an answer that goes on for longer in one place, which asks again for the right", () => {
    const files = graph.files.filter((file) =>
      /^src\/(http|areas|console)\/(?!.*\.test\.)/.test(file),
    );
    const making = files.filter((file) =>
      /new \w*(?:Readable|Transform|FixedLength)\w*Stream|streamSSE|stream(?:Text)?\(c\b/.test(
        readFileSync(file, "utf8"),
      ),
    );
    expect(making).toEqual(["src/http/long-answers/event-stream.ts"]);
    const naming = files.filter((file) => readFileSync(file, "utf8").includes("handlerRoute"));
    expect(naming.sort()).toEqual(["src/http/long-answers/event-stream.ts", "src/http/route.ts"]);
  });

  it("has no cycle of areas", () => {
    expect(
      cyclesIn(groupGraph(graph, (file) => /^src\/areas\/([a-z-]+)\//.exec(file)?.[1])),
    ).toEqual([]);
  });

  // The compiler imports Hono's JSX into them by itself: `house/imports` does not see it.
  it("has JSX in http, in areas and in the console alone", () => {
    const templates = graph.files.filter((file) => file.endsWith(".tsx"));
    expect(templates.length).toBeGreaterThan(20);
    expect(templates.filter((file) => !/^src\/(http|areas|console)\//.test(file))).toEqual([]);
  });

  it("writes nothing into a page unescaped but the pages' own style sheets and guides", () => {
    const unescaped = graph.files.filter((file) =>
      /\braw\b[^;]*from "hono\/html"|dangerouslySetInnerHTML/.test(readFileSync(file, "utf8")),
    );
    expect(unescaped).toEqual([
      // The build makes them of the project's own files.
      "src/areas/docs/page/docs-page.tsx",
      "src/http/pages/html-page.ts",
    ]);
  });

  it("brings nothing into the Worker that only makes the reference pages or runs in a browser", () => {
    // docs/decisions/0071, 0086: the build makes both.
    const ofBuild = graph.files.filter((file) =>
      /^src\/(areas\/docs\/(content|document|page)|http\/openapi|console\/browser)\//.test(file),
    );
    expect(ofBuild.length).toBeGreaterThan(20);
    const inWorker = new Set(["src/worker.ts"]);
    for (const file of inWorker)
      for (const imported of graph.imports.get(file) ?? []) inWorker.add(imported);
    expect(inWorker.size).toBeGreaterThan(400);
    expect(ofBuild.filter((file) => inWorker.has(file))).toEqual([]);
  });

  it("has no folder with more than 25 modules", () => {
    const folders = Object.groupBy(graph.files, (file) => dirname(file));
    const full = Object.entries(folders).filter(([, files = []]) => files.length > 25);
    expect(full.map(([folder, files = []]) => `${folder}: ${files.length}`)).toEqual([]);
  });
});
