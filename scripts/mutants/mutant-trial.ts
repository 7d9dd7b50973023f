/** Runs tests in a copy of the project into which faults can be planted. */
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Mutant } from "#test/mutants/mutant.ts";
import { projectRoot } from "../files/project-root.ts";
import { plant } from "./plant-mutant.ts";

/** The parts of Vitest's JSON report that a verdict needs. */
export interface Report {
  success: boolean;
  testResults: readonly {
    status: string;
    message: string;
    assertionResults: readonly { status: string; fullName: string }[];
  }[];
}

export type Verdict =
  | { kind: "noticed" | "hung" | "survived" }
  /** The entry or the tests have to be corrected. */
  | { kind: "wrong"; why: string };

/** The longest time of tests: a fault can make them wait forever. */
const TIME_LIMIT_MS = 240_000;
/** Tests that take a part of their cases take the same one each time. */
const SEED = "1";

const left = new Set([".dev.vars", ".git", ".wrangler", "dist", "node_modules"]);

/** The folder of a new copy of the project. Packages are linked one by one, so the copy has its own test caches. */
export function copyProject(): string {
  const copy = mkdtempSync(path.join(tmpdir(), "control-api-mutants-"));
  cpSync(projectRoot, copy, {
    recursive: true,
    filter: (source) => !left.has(path.relative(projectRoot, source)),
  });
  const packages = path.join(projectRoot, "node_modules");
  mkdirSync(path.join(copy, "node_modules"));
  for (const name of readdirSync(packages))
    if (!/^\.(vite|cache)/.test(name))
      symlinkSync(path.join(packages, name), path.join(copy, "node_modules", name));
  return copy;
}

/** Runs a test file's tests with these names, with the fault planted meanwhile, if one is given. */
export async function trial(
  copy: string,
  test: string,
  names: readonly string[],
  mutant?: Mutant,
): Promise<Report | "hung"> {
  if (mutant === undefined) return runTests(copy, test, names);
  const file = path.join(copy, mutant.file);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, plant(text, mutant));
  try {
    return await runTests(copy, test, names);
  } finally {
    writeFileSync(file, text);
  }
}

async function runTests(
  copy: string,
  test: string,
  names: readonly string[],
): Promise<Report | "hung"> {
  const reportFile = path.join(copy, "report.json");
  rmSync(reportFile, { force: true });
  const pattern = names.map(literally).join("|");
  const child = spawn(
    process.execPath,
    [
      path.join(copy, "node_modules/vitest/vitest.mjs"),
      "run",
      test,
      `--testNamePattern=${pattern}`,
      "--reporter=json",
      `--outputFile=${reportFile}`,
    ],
    {
      cwd: copy,
      env: { ...process.env, TEST_SEED: process.env["TEST_SEED"] ?? SEED },
      stdio: ["ignore", "ignore", "pipe"],
      // Its own process group, so that its Workers end with it.
      detached: true,
    },
  );
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  const ended = new Promise<"ended">((resolve) => {
    child.on("close", () => resolve("ended"));
  });
  const timeLimit = new Promise<"hung">((resolve) => {
    setTimeout(resolve, TIME_LIMIT_MS, "hung").unref();
  });
  const kill = (): void => killGroup(child.pid);
  process.once("exit", kill);
  const how = await Promise.race([ended, timeLimit]);
  process.off("exit", kill);
  kill();
  if (how === "hung") return how;
  try {
    return JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  } catch {
    throw new Error(`The tests in ${test} did not run:\n${errors}`);
  }
}

/** Also kills processes that outlived their parent, as a Worker of a killed run does. */
function killGroup(group: number | undefined): void {
  try {
    if (group !== undefined) process.kill(-group, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** A pattern that matches only this text. */
function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** The reason why the tests cannot show anything: without a fault, each must run and pass. */
export function unfit(report: Report | "hung", names: readonly string[]): string | undefined {
  if (report === "hung") return "takes too long";
  const passed = testsOf(report, "passed");
  const missing = names.find((name) => !passed.some((test) => test.includes(name)));
  if (missing !== undefined) return `has no passing test named "${missing}"`;
  return report.success ? undefined : "does not pass";
}

/** The tests' verdict on a fault. A fault that cannot be loaded, or that another test notices, counts as unnoticed. */
export function verdictOn(report: Report | "hung", noticedBy: string): Verdict {
  if (report === "hung") return { kind: "hung" };
  const failed = testsOf(report, "failed");
  if (failed.some((name) => name.includes(noticedBy))) return { kind: "noticed" };
  const [other] = failed;
  if (other !== undefined) return { kind: "wrong", why: `another test noticed it: ${other}` };
  if (report.success) return { kind: "survived" };
  const message = report.testResults.find(({ status }) => status === "failed")?.message;
  return { kind: "wrong", why: `no test failed, but the run did: ${message ?? "no message"}` };
}

function testsOf({ testResults }: Report, wanted: string): string[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === wanted)
    .map(({ fullName }) => fullName);
}
