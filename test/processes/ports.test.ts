/** What any other user of this machine, or any page in a browser on it, reaches of `npm start`. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { freePort } from "../../scripts/service/port.ts";
import {
  ask,
  commandLine,
  listeningPorts,
  listeningSockets,
  openToOthers,
  type ListeningPort,
} from "./listening-ports.ts";
import {
  cleanUp,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  treeOf,
} from "./service-process.ts";

const LOOPBACK = "0100007F";
/** Where debuggers list what they show, and take connections. */
const debuggers = ["/json", "/json/list", "/json/version", "/json/protocol"];
const sockets = [
  "/",
  "/ws",
  "/core:user:control-api",
  "/core:user:worker",
  "/cdn-cgi/InspectorProxyWorker/websocket",
  "/json/list",
];

describe.runIf(process.platform === "linux")("a stranger on the machine", () => {
  let directory: string;
  let service: ServiceProcess;
  let identityPort: number;
  let pids: number[];
  let ports: ListeningPort[];
  let secrets: string[];
  beforeAll(async () => {
    directory = await temporaryDirectory();
    identityPort = await freePort();
    const environment = {
      STATE_DIR: path.join(directory, "state"),
      DEV_VARS_FILE: path.join(directory, "dev.vars"),
      PORT: String(await freePort()),
      IDP_PORT: String(identityPort),
    };
    service = await startService(environment);
    const files = [environment.DEV_VARS_FILE, path.join(environment.STATE_DIR, "run.env")];
    for (const file of files) expect((await stat(file)).mode & 0o777, file).toBe(0o600);
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    secrets = texts.flatMap((text) => secretsIn(parseEnv(text) as Record<string, string>));
    pids = (await treeOf(service.pid)).map(({ pid }) => pid);
    ports = await listeningPorts(pids);
  });
  afterAll(() => cleanUp(directory));

  it("finds the service, its identity provider, and ports that refuse everybody, on loopback alone", async () => {
    expect(secrets.length).toBeGreaterThan(4);
    expect(ports.map(({ port }) => port)).toContain(Number(new URL(service.address).port));
    expect(ports.map(({ port }) => port)).toContain(identityPort);
    expect(ports.filter(({ address }) => address !== LOOPBACK)).toEqual([]);
    const others: string[] = [];
    for (const { port } of ports) {
      if (port === identityPort) continue;
      const health = await ask(port, "/api/v1/health");
      const tenants = await ask(port, "/api/v1/tenants");
      const isService = health.status === 200 && tenants.status === 401;
      const refuses = health.status === 403 && tenants.status === 403;
      if (!isService && !refuses) others.push(`${port}: ${health.status} ${health.text}`);
    }
    expect(others).toEqual([]);
  });

  it("finds no debugger and no secret at any of the ports", async () => {
    for (const { port } of ports) {
      for (const url of [...debuggers, "/", "/api/v1/health"]) {
        const { status, text } = await ask(port, url);
        const shown = `${port}${url} ${status} ${text}`;
        expect(text, shown).not.toMatch(/webSocketDebuggerUrl|devtools|Protocol-Version/i);
        if (debuggers.includes(url)) expect(status, shown).toBeGreaterThanOrEqual(400);
        for (const secret of secrets) expect(text).not.toContain(secret);
      }
      const upgraded = sockets.map((url) => ask(port, url, { upgrade: true }));
      expect((await Promise.all(upgraded)).map(({ status }) => status)).not.toContain(101);
    }
  });

  it("reads no secret in a command line, and opens no file and no socket of the service", async () => {
    for (const pid of pids) {
      const line = await commandLine(pid);
      for (const secret of secrets) expect(line).not.toContain(secret);
      expect((await stat(`/proc/${pid}/environ`)).mode & 0o077).toBe(0);
    }
    expect(await listeningSockets(pids)).toEqual([]);
    expect(
      await openToOthers(pids, [projectRoot, "/dev/", "/proc/", "/sys/", "/usr/", "/lib"]),
    ).toEqual([]);
  });
});

/** Settings of a few letters, and addresses, are none. */
function secretsIn(variables: Readonly<Record<string, string>>): string[] {
  return Object.values(variables).flatMap((value) =>
    [value, ...(value.match(/[\w+/=-]{32,}/g) ?? [])].filter(
      (text) => text.length >= 32 && !text.startsWith("http"),
    ),
  );
}
