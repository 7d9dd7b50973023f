import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientOf } from "../../scripts/client.ts";
import { formatEnvFile } from "../../scripts/env-file.ts";
import { newSecrets } from "../../scripts/new-secrets.ts";
import { freePort, portIsFree } from "../../scripts/port.ts";
import {
  cleanUp,
  killHard,
  killTree,
  runToEnd,
  startService,
  survivors,
  temporaryDirectory,
  treeOf,
} from "./service-process.ts";

let directory: string;
let environment: Record<string, string>;

beforeEach(async () => {
  directory = await temporaryDirectory();
  environment = {
    STATE_DIR: path.join(directory, "state"),
    DEV_VARS_FILE: path.join(directory, "dev.vars"),
    PORT: String(await freePort()),
    IDP_PORT: String(await freePort()),
  };
});

afterEach(() => cleanUp(directory));

/** The service answers, knows its operator, and remembers what it was told before. */
async function makeTenant(service: { address: string; operatorKey: string }, slug: string) {
  return clientOf(service.address, service.operatorKey).post<{ id: string }>("/tenants", {
    name: "Tenant",
    slug,
  });
}

describe("a start on a fresh machine", () => {
  it("makes secrets that only their owner can read, and serves with them", async () => {
    const service = await startService(environment);
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
    const tree = await treeOf(service.pid);
    expect(tree.map(({ command }) => command).join("\n")).toContain("workerd");
    for (const { command } of tree) expect(command).not.toContain(service.operatorKey);

    service.kill("SIGTERM");
    expect(await service.exited).toBe(0);
    expect(await survivors(tree, 1_000)).toEqual([]);
    expect(await portIsFree(Number(environment["IDP_PORT"]))).toBe(true);
    await expect(stat(path.join(environment["STATE_DIR"] ?? "", "run.env"))).rejects.toThrow(
      "ENOENT",
    );
  });

  it("keeps the secrets of an earlier start, and what the state holds", async () => {
    const first = await startService(environment);
    await makeTenant(first, "kept");
    const identityKeys = path.join(environment["STATE_DIR"] ?? "", "identity-provider.json");
    const keys = await readFile(identityKeys, "utf8");
    expect((await stat(identityKeys)).mode & 0o777).toBe(0o600);
    first.kill("SIGINT");
    expect(await first.exited).toBe(0);

    const second = await startService(environment);
    expect(second.operatorKey).toBe(first.operatorKey);
    expect(await readFile(identityKeys, "utf8")).toBe(keys);
    await expect(makeTenant(second, "kept")).rejects.toMatchObject({ code: "slug_taken" });
  });
});

describe("variables", () => {
  it("are the environment's over those of the file over those of wrangler.toml", async () => {
    const inFile = newSecrets();
    const given = newSecrets();
    await writeFile(
      environment["DEV_VARS_FILE"] ?? "",
      formatEnvFile({ ...inFile, SERVER_TIMING: "on" }),
    );
    const service = await startService({
      ...environment,
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
  });

  it("must hold the secrets", async () => {
    await writeFile(environment["DEV_VARS_FILE"] ?? "", "SERVER_TIMING=on\n");
    const { code, output } = await runToEnd(environment);
    expect(code).toBe(1);
    expect(output).toContain("BOOTSTRAP_API_KEY and SEALING_KEYS are not set. Set it in");
  });
});

describe("a place that is taken", () => {
  it("is said at once when it is the port", async () => {
    const server = createServer().listen(Number(environment["PORT"]), "127.0.0.1");
    await once(server, "listening");
    const { code, output } = await runToEnd(environment);
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${environment["PORT"]} of 127.0.0.1 is in use.`);
  });

  it("is said at once when it is the identity provider's port", async () => {
    const server = createServer().listen(Number(environment["IDP_PORT"]), "127.0.0.1");
    await once(server, "listening");
    const { code, output } = await runToEnd(environment);
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${environment["IDP_PORT"]} of 127.0.0.1 is in use, and the dev`);
  });

  it("is said when it is the state of a service that runs", async () => {
    const service = await startService(environment);
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

describe("under npm", () => {
  it.for([["SIGTERM"], ["SIGKILL"]] as const)(
    "the service ends with npm's process when that gets %s",
    async ([signal]) => {
      const service = await startService(environment, ["npm", "start"]);
      const tree = await treeOf(service.pid);
      expect(tree.map(({ command }) => command).join("\n")).toContain("workerd");
      service.kill(signal);
      await service.exited;
      expect(await survivors(tree, 10_000)).toEqual([]);
    },
  );
});

describe("a kill -9", () => {
  it("of the program alone takes everything it started with it", async () => {
    const service = await startService(environment);
    const tree = await treeOf(service.pid);
    killHard(service.pid);
    expect(await survivors(tree, 5_000)).toEqual([]);
  });

  it("of its supervisor ends the program with an error and leaves nothing behind", async () => {
    const service = await startService(environment);
    const tree = await treeOf(service.pid);
    killHard(tree.find(({ command }) => command.includes("supervisor.ts"))?.pid ?? 0);
    expect(await service.exited).toBe(1);
    expect(await survivors(tree, 5_000)).toEqual([]);
  });

  it("of everything but the runtime does not keep the next start from its port and state", async () => {
    const service = await startService(environment);
    await makeTenant(service, "before");
    const tree = await treeOf(service.pid);
    const runtime = tree.filter(({ command }) => /bin\/workerd serve/.test(command));
    expect(runtime).not.toEqual([]);
    for (const entry of tree) if (!runtime.includes(entry)) killHard(entry.pid);
    await service.exited;
    expect(await survivors(runtime, 300)).toEqual(runtime);

    const next = await startService(environment);
    expect(await survivors(runtime, 0)).toEqual([]);
    await expect(makeTenant(next, "before")).rejects.toMatchObject({ code: "slug_taken" });
  });

  it("of all at once leaves a state that the next start goes on with", async () => {
    const service = await startService(environment);
    await makeTenant(service, "durable");
    await killTree(service.pid);
    await service.exited;
    const next = await startService(environment);
    await expect(makeTenant(next, "durable")).rejects.toMatchObject({ code: "slug_taken" });
  });
});
