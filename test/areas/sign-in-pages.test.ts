/** `/login`, as HTML. What it does in a browser: test/browser/sign-in.test.ts. */
import { base64 } from "oslo/encoding";
import { describe, expect, it } from "vitest";
import { signInReasons } from "#areas/sign-in/oidc/reason.ts";
import { SIGN_IN_TIME } from "#areas/sign-in/start-sign-in.ts";
import { IDLE_MS } from "#kernel/authn/session-life.ts";
import type { Answer } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { sessionProvider } from "#test/support/session-provider.ts";
import {
  makeSession,
  makeUser,
  SESSION_COOKIE,
  signedIn,
  type TestSession,
} from "#test/support/sessions.ts";

const ORIGIN = "https://control.test";
const providers = ["one", sessionProvider.id].map((id) => ({
  id,
  label: `<b>${id}</b>`,
  issuer: id === sessionProvider.id ? sessionProvider.issuer : `https://${id}.example`,
  clientId: "c",
  clientSecret: "OIDC_SECRET",
}));
const send = appWith({ OIDC_PROVIDERS: JSON.stringify(providers), SERVER_TIMING: "on" });
const hostile = `<img src=x onerror=alert(1)>"'`;

function open(path: string, session?: Pick<TestSession, "token">): Promise<Answer> {
  return send("GET", `${ORIGIN}${path}`, {
    redirect: "manual",
    ...(session && { headers: { cookie: `${SESSION_COOKIE}=${session.token}` } }),
  });
}

/** The links of the buttons, by provider id. */
function buttonsOf({ text }: Answer): Record<string, Record<string, string>> {
  const links = [...text.matchAll(/href="\/api\/v1\/auth\/oidc\/(\w+)\/login\?([^"]*)"/g)];
  return Object.fromEntries(
    links.map(([, id = "", query = ""]) => [
      id,
      Object.fromEntries(new URLSearchParams(query.replaceAll("&amp;", "&"))),
    ]),
  );
}

/** The hashes of the inline style sheets. */
async function styleHashes({ text }: Answer): Promise<string[]> {
  const sheets = [...text.matchAll(/<style>([^<]*)<\/style>/g)].map(([, sheet = ""]) => sheet);
  const digests = sheets.map((sheet) =>
    crypto.subtle.digest("SHA-256", new TextEncoder().encode(sheet)),
  );
  return (await Promise.all(digests)).map(
    (digest) => `'sha256-${base64.encode(new Uint8Array(digest))}'`,
  );
}

describe("the sign-in page", () => {
  it("has a link for each provider, and a policy that allows nothing else", async () => {
    const answer = await open("/login?returnTo=/console%3Ftab%3D2");
    expect(answer.status).toBe(200);
    const returnTo = "/console?tab=2";
    expect(buttonsOf(answer)).toEqual({ one: { returnTo }, test: { returnTo } });
    expect(answer.text).toContain(`<html lang="en">`);
    expect(answer.text).toContain("Continue with &lt;b&gt;one&lt;/b&gt;");
    expect(answer.text).not.toMatch(/<script|<form/);
    const [hash] = await styleHashes(answer);
    expect(answer.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'self' ${hash}; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it.for([
    ["none", "/login"],
    ["another site", "/login?returnTo=https://evil.example/"],
    ["two slashes", "/login?returnTo=//evil.example"],
    ["a script", "/login?returnTo=javascript:alert(1)"],
    ["a backslash", "/login?returnTo=/%5Cevil.example"],
  ])("leads to the overview if the return address is %s", async ([, path = ""]) => {
    const { one } = buttonsOf(await open(path));
    expect(one).toEqual({ returnTo: "/" });
    const signed = await open(path, await signedIn());
    expect(signed.text).toContain(`href="/">Continue`);
    expect(signed.text).not.toMatch(/evil|javascript/);
  });

  it("passes on the longest valid return address unchanged", async () => {
    const returnTo = `/${"ä".repeat(1_999)}`;
    const page = await open(`/login?${new URLSearchParams({ returnTo }).toString()}`);
    expect(buttonsOf(page)["one"]).toEqual({ returnTo });
    const signed = await open("/login?returnTo=/a/../b", await signedIn());
    expect(signed.text).toContain(`href="${ORIGIN}/b">Continue`);
  });

  it("passes an invitation on", async () => {
    const token = `cpi_${"x".repeat(43)}`;
    const returnTo = `/account?invitation=${token}`;
    const answer = await open(`/login?invitation=${token}`, await signedIn());
    expect(buttonsOf(answer)["one"]).toEqual({ returnTo });
    expect(answer.text).toContain("You are invited");
    expect(answer.text).toContain(`href="${ORIGIN}${returnTo}">Continue`);
    const odd = await open("/login?invitation=cpi_x%26y");
    expect(buttonsOf(odd)["one"]).toEqual({ returnTo: "/" });
    const away = (await open(returnTo)).headers.get("location") ?? "";
    const back = await open(away);
    expect(buttonsOf(back)["one"]).toEqual({ returnTo });
    expect(back.text).toContain("You are invited");
    expect((await open(`/login?returnTo=/other${returnTo}`)).text).not.toContain("You are invited");
  });

  it.for(Object.entries(signInReasons))("explains %s", async ([code, words]) => {
    const { text } = await open(`/login?error=${code}`);
    expect(text).toContain(`role="alert"`);
    expect(text).toContain(words.replaceAll("'", "&#39;"));
    expect(text).toContain("<title>Sign-in failed");
  });

  it.for(["unknown", "constructor", "__proto__", hostile])(
    "shows nothing of the unknown code %s",
    async (code) => {
      const { text } = await open(`/login?error=${encodeURIComponent(code)}`);
      expect(text).toContain("Something went wrong on the way. Begin again.");
      expect(text).not.toMatch(/unknown|constructor|__proto__|onerror|native code/);
    },
  );

  it("tells operators what to do if there is no provider", async () => {
    const answer = await appWith({ OIDC_PROVIDERS: "[]" })("GET", `${ORIGIN}/login`);
    expect(answer.text).toContain("<code>OIDC_PROVIDERS</code>");
    expect(buttonsOf(answer)).toEqual({});
  });

  it("removes an invalid cookie, and does not say whose it was", async () => {
    const userId = await makeUser();
    const idle = await makeSession(userId, { ageMs: IDLE_MS + SIGN_IN_TIME.milliseconds() });
    for (const token of [idle.token, "x".repeat(43), "short", `op_${"y".repeat(43)}`]) {
      const answer = await open("/login", { token });
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(new RegExp(`^${SESSION_COOKIE}=; .*Max-Age=0`)),
      ]);
      expect(answer.text).not.toContain("You are signed in");
    }
  });
});

describe("the page at /", () => {
  it("tells browsers what this is and where to go, and has the icon", async () => {
    const answer = await send("GET", `${ORIGIN}/`, { headers: { accept: "text/html,*/*" } });
    expect([answer.status, answer.headers.get("vary")]).toEqual([
      200,
      expect.stringMatching(/^Accept\b/),
    ]);
    for (const place of ["/login", "/docs", "/api/v1/health", "/assets/icon.svg"])
      expect(answer.text).toContain(`href="${place}"`);
    expect(answer.headers.get("content-security-policy")).toContain("img-src 'self'");
  });

  it("is an error for programs, as any path without an endpoint", async () => {
    for (const accept of ["application/json", "*/*", undefined]) {
      const answer = await send("GET", `${ORIGIN}/`, {
        headers: accept === undefined ? {} : { accept },
      });
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    }
  });
});
