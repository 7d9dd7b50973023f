import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { cleanUp, runToEnd, temporaryDirectory } from "./service-process.ts";

const demo = [process.execPath, path.join(projectRoot, "scripts/demo.ts")] as const;
let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => cleanUp(directory));

it("does the main job from end to end, says so, and leaves nothing behind", async () => {
  const { code, output } = await demoOnFreePorts();
  expect(output).toMatch(/All checks passed in [\d.]+ s\./);
  expect(output).toMatch(/retries +4\n/);
  expect(code).toBe(0);
  expect((await readdir(directory)).filter((name) => name.startsWith("control-api"))).toEqual([]);
});

/** A port that was free may be taken by another suite before the demo's service has it. */
async function demoOnFreePorts(attempts = 3): ReturnType<typeof runToEnd> {
  const ended = await runToEnd({ TMPDIR: directory }, demo);
  const isTaken = /Port \d+ of 127\.0\.0\.1 is in use/.test(ended.output);
  return isTaken && attempts > 1 ? demoOnFreePorts(attempts - 1) : ended;
}
