/** `npm run deploy` and `npm run doctor` as programs, with a stand-in for Wrangler and its account. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { newAccount, type StandInAccount } from "../../scripts/installation/stand-in/account.ts";
import { startLoopbackServer } from "../../scripts/service/loopback-server.ts";
import { longScenes } from "./long-scenes.ts";

let directory: string;
let installation: string;
let stateFile: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "control-api-"));
  installation = path.join(directory, `${path.basename(directory)}.jsonc`);
  stateFile = path.join(directory, "account.json");
  await writeFile(stateFile, JSON.stringify(newAccount()));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await rm(path.join(projectRoot, `wrangler.${path.basename(directory)}.json`), { force: true });
});

async function run(
  script: "deploy" | "doctor",
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const child = spawn(
    process.execPath,
    [path.join(projectRoot, `scripts/installation/${script}.ts`), ...args],
    {
      cwd: projectRoot,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        OPERATOR_KEY: "",
        CLOUDFLARE_ACCOUNT_ID: "",
        WRANGLER_STAND_IN: path.join(projectRoot, "scripts/installation/stand-in/wrangler.ts"),
        STAND_IN_STATE: stateFile,
        ...environment,
      },
    },
  );
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { stdout, output: stdout + stderr, code, signal };
}

const account = async () => JSON.parse(await readFile(stateFile, "utf8")) as StandInAccount;
const deploy = async (args: readonly string[], environment?: Readonly<Record<string, string>>) =>
  run("deploy", ["--installation", installation, ...args], environment);

describe("npm run deploy", () => {
  const isDue = longScenes.includes("an installation killed");
  it.runIf(isDue)("continues after it was killed, and shows no secret", async () => {
    const asked = await deploy([]);
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.output).toContain("There is no terminal to ask at");
    expect((await account()).databases).toEqual([]);

    const killed = await deploy(["--yes"], { STAND_IN_KILLS_AT: "secret bulk" });
    expect(killed.signal).toBe("SIGKILL");
    const secretsFile = installation.replace(".jsonc", ".secrets.json");
    const secrets = JSON.parse(await readFile(secretsFile, "utf8")) as Record<string, string>;
    expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
    expect((await account()).workers["control-api"]?.secrets).toEqual(secrets);

    // Killed again, because what it deploys is reached by nobody.
    const continued = await deploy(["--yes"], { STAND_IN_KILLS_AT: "deploy --config" });
    expect(continued.output).toContain("Secrets     kept");
    expect((await account()).databases).toHaveLength(1);
    const files = await readdir(path.join(projectRoot, "migrations"));
    const migrations = files.filter((name) => name.endsWith(".sql"));
    expect((await account()).databases[0]?.applied).toHaveLength(migrations.length);
    expect((await account()).workers["control-api"]?.secrets).toEqual(secrets);

    const dry = await deploy(["--dry-run"]);
    expect(dry).toMatchObject({ code: 0 });
    const shown = [
      asked.output,
      killed.output,
      continued.output,
      dry.output,
      await readFile(`${stateFile}.calls`, "utf8"),
    ].join("\n");
    expect(Object.keys(secrets)).toHaveLength(3);
    for (const secret of Object.values(secrets)) expect(shown).not.toContain(secret);
  });

  it.each([
    [["--yse"], "Unknown option '--yse'"],
    [["--address", "control.example.com"], "--address must be an https address"],
  ])("refuses %s", async (args, problem) => {
    const refused = await deploy(args);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.output).toContain(problem);
    expect(refused.output).not.toContain("    at ");
  });
});

describe("npm run doctor", () => {
  it("ends with 1 where it finds an error, and prints JSON on demand", async () => {
    const server = await startLoopbackServer((_, response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: "unavailable", detail: "The service is not ready." }));
    });
    try {
      const printed = await run("doctor", [server.url]);
      expect(printed).toMatchObject({ code: 1 });
      expect(printed.output).toMatch(/^ERROR {4}The service is not ready: .*answered 503/m);
      expect(printed.output).toMatch(/^ {9}What to do: /m);
      const json = await run("doctor", [server.url, "--json"]);
      expect(json).toMatchObject({ code: 1 });
      expect(JSON.parse(json.stdout)).toMatchObject({
        address: new URL(server.url).origin,
        ok: false,
      });
    } finally {
      await server.close();
    }
  });

  it("says what an address is", async () => {
    const refused = await run("doctor", ["control.example.com"]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.output).toContain('"control.example.com" is not an address');
  });
});
