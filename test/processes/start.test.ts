/**
 * `npm start`'s own program. A start takes seconds, so the tests share one directory and hand on the service that runs
 * there: `running` gives the one that an earlier test left, and starts one when there is none.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { clientOf } from "../../scripts/client/client.ts";
import { formatEnvFile } from "../../scripts/files/env-file.ts";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { newSecrets } from "../../scripts/service/new-secrets.ts";
import { freePort, portIsFree } from "../../scripts/service/port.ts";
import { partOf } from "../support/depth.ts";
import {
  cleanUp,
  type Command,
  killHard,
  killTree,
  program,
  runToEnd,
  type ServiceProcess,
  startService,
  survivors,
  temporaryDirectory,
  treeOf,
} from "./service-process.ts";

const execFileAsync = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
/** Wrangler's dependency, in Wrangler's version. */
const { CorePaths } = createRequire(resolve("wrangler"))("miniflare") as {
  CorePaths: Readonly<Record<string, string>> & { PLATFORM_PROXY: string };
};

let directory: string;
let environment: Record<string, string>;
let current: { service: ServiceProcess; command: Command } | undefined;

beforeAll(async () => {
  directory = await temporaryDirectory();
  environment = {
    STATE_DIR: path.join(directory, "state"),
    DEV_VARS_FILE: path.join(directory, "dev.vars"),
    PORT: String(await freePort()),
    IDP_PORT: String(await freePort()),
  };
});

// What a failed test did to its service is unknown: the next one has one of its own.
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await ended("SIGKILL");
});

afterAll(() => cleanUp(directory));

const npm: Command = ["npm", "start"];

async function running(command: Command = program): Promise<ServiceProcess> {
  if (current?.command !== command) {
    await ended("SIGTERM");
    current = { service: await startService(environment, command), command };
  }
  return current.service;
}

/** The service gets the signal, if there is one that runs. Its exit code. */
async function ended(signal: NodeJS.Signals): Promise<number | null | undefined> {
  const service = current?.service;
  service?.kill(signal);
  return isOver();
}

/** The service ends by what was done to it. Its exit code. */
async function isOver(): Promise<number | null | undefined> {
  const code = await current?.service.exited;
  current = undefined;
  return code;
}

/** The service answers, knows its operator, and remembers what it was told before. */
async function makeTenant(service: { address: string; operatorKey: string }, slug: string) {
  return clientOf(service.address, service.operatorKey).post<{ id: string }>("/tenants", {
    name: "Tenant",
    slug,
  });
}

describe("a start on a fresh machine", () => {
  it("makes secrets that only their owner can read, and serves with them", async () => {
    const service = await running();
    const file = environment["DEV_VARS_FILE"] ?? "";
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(`BOOTSTRAP_API_KEY='${service.operatorKey}'`);
    expect(service.address).toBe(`http://127.0.0.1:${environment["PORT"]}`);
    await makeTenant(service, "fresh");
    const signIn = await fetch(
      `${service.address}/api/v1/auth/oidc/development/login?returnTo=/account`,
      { redirect: "manual" },
    );
    expect(signIn.headers.get("location")).toContain(
      `http://127.0.0.1:${environment["IDP_PORT"]}/auth?`,
    );
    const discovery = await fetch(`${service.address}/.well-known/openid-configuration`);
    const { issuer, jwks_uri: keys } = (await discovery.json()) as Record<string, string>;
    expect(issuer).toBe(service.address);
    expect(await (await fetch(keys ?? "")).json()).toMatchObject({ keys: [{ alg: "RS256" }] });
    const tree = await treeOf(service.pid);
    expect(tree.map(({ command }) => command).join("\n")).toContain("workerd");
    for (const { command } of tree) expect(command).not.toContain(service.operatorKey);
  });

  it("is whole to the doctor", async () => {
    const service = await running();
    const { stdout } = await execFileAsync(
      process.execPath,
      [path.join(projectRoot, "scripts/installation/doctor.ts"), service.address, "--json"],
      { cwd: projectRoot, env: { ...process.env, OPERATOR_KEY: service.operatorKey } },
    );
    const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string }[] };
    expect(findings.filter(({ level }) => level === "error")).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "sign-in development", level: "ok" }),
    );
    for (const check of ["health", "sweeps", "public-url", "federation"])
      expect(findings).toContainEqual(expect.objectContaining({ check, level: "ok" }));
  });

  it("ends when it is asked to and leaves nothing behind but its state and its secrets", async () => {
    const first = await running();
    await makeTenant(first, "kept");
    const identityKeys = path.join(environment["STATE_DIR"] ?? "", "identity-provider.json");
    const keys = await readFile(identityKeys, "utf8");
    expect((await stat(identityKeys)).mode & 0o777).toBe(0o600);
    const tree = await treeOf(first.pid);

    expect(await ended("SIGTERM")).toBe(0);
    expect(await survivors(tree, 1_000)).toEqual([]);
    expect(await portIsFree(Number(environment["IDP_PORT"]))).toBe(true);
    await expect(stat(path.join(environment["STATE_DIR"] ?? "", "run.env"))).rejects.toThrow(
      "ENOENT",
    );

    const second = await running();
    expect(second.operatorKey).toBe(first.operatorKey);
    expect(await readFile(identityKeys, "utf8")).toBe(keys);
    await expect(makeTenant(second, "kept")).rejects.toMatchObject({
      code: "slug_taken",
    });
  });
});

/** Each takes a start of the service or two, or two deployments: an ordinary run takes one of them. */
const scenes = partOf(
  [
    "the README",
    "the program",
    "its supervisor",
    "all but the runtime",
    "all",
    "npm SIGTERM",
    "npm SIGKILL",
    "variables",
  ] as const,
  8,
);

describe.runIf(scenes.includes("the README"))("the first deployment of the README", () => {
  it("works when it is pasted, and again when each part is pasted twice", async () => {
    const service = await running();
    const readme = await readFile(path.join(projectRoot, "README.md"), "utf8");
    const [, section = ""] =
      /<!-- first-deployment -->(.*?)<!-- \/first-deployment -->/s.exec(readme) ?? [];
    const parts = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = ""]) => commands);
    expect(parts.length).toBeGreaterThan(3);
    const script = parts
      .flatMap((part) => [part, part])
      .join("\n")
      .replaceAll("http://127.0.0.1:8787", service.address)
      .replaceAll(".dev.vars", environment["DEV_VARS_FILE"] ?? "");
    const { stdout, stderr } = await execFileAsync("sh", ["-c", `set -e\n${script}`], {
      cwd: projectRoot,
      timeout: 100_000,
    });
    expect(stderr).toBe("");
    expect(stdout.match(/^[A-Z_]+$/gm)).toEqual(["SUCCEEDED", "NO_CHANGES"]);
    expect(stdout.match(/Destroyed\./g)?.length).toBe(2);
  });
});

/** Every path at which Wrangler's parts answer themselves, and its older names for them. */
const toolPaths = [
  ...Object.values(CorePaths),
  "/cdn-cgi/explorer",
  "/cdn-cgi/explorer/api/d1/database",
  "/cdn-cgi/local/explorer/api/d1/database",
  "/cdn-cgi/handler/email",
  "/cdn-cgi/handler/scheduled",
  "/cdn-cgi/mf/scheduled",
  "/cdn-cgi/mf/stream",
  "/cdn-cgi/mf/imagedelivery",
  "/cdn-cgi/live-reload",
  "/cdn-cgi/InspectorProxyWorker/websocket",
  "/__scheduled",
  "/core/error",
];

describe("a stranger at the service's port", () => {
  it("reaches no development tool", async () => {
    const service = await running();
    const answers = toolPaths.flatMap((path) =>
      ["GET", "POST"].map(async (method) => {
        const response = await fetch(service.address + path, { method });
        const type = response.headers.get("content-type");
        return `${method} ${path} ${response.status} ${type} ${await response.text()}`;
      }),
    );
    const byTools = (await Promise.all(answers)).filter(
      (answer) => !/ 404 application\/problem\+json .*"code":"not_found"/.test(answer),
    );
    // Wrangler has no switch for these: each refuses.
    const refusals = [
      / \/cdn-cgi\/(local|handler|mf)\/scheduled 500 \S+ exception$/,
      / \/cdn-cgi\/(local|handler)\/email 400 \S+ Invalid email/,
      / \/cdn-cgi\/local\/platform-proxy 400 \S+ Invalid proxy request$/,
    ];
    expect(byTools).not.toEqual([]);
    expect(byTools.filter((answer) => !refusals.some((refusal) => refusal.test(answer)))).toEqual(
      [],
    );
    const proxied = await fetch(service.address + CorePaths.PLATFORM_PROXY, {
      headers: { "mf-op": "GET", "mf-op-target": "0" },
    });
    expect(proxied.status).toBe(401);
  });

  it("serves no file of the catalogue or the API reference, which the Worker alone does", async () => {
    const service = await running();
    for (const path of [
      "/catalogue/aws/index.json",
      "/catalogue/aws/s3.json",
      "/catalogue/",
      "/openapi/openapi.json",
      "/docs/index.json",
      "/docs/instances.html",
    ]) {
      const response = await fetch(service.address + path);
      expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found" }]);
    }
  });

  it("does not fire the scheduled handler, with whatever cron and time", async () => {
    const service = await running();
    const later = Date.now() + 100 * 86_400_000;
    for (const query of ["", `?time=${later}`, `?cron=*+*+*+*+*&time=${later}`, "?cron="]) {
      const response = await fetch(`${service.address}/cdn-cgi/local/scheduled${query}`);
      expect(`${query} ${response.status}`).toBe(`${query} 500`);
    }
    await expect.poll(service.output).toContain("without the key of this run was refused");
    expect(service.output()).not.toContain("The scheduled handler answered");
  });

  it("finds the state closed to everyone but its owner", async () => {
    await running();
    const state = environment["STATE_DIR"] ?? "";
    const names = await readdir(state, { recursive: true });
    expect(names.some((name) => name.endsWith(".sqlite"))).toBe(true);
    const open = [".", ...names].map(async (name) => {
      const { mode } = await stat(path.join(state, name));
      return (mode & 0o077) === 0 ? [] : [name];
    });
    expect((await Promise.all(open)).flat()).toEqual([]);
  });
});

describe("a place that is taken", () => {
  it.each([
    ["port", "PORT", "is in use."],
    ["identity provider's port", "IDP_PORT", "is in use, and the dev"],
  ])("is said at once when it is the %s", async (_, variable, message) => {
    const taken = await freePort();
    const server = createServer().listen(taken, "127.0.0.1");
    await once(server, "listening");
    const { code, output } = await runToEnd({
      ...(await elsewhere()),
      [variable]: String(taken),
    });
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${taken} of 127.0.0.1 ${message}`);
  });

  it("is said when it is the state of a service that runs", async () => {
    const service = await running();
    const { code, output } = await runToEnd({
      ...environment,
      PORT: String(await freePort()),
      IDP_PORT: String(await freePort()),
    });
    expect(code).toBe(1);
    expect(output).toMatch(/Another run \(process \d+\) uses the state in/);
    await makeTenant(service, "undisturbed");
  });
});

describe("a kill -9", () => {
  it.runIf(scenes.includes("the program"))(
    "of the program alone takes everything it started with it",
    async () => {
      const service = await running();
      const tree = await treeOf(service.pid);
      killHard(service.pid);
      await isOver();
      expect(await survivors(tree, 5_000)).toEqual([]);
    },
  );

  it.runIf(scenes.includes("its supervisor"))(
    "of its supervisor ends the program with an error and leaves nothing behind",
    async () => {
      const service = await running();
      const tree = await treeOf(service.pid);
      killHard(tree.find(({ command }) => command.includes("supervisor.ts"))?.pid ?? 0);
      expect(await isOver()).toBe(1);
      expect(await survivors(tree, 5_000)).toEqual([]);
    },
  );

  it.runIf(scenes.includes("all but the runtime"))(
    "of everything but the runtime does not keep the next start from its port and state",
    async () => {
      const service = await running();
      await makeTenant(service, "before");
      const tree = await treeOf(service.pid);
      const runtime = tree.filter(({ command }) => /bin\/workerd serve/.test(command));
      expect(runtime).not.toEqual([]);
      for (const entry of tree) if (!runtime.includes(entry)) killHard(entry.pid);
      await isOver();
      expect(await survivors(runtime, 300)).toEqual(runtime);

      const next = await running();
      expect(await survivors(runtime, 0)).toEqual([]);
      await expect(makeTenant(next, "before")).rejects.toMatchObject({
        code: "slug_taken",
      });
    },
  );

  it.runIf(scenes.includes("all"))(
    "of all at once leaves a state that the next start goes on with",
    async () => {
      const service = await running();
      await makeTenant(service, "durable");
      await killTree(service.pid);
      await isOver();
      const next = await running(npm);
      await expect(makeTenant(next, "durable")).rejects.toMatchObject({
        code: "slug_taken",
      });
    },
  );
});

describe("under npm", () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const)
    it.runIf(scenes.includes(`npm ${signal}`))(
      `the service ends with npm's process when that gets ${signal}`,
      async () => {
        const service = await running(npm);
        const tree = await treeOf(service.pid);
        expect(tree.map(({ command }) => command).join("\n")).toContain("workerd");
        await ended(signal);
        expect(await survivors(tree, 10_000)).toEqual([]);
      },
    );
});

/** An environment of its own: nothing of the shared one is touched. */
async function elsewhere(): Promise<Record<string, string>> {
  const own = await mkdtemp(path.join(directory, "elsewhere-"));
  return {
    STATE_DIR: path.join(own, "state"),
    DEV_VARS_FILE: path.join(own, "dev.vars"),
    PORT: String(await freePort()),
    IDP_PORT: String(await freePort()),
  };
}

describe("variables", () => {
  it.runIf(scenes.includes("variables"))(
    "are the environment's over those of the file over those of wrangler.toml",
    async () => {
      await ended("SIGTERM");
      const inFile = await newSecrets();
      const given = await newSecrets();
      const devVars = path.join(directory, "own.vars");
      await writeFile(devVars, formatEnvFile({ ...inFile, SERVER_TIMING: "on" }));
      const service = await startService({
        ...environment,
        DEV_VARS_FILE: devVars,
        BOOTSTRAP_API_KEY: given.BOOTSTRAP_API_KEY,
        OIDC_PROVIDERS: '[{"id":"own"}]',
      });
      expect(service.operatorKey).toBe(given.BOOTSTRAP_API_KEY);
      await makeTenant(service, "given");
      await expect(
        makeTenant({ ...service, operatorKey: inFile.BOOTSTRAP_API_KEY }, "file"),
      ).rejects.toMatchObject({ status: 401 });
      const providers = await fetch(`${service.address}/api/v1/auth/providers`);
      expect(await providers.json()).toMatchObject({ data: [] });
      expect(service.output()).not.toContain("Sign in");
      await expect.poll(service.output).toContain("OIDC_PROVIDERS[0].issuer: ");
      const health = await fetch(`${service.address}/api/v1/health`);
      expect(health.headers.get("server-timing")).toMatch(/total/);
      service.kill("SIGINT");
      expect(await service.exited).toBe(0);
    },
  );

  it("must hold the secrets", async () => {
    const own = await elsewhere();
    await writeFile(own["DEV_VARS_FILE"] ?? "", "SERVER_TIMING=on\n");
    const { code, output } = await runToEnd(own);
    expect(code).toBe(1);
    expect(output).toContain("BOOTSTRAP_API_KEY and SEALING_KEYS are not set. Set it in");
  });

  it.each(["environment", "file"])(
    "must be ones that it can work with, in one line about the %s",
    async (place) => {
      const own = await elsewhere();
      const file = own["DEV_VARS_FILE"] ?? "";
      const wrong = { PROVIDER_ENDPOINTS: '{"aws":"127.0.0.1:9899"}' };
      const inFile = place === "file" ? wrong : {};
      await writeFile(file, formatEnvFile({ ...(await newSecrets()), ...inFile }));
      const { code, output } = await runToEnd({ ...own, ...(place === "environment" && wrong) });
      expect(code).toBe(1);
      expect(output.trim().split("\n")).toEqual([
        `PROVIDER_ENDPOINTS must be a JSON object of URLs: that of aws is neither a URL of http or https nor an object of such URLs by host: no provider can be called. It is set in ${place === "file" ? file : "the environment"}.`,
      ]);
    },
  );
});
