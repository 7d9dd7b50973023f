import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startIdentityProvider } from "./dev-identity-provider.ts";
import { freePort } from "./port.ts";

const operatorKey = "the key that the start printed";
const servicePort = 9;
const callback = `http://127.0.0.1:${servicePort}/api/v1/auth/oidc/development/callback`;
let stateDir: string;
let issuer: string;

beforeAll(async () => {
  stateDir = await mkdtemp(path.join(tmpdir(), "control-api-"));
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  await startIdentityProvider({ port, servicePort, stateDir, operatorKey });
});

afterAll(() => rm(stateDir, { recursive: true, force: true }));

/** Follows the authorization request to the user page and submits its form. */
async function fillIn(form: Record<string, string>): Promise<{ status: number; place: string }> {
  const cookies = new Map<string, string>();
  const ask = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = answer.headers.get("location");
    return {
      status: answer.status,
      text: await answer.text(),
      place: next === null ? "" : new URL(next, url).href,
    };
  };
  const asked = new URLSearchParams({
    client_id: "control-api",
    response_type: "code",
    scope: "openid email profile",
    redirect_uri: callback,
    state: "s".repeat(43),
    nonce: "n".repeat(43),
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
  });
  const { place } = await ask(`${issuer}/auth?${asked.toString()}`);
  const page = await ask(place);
  expect([page.status, page.text.includes('role="alert"')]).toEqual([200, false]);
  let answer = await ask(place, { method: "POST", body: new URLSearchParams(form) });
  if (answer.status === 403) expect(answer.text).toContain("This is not the operator key.");
  while (answer.place.startsWith(issuer)) answer = await ask(answer.place);
  return answer;
}

it.each(["olivia", "mark", "dora"])("signs %s in with the operator key", async (person) => {
  const { place } = await fillIn({ person, key: ` ${operatorKey}\n` });
  expect(place.startsWith(`${callback}?code=`), place).toBe(true);
});

it.each(["olivia", "mark", "dora"])(
  "does not sign %s in without the operator key",
  async (person) => {
    for (const key of ["", "wrong", `${operatorKey}x`]) {
      const { status, place } = await fillIn({ person, key });
      expect([status, place]).toEqual([403, ""]);
    }
    expect(await fillIn({ person })).toMatchObject({ status: 403, place: "" });
  },
);

it("returns without a key when sign-in is canceled", async () => {
  const { place } = await fillIn({ person: "" });
  expect(place.startsWith(`${callback}?error=access_denied`), place).toBe(true);
});
