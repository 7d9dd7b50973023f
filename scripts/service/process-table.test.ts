import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isAlive, parsePsLine, parseStat, processTable } from "./process-table.ts";

it("parses a process name with spaces and parentheses", () => {
  expect(parseStat("42 (a) b (c) S 7 42 42 0 -1", "node\0x.ts\0")).toEqual({
    pid: 42,
    parent: 7,
    group: 42,
    command: "node x.ts",
  });
});

it("omits zombies", () => {
  expect(parseStat("42 (node) Z 7 42 42", "")).toBeUndefined();
  expect(parsePsLine(" 42 7 42 Z+ <defunct>")).toEqual([]);
});

it("parses the output of ps", () => {
  expect(parsePsLine("  42   7  42 Ss   node x.ts --a b")).toEqual([
    { pid: 42, parent: 7, group: 42, command: "node x.ts --a b" },
  ]);
  expect(parsePsLine("")).toEqual([]);
});

it("lists a child while it is alive", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const pid = child.pid ?? 0;
  const found = (await processTable()).find((entry) => entry.pid === pid);
  expect(found).toMatchObject({ parent: process.pid });
  expect(await isAlive(pid)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect((await processTable()).some((entry) => entry.pid === pid)).toBe(false);
  expect(await isAlive(pid)).toBe(false);
});
