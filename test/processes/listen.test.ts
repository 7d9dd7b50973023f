/** `npm run listen` as a process: the receiver that people try webhooks with. */
import { generateKeyPairSync, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it } from "vitest";
import { interrupt, Terminal } from "./terminal.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
let terminal: Terminal | undefined;
afterEach(async () => {
  if (terminal !== undefined) await interrupt(terminal.pid);
  await terminal?.exited;
});

async function listen(key: string, options = ""): Promise<{ url: string; read: () => string }> {
  const command = `printf '%s\\n' "$KEY" | npm run --silent listen -- --port 0 ${options}`;
  const started = new Terminal("sh", ["-c", command], { KEY: key });
  terminal = started;
  await started.until("Ctrl+C ends it.");
  const url = /http:\S+\//.exec(started.output)?.[0] ?? "";
  return { url, read: () => started.output };
}

const event = JSON.stringify({
  id: "e1",
  type: "deployment.failed",
  timestamp: "2026-01-02T03:04:05.000Z",
  sequence: 5,
  data: {
    state: "FAILED",
    error: { code: "quota", message: "\u001b[2Jno \u009bmore\u202e" },
    pageUrl: "https://control.example.com/deployments/d1",
    resource: { type: "deployment", id: "d1" },
  },
});

async function deliver(url: string, id: string, signature?: string, body = event): Promise<number> {
  const at = new Date();
  const response = await fetch(url, {
    method: "POST",
    body,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signature ?? new Webhook(secret).sign(id, at, body),
    },
  });
  return response.status;
}

describe("npm run listen", () => {
  it("prints what is signed, refuses what is not, and answers as it is told so many times", async () => {
    const { url, read } = await listen(secret, "--status 503 --delay 1 --first 1");
    const startedMs = performance.now();
    expect(await deliver(url, "e1")).toBe(503);
    expect(performance.now() - startedMs).toBeGreaterThan(900);
    expect(await deliver(url, "e1")).toBe(204);
    expect(await deliver(url, "e2", "v1,AAAA")).toBe(401);
    const printed = read();
    expect(printed).toContain("deployment.failed  deployment d1  #5");
    expect(printed).toContain("pageUrl: https://control.example.com/deployments/d1");
    expect(printed).toContain("e1, signed v1; answered with 503 after 1 s");
    expect(printed).toContain("e1, signed v1, for the second time; answered with 204");
    expect(printed).toContain("REFUSED with 401");
    for (const moving of ["\u001b", "\u009b", "\u202e"]) expect(printed).not.toContain(moving);
    expect(printed).not.toContain(secret);
  });

  it("verifies Ed25519 signatures with a public key, and reads a chat message", async () => {
    const pair = generateKeyPairSync("ed25519");
    const { x = "" } = pair.publicKey.export({ format: "jwk" });
    const key = `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
    const { url, read } = await listen(key);
    const body = JSON.stringify({ text: "Deploy of shop failed.", blocks: [] });
    const seconds = Math.floor(Date.now() / 1000);
    const signed = sign(null, Buffer.from(`m1.${seconds}.${body}`), pair.privateKey);
    const list = `v1,AAAA v1a,${signed.toString("base64")}`;
    expect(await deliver(url, "m1", list, body)).toBe(204);
    expect(await deliver(url, "m1", list, `${body} `)).toBe(401);
    expect(await deliver(url, "m1", list.slice(0, 8), body)).toBe(401);
    expect(read()).toContain("Deploy of shop failed.");
    expect(read()).toContain("m1, signed v1a; answered with 204");
  });

  it.each([
    ["nothing", "", "a secret that begins with whsec_"],
    [secret, "--status 99", '--status is "99"'],
    [secret, "--sttaus 503", "Usage: npm run listen"],
  ])("given %s and %j, says what is wrong and ends", async (key, options, said) => {
    const command = `printf '%s\\n' "$KEY" | npm run --silent listen -- ${options}`;
    const ended = new Terminal("sh", ["-c", command], { KEY: key });
    expect(await ended.exited).toBe(1);
    expect(ended.errors).toContain(said);
  });
});
