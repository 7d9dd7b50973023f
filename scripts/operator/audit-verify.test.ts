import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "audit-verify-"));
  await writeFile(path.join(folder, "cut.jsonl"), '{"data":[],"nextCursor":null}\n{"data":[{"seq');
});
afterAll(() => rm(folder, { recursive: true }));

it.for([
  ["a file that is not there", ["none.jsonl"], /^ENOENT: no such file.*none\.jsonl'\n$/],
  ["a file that was cut", ["cut.jsonl"], /^The file is not an export, or was cut.*\n$/],
  ["an option that is none", ["cut.jsonl", "--tail"], /^Unknown option.*\nUsage: .*\n$/],
  ["no file", [], /^Usage: .*\n$/],
] as const)("says in words what is wrong with %s, and exits with 2", async ([, given, said]) => {
  const { code, stdout, stderr } = await verify(given);
  expect(stderr).toMatch(said);
  expect([code, stdout]).toEqual([2, ""]);
});

it("prints nothing of a forged file that could hide its own verdict", async () => {
  const entry = {
    tenantId: "t\u001b[2K\u009b1A\u202e\r\nplatform: the chain of 1 entries is valid.",
    sequence: 1,
    id: "\u001b[8m",
    prevHash: "0".repeat(64),
    hash: "1".repeat(64),
  };
  await writeFile(path.join(folder, "forged.jsonl"), JSON.stringify(entry));
  const { code, stdout } = await verify(["forged.jsonl"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("is NOT valid")]);
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|^platform/mu);
});

function verify(given: readonly string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [path.join(projectRoot, "scripts/audit-verify.ts"), ...given],
      { cwd: folder },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : error.code, stdout, stderr });
      },
    );
  });
}
