/** A client's author has nothing but the document: what a generator makes of it must carry a whole program. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { writeTypes } from "./write-types.ts";

vi.mock("cloudflare:workers", () => ({ DurableObject: Object, env: {} }));

const root = path.resolve(import.meta.dirname, "../..");
const typesFile = path.join(root, "dist/sdk/api.ts");
const run = promisify(execFile);

interface App {
  app: { request: (path: string, init: object, env: object) => Promise<Response> };
}

/** What the compiler has to say, line by line; empty: nothing. */
async function mistakesIn(project: string): Promise<string[]> {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [compiler, "-p", project, "--pretty", "false"], {
    cwd: import.meta.dirname,
  }).catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter((line) => /error TS\d+/.test(line));
}

describe("the types of the document", () => {
  beforeAll(async () => {
    const { app } = await vi.importActual<App>("#app.ts");
    const bindings = { RATE_LIMITS: "off", DB: {} };
    const answer = await app.request("/api/v1/openapi.json", {}, bindings);
    expect(answer.status).toBe(200);
    await writeTypes((await answer.json()) as object, typesFile);
  }, 60_000);

  it("carry a program that does the main job", { timeout: 60_000 }, async () => {
    expect(await mistakesIn("tsconfig.json")).toEqual([]);
  });

  it("let no mistake pass", { timeout: 60_000 }, async () => {
    const lines = (
      await readFile(path.join(import.meta.dirname, "wrong-program.ts"), "utf8")
    ).split("\n");
    const wrong = lines.flatMap((line, at) => (line.includes("// wrong") ? [at + 1] : []));
    const found = (await mistakesIn("tsconfig.wrong.json")).map((line) =>
      Number(/^wrong-program\.ts\((\d+),/.exec(line)?.[1]),
    );
    expect([...new Set(found)]).toEqual(wrong);
  });
});
