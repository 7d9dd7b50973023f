/** The commands that take an operator's key, with a hostile address and with hostile answers. */
import { execFile } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { startLoopbackServer } from "../service/loopback-server.ts";
import { operatorAddress } from "./operator-address.ts";

/** Clears the screen, goes up a line, turns the line around, and begins another one. */
const HOSTILE = "\u001b[2J\u009b1A\u202e\r\nall is well";
const commands = ["reconcile", "export-audit", "installation/doctor"] as const;

describe.each(commands)("%s", (command) => {
  it("sends the key neither unencrypted over a network nor to a host behind a user's name", async () => {
    const keys = new Set<string | undefined>();
    const service = await startLoopbackServer((request, response) => {
      keys.add(request.headers.authorization);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ status: "ok", data: [], nextCursor: null }));
    });
    try {
      const { port } = new URL(service.url);
      // To a machine, this is itself; to a program, any other machine.
      await run(command, `http://0.0.0.0:${port}`);
      const behind = await run(command, `http://control.example.com@127.0.0.1:${port}`);
      expect(behind.code).toBe(1);
      expect(behind.stderr).toContain("address");
    } finally {
      await service.close();
    }
    expect([...keys].filter((key) => key !== undefined)).toEqual([]);
  });

  it("prints no control characters of an answer, and no line of its own", async () => {
    const service = await startLoopbackServer((_, response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: "unavailable", detail: `No. ${HOSTILE}` }));
    });
    try {
      const { stdout, stderr } = await run(command, service.url);
      expect(stdout + stderr).toContain("No. ");
      expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
      expect(stdout + stderr).not.toMatch(/^all is well/m);
    } finally {
      await service.close();
    }
  });
});

it("a command does not send the key on to another host", async () => {
  const keys = new Set<string | undefined>();
  const other = await startLoopbackServer((request, response) => {
    keys.add(request.headers.authorization);
    response.end("{}");
  });
  const service = await startLoopbackServer((request, response) => {
    response.writeHead(307, { location: new URL(request.url ?? "", other.url).href }).end();
  });
  try {
    expect((await run("reconcile", service.url)).code).toBe(1);
  } finally {
    await Promise.all([service.close(), other.close()]);
  }
  expect([...keys].filter((key) => key !== undefined)).toEqual([]);
});

it.each(["control.example.com", "control.example.com:443", "file:///etc"])(
  "%s is no address, and that is said with an example",
  (text) => {
    expect(() => operatorAddress(text)).toThrow(/address.*https:\/\/\S+/s);
  },
);

it("reconcile prints ids of an answer without control characters", async () => {
  const service = await startLoopbackServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const isRuns = request.url?.includes("/operations/runs") === true;
    if (request.method === "POST") response.statusCode = 500;
    response.end(JSON.stringify({ data: isRuns ? [] : [{ id: `x${HOSTILE}` }], nextCursor: null }));
  });
  try {
    const { code, stdout } = await run("reconcile", service.url);
    expect([code, stdout]).toEqual([1, expect.stringContaining("not compared")]);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|^all is well/mu);
  } finally {
    await service.close();
  }
});

function run(command: string, address: string) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [path.join(projectRoot, `scripts/${command}.ts`), address],
      { env: { PATH: process.env["PATH"], OPERATOR_KEY: "cpk_op" } },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : error.code, stdout, stderr });
      },
    );
  });
}
