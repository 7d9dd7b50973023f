import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { floorOf } from "./floors.ts";
import { circlesIn, groupGraph, readImportGraph } from "./import-graph.ts";

const graph = readImportGraph(process.cwd());

/** From the ground up: a floor imports itself and those before it. */
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
] as const;
const floorOfFile = (file: string): string | undefined => /^src\/([a-z]+)\//.exec(file)?.[1];

describe("the house", () => {
  it("has sources, each on a floor", () => {
    expect(graph.files.length).toBeGreaterThan(400);
    expect(graph.files.filter((file) => floorOf(file) === undefined)).toEqual([]);
    expect(new Set(graph.files.flatMap((file) => floorOfFile(file) ?? []))).toEqual(
      new Set(order.filter((floor) => graph.files.some((file) => floorOfFile(file) === floor))),
    );
  });

  it("has no arrow upwards", () => {
    const upwards: string[] = [];
    for (const [from, targets] of groupGraph(graph, floorOfFile))
      for (const to of targets)
        if (order.indexOf(to as never) > order.indexOf(from as never))
          upwards.push(`${from} → ${to}`);
    expect(upwards).toEqual([]);
  });

  it("has no circle of files", () => {
    expect(circlesIn(graph.imports)).toEqual([]);
  });

  it("has no circle of folders", () => {
    // A folder and the rooms in it are one house: they may know each other. Rooms side by side may not.
    const within = (a: string, b: string): boolean => `${a}/`.startsWith(`${b}/`);
    const rooms = [...groupGraph(graph, dirname)].map(
      ([from, targets]) =>
        [from, [...targets].filter((to) => !within(from, to) && !within(to, from))] as const,
    );
    expect(circlesIn(new Map(rooms))).toEqual([]);
  });

  it("has no two areas that import each other", () => {
    expect(
      circlesIn(groupGraph(graph, (file) => /^src\/areas\/([a-z-]+)\//.exec(file)?.[1])),
    ).toEqual([]);
  });

  // The compiler imports Hono's JSX into them by itself: `house/imports` does not see it.
  it("has JSX in http and in areas alone", () => {
    const templates = graph.files.filter((file) => file.endsWith(".tsx"));
    expect(templates.length).toBeGreaterThan(20);
    expect(templates.filter((file) => !/^src\/(http|areas)\//.test(file))).toEqual([]);
  });

  it("writes nothing into a page unescaped but the pages' own style sheets", () => {
    const unescaped = graph.files.filter((file) =>
      /\braw\b[^;]*from "hono\/html"|dangerouslySetInnerHTML/.test(readFileSync(file, "utf8")),
    );
    expect(unescaped).toEqual(["src/http/pages/html-page.ts"]);
  });

  it("has no room of more than 25 modules", () => {
    const rooms = Object.groupBy(graph.files, (file) => dirname(file));
    const full = Object.entries(rooms).filter(([, files = []]) => files.length > 25);
    expect(full.map(([room, files = []]) => `${room}: ${files.length}`)).toEqual([]);
  });
});
