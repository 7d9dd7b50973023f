/** Runs the receivers of docs/guides/receive-webhooks.md as they are printed there. */
import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { freePort } from "../service/port.ts";

const page = readFileSync(path.join(projectRoot, "docs/guides/receive-webhooks.md"), "utf8");
const [withLibrary = "", withoutLibrary = ""] = [...page.matchAll(/```js\n(.*?)```/gs)].map(
  ([, code]) => code,
);

const secret = `whsec_${Buffer.alloc(32, "s").toString("base64")}`;
const pair = generateKeyPairSync("ed25519");
const publicBytes = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url");
const publicKey = `whpk_${publicBytes.toString("base64")}`;
const body = JSON.stringify({ sequence: 7, type: "webhook.test", data: { resource: { id: "é" } } });
const v1 = (content: { id: string; at: Date; body: string }) =>
  new Webhook(secret).sign(content.id, content.at, content.body);
const v1a = ({ id, at, body: text }: { id: string; at: Date; body: string }) =>
  `v1a,${sign(null, Buffer.from(`${id}.${seconds(at)}.${text}`), pair.privateKey).toString("base64")}`;

let receiver: ChildProcess | undefined;
afterEach(() => {
  receiver?.kill("SIGKILL");
});

describe.each([
  ["with the library", withLibrary, { WEBHOOK_SECRET: secret }, v1, v1a],
  ["without a library, with a secret", withoutLibrary, { WEBHOOK_KEY: secret }, v1, v1a],
  ["without a library, with a public key", withoutLibrary, { WEBHOOK_KEY: publicKey }, v1a, v1],
])("the receiver of the guide, %s", (_, code, variables, own, other) => {
  it("takes what is signed now, and refuses everything else", async () => {
    const deliver = await started(code, variables);
    const at = new Date();
    const old = new Date(at.getTime() - 6 * 60_000);
    const sent = { id: "m", at, body };
    expect(await deliver({ ...sent, signature: own(sent) })).toBe(204);
    expect(await deliver({ ...sent, signature: `v1,AAAA v1a,AAAA ${own(sent)}` })).toBe(204);
    for (const [why, delivery] of Object.entries({
      "another body": { ...sent, body: body.replace("7", "8"), signature: own(sent) },
      "another id": { ...sent, id: "n", signature: own(sent) },
      "an old time": { id: "m", at: old, body, signature: own({ ...sent, at: old }) },
      "a signature of the other kind": { ...sent, signature: other(sent) },
      "a kind that does not exist": { ...sent, signature: own(sent).replace(/^v1a?/, "v2") },
      "no signature": { ...sent, signature: "" },
    }))
      expect([why, await deliver(delivery)]).toEqual([why, 401]);
  });
});

it("a receiver without a key says what is missing and ends", async () => {
  const { stderr } = await ended(withoutLibrary);
  expect(stderr).toContain("WEBHOOK_KEY is the webhook's secret (whsec_…) or public key (whpk_…).");
});

function run(code: string, variables: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: projectRoot,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

async function started(code: string, variables: Record<string, string>) {
  const port = await freePort();
  expect(code).toContain("listen(9099)");
  receiver = run(code.replace("9099", String(port)), variables);
  const deliver = async (delivery: { id: string; at: Date; body: string; signature: string }) => {
    const response = await fetch(`http://127.0.0.1:${port}/in`, {
      method: "POST",
      headers: {
        "webhook-id": delivery.id,
        "webhook-timestamp": seconds(delivery.at),
        "webhook-signature": delivery.signature,
      },
      body: delivery.body,
    });
    return response.status;
  };
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        ),
      {
        timeout: 20_000,
      },
    )
    .toBe(true);
  return deliver;
}

async function ended(code: string): Promise<{ stderr: string }> {
  const child = run(code, { WEBHOOK_KEY: "" });
  receiver = child;
  let stderr = "";
  for await (const part of child.stderr ?? []) stderr += String(part);
  return { stderr };
}

function seconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}
