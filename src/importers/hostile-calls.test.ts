import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { countFor, partOf, testSeed } from "#test/support/depth.ts";
import { calledNames, hostileCalls } from "#test/support/hostile-calls.ts";
import { choices } from "./evaluate/chosen-argument.ts";
import { functions } from "./evaluate/decided-functions.ts";

/** MiB of heap: 30 for the loaded code, and 64 beyond the size of the import. */
const HEAP = 96;
/** Processor time. A machine with shared cores takes twice as long. */
const MAX_SECONDS = 3;

const reader = path.join(import.meta.dirname, "../../test/support/read-hostile-calls.ts");
/** This run takes one of so many calls of a function. */
const every = countFor({ ordinary: 48, deep: 8 });

describe("a function that a loop calls with large arguments", () => {
  it.each(partOf(calledNames, 24))(
    "takes the memory and the time of an ordinary import: %s",
    async (name) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        "--single-threaded-gc",
        `--max-old-space-size=${HEAP}`,
        reader,
        String(testSeed),
        String(every),
        name,
      ]);
      const worst = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { seconds: number };
      expect(worst.seconds, stdout).toBeLessThan(MAX_SECONDS);
    },
    300_000,
  );

  it("is tried for every function of the tables", () => {
    for (const name of [...functions.keys(), ...choices.keys()]) {
      expect(calledNames).toContain(name);
      expect(hostileCalls(name).length, name).toBeGreaterThan(5);
    }
  });
});
