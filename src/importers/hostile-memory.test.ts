import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { countFor } from "#test/support/depth.ts";
import { largeImports } from "#test/support/hostile-imports.ts";

/** MiB: a hundred in workerd, where pointers take half the space of those in Node. */
const HEAP = 200;
/** Processor time: the slowest takes 4.5 seconds alone, a fifth more beside other work. A request may take 30. */
const MAX_SECONDS = 7;

const reader = path.join(import.meta.dirname, "../../test/support/read-hostile-import.ts");
const taken = countFor({ ordinary: 1, deep: largeImports.length });

it.each(largeImports.slice(0, taken).map(({ what }, at) => [what, at] as const))(
  "%s are read in the memory and the time of a Worker",
  async (_, at) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--single-threaded-gc",
      `--max-old-space-size=${HEAP}`,
      reader,
      String(at),
    ]);
    const { seconds, state, total } = JSON.parse(stdout) as Record<string, unknown>;
    expect(state).toMatch(/^COMPLETED/);
    expect(total).toBeGreaterThan(10);
    expect(seconds).toBeLessThan(MAX_SECONDS);
  },
  120_000,
);
