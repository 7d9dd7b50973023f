/** `npx wrangler dev` by itself, without what `npm start` prepares. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { newSecrets } from "../../scripts/service/new-secrets.ts";
import { freePort } from "../../scripts/service/port.ts";
import { wranglerCli, wranglerEnvironment } from "../../scripts/service/wrangler.ts";
import { killTree, temporaryDirectory } from "./service-process.ts";

const stateDir = await temporaryDirectory();
afterAll(() => rm(stateDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

it("is not ready without secrets and migrations, says so, and serves no explorer", async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  // What the project itself has to turn off.
  const {
    X_LOCAL_EXPLORER: _,
    X_LOCAL_OBSERVABILITY: __,
    ...environment
  } = wranglerEnvironment(stateDir);
  const wrangler = spawn(
    process.execPath,
    // The committed file, but not the `.dev.vars` of whoever runs this.
    [
      wranglerCli,
      "dev",
      "--env-file=.env",
      `--persist-to=${stateDir}`,
      `--port=${port}`,
      "--inspector-port=0",
    ],
    { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"], env: environment },
  );
  const ended = once(wrangler, "exit");
  const { BOOTSTRAP_API_KEY } = await newSecrets();
  let log = "";
  for (const stream of [wrangler.stdout, wrangler.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (log += text));
  const get = async (path: string) => {
    const response = await fetch(address + path, {
      headers: { authorization: `Bearer ${BOOTSTRAP_API_KEY}` },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  try {
    await expect
      .poll(() => get("/api/v1/health"), { timeout: 60_000 })
      .toMatchObject({
        status: 503,
        body: { code: "unavailable", detail: expect.stringContaining("not ready") as string },
      });
    await expect.poll(() => log).toContain("wrangler d1 migrations apply control-api");
    expect(log).toContain("wrangler secret put SEALING_KEYS");
    expect(await get("/api/v1/tenants")).toMatchObject({
      status: 503,
      body: { code: "unavailable" },
    });
    for (const path of ["/cdn-cgi/explorer/api/d1/database", "/cdn-cgi/local/explorer"])
      expect(await get(path)).toMatchObject({ status: 404, body: { code: "not_found" } });
  } finally {
    await killTree(wrangler.pid ?? 0);
    await ended;
  }
});
