import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { latestMigration } from "#schema/latest-migration.ts";
import type { StandInAccount } from "../stand-in/account.ts";
import { InstallationLab } from "../stand-in/installation-lab.ts";
import { examineInstallation, type Report } from "./examine-installation.ts";

const ADDRESS = "https://control-api.acme.workers.dev";
/** As in the installation's file of secrets. */
const KEY = "key";
const SWEPT_SECONDS = 30;

/** The answers of the installation's service, by method and path; null: no answer. */
type Answers = Record<string, () => Response | null>;

const discovery = {
  issuer: ADDRESS,
  jwks_uri: `${ADDRESS}/.well-known/jwks.json`,
  id_token_signing_alg_values_supported: ["RS256"],
};
const publicKey = { kty: "RSA", alg: "RS256", use: "sig", kid: "k", e: "AQAB", n: "n".repeat(342) };
const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
const answer = (body: unknown, init: ResponseInit = {}): Response => {
  const response = Response.json(body, init);
  if (!response.headers.has("date")) response.headers.set("date", new Date().toUTCString());
  return response;
};

const lab = new InstallationLab();
let healthy: StandInAccount;
let version: string;
let file: string;
let answers: Answers;

// Loading Wrangler takes a second, more on a busy machine.
beforeAll(async () => {
  lab.haveSecrets();
  await lab.deploy();
  healthy = structuredClone(lab.account);
  for (const database of healthy.databases) database.sweptAtMs = Date.now();
  version = healthy.workers["control-api"]?.versions.at(-1)?.tag ?? "";
  file = lab.text("installation.jsonc");
}, 60_000);
afterAll(() => {
  lab.remove();
});
beforeEach(() => {
  Object.assign(lab.account, structuredClone(healthy));
  writeFileSync(lab.file, file);
  answers = {
    "GET /api/v1/health": () => answer({ status: "ok", version, sweptAt: ago(SWEPT_SECONDS) }),
    "GET /api/v1/auth/providers": () =>
      answer({
        data: [{ id: "entra", label: "Entra", loginUrl: "/api/v1/auth/oidc/entra/login" }],
      }),
    "GET /api/v1/auth/oidc/entra/login": () =>
      new Response(null, {
        status: 302,
        headers: { location: "https://login.microsoftonline.com/authorize?x" },
      }),
    "GET /.well-known/openid-configuration": () => answer(discovery),
    "GET /.well-known/jwks.json": () => answer({ keys: [publicKey] }),
    "POST /api/v1/webhooks": () => answer({ code: "url_not_allowed" }, { status: 400 }),
  };
});

let keysSent: Set<string>;
let changed: string[];

async function examine(
  options: Partial<Parameters<typeof examineInstallation>[0]> = {},
): Promise<Report> {
  keysSent = new Set();
  changed = [];
  return examineInstallation(
    { root: lab.root, file: lab.file, address: undefined, operatorKey: undefined, ...options },
    {
      run: lab.run,
      useAccount: () => undefined,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        keysSent.add(request.headers.get("authorization") ?? "none");
        const { pathname } = new URL(request.url);
        if (request.method !== "GET") changed.push(`${request.method} ${pathname}`);
        const response = answers[`${request.method} ${pathname}`]?.();
        if (response === null)
          throw new TypeError("fetch failed", {
            cause: Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }),
          });
        return response ?? answer({ code: "not_found", detail: "No route." }, { status: 404 });
      },
    },
  );
}

const levels = ({ findings }: Report, check: string): string[] =>
  findings.filter((finding) => finding.check === check).map(({ level }) => level);

it("finds nothing to mend in an installation that is whole", async () => {
  const report = await examine();
  expect(report.findings.filter(({ level }) => level !== "ok").map(({ check }) => check)).toEqual([
    "secrets-file",
  ]);
  expect(report).toMatchObject({ address: ADDRESS, version, ok: true });
  expect(new Set(report.findings.map(({ check }) => check))).toEqual(
    new Set([
      "address",
      "https",
      "health",
      "version",
      "sweeps",
      "clock",
      "sign-in entra",
      "public-url",
      "federation",
      "webhook-loop",
      "settings",
      "secrets-file",
      "worker",
      "database",
      "migrations",
      "queues",
      "secrets",
    ]),
  );
});

it("changes nothing at Cloudflare", async () => {
  const before = structuredClone(lab.account);
  await examine();
  expect(lab.account).toEqual(before);
});

describe("what the service answers", () => {
  it.each<[string, string, string, () => Answers]>([
    ["address", "error", "has no DNS record", () => ({ "GET /api/v1/health": () => null })],
    [
      "address",
      "error",
      "Something else than Control API",
      () => ({ "GET /api/v1/health": () => new Response("<html>") }),
    ],
    [
      "health",
      "error",
      "lacks the migration",
      () => ({
        "GET /api/v1/health": () =>
          answer(
            { code: "unavailable", detail: "The database lacks the migration x." },
            { status: 503 },
          ),
      }),
    ],
    [
      "settings",
      "error",
      "OPERATORS names nobody",
      () => ({
        "GET /api/v1/health": () =>
          answer({
            status: "ok",
            version,
            sweptAt: ago(1),
            problems: ["OPERATORS names nobody."],
          }),
      }),
    ],
    [
      "version",
      "warning",
      "It runs version 0.0.1+aaaaaaaaaaaa",
      () => ({
        "GET /api/v1/health": () =>
          answer({ status: "ok", version: "0.0.1+aaaaaaaaaaaa", sweptAt: ago(1) }),
      }),
    ],
    [
      "sweeps",
      "error",
      "No sweep has run for 6 minutes",
      () => ({
        "GET /api/v1/health": () => answer({ status: "ok", version, sweptAt: ago(6 * 60 + 1) }),
      }),
    ],
    [
      "sweeps",
      "warning",
      "has not fired yet",
      () => ({ "GET /api/v1/health": () => answer({ status: "ok", version, sweptAt: null }) }),
    ],
    [
      "operator",
      "warning",
      "key is refused",
      () => ({ "GET /api/v1/health": () => answer({ status: "ok" }) }),
    ],
    [
      "clock",
      "error",
      "differ by ",
      () => ({
        "GET /api/v1/health": () =>
          answer(
            { status: "ok", version, sweptAt: ago(1) },
            { headers: { date: new Date(Date.now() - 400_000).toUTCString() } },
          ),
      }),
    ],
    [
      "sign-in",
      "warning",
      "/api/v1/auth/oidc/<id>/callback",
      () => ({ "GET /api/v1/auth/providers": () => answer({ data: [] }) }),
    ],
    [
      "sign-in entra",
      "error",
      "Compare the entry's `issuer`",
      () => ({
        "GET /api/v1/auth/oidc/entra/login": () =>
          answer(
            { detail: "No answer.", errors: [{ code: "provider_unreachable" }] },
            { status: 502 },
          ),
      }),
    ],
    [
      "sign-in entra",
      "error",
      "does not begin",
      () => ({
        "GET /api/v1/auth/oidc/entra/login": () =>
          new Response(null, {
            status: 302,
            headers: { location: `${ADDRESS}/login?error=not_configured` },
          }),
      }),
    ],
    [
      "public-url",
      "error",
      "PUBLIC_URL is https://other.example.com",
      () => ({
        "GET /.well-known/openid-configuration": () =>
          answer({
            ...discovery,
            issuer: "https://other.example.com",
            jwks_uri: "https://other.example.com/.well-known/jwks.json",
          }),
      }),
    ],
    [
      "federation",
      "error",
      "`jwks_uri`",
      () => ({
        "GET /.well-known/openid-configuration": () =>
          answer({ ...discovery, jwks_uri: "https://x.example/keys" }),
      }),
    ],
    [
      "federation",
      "error",
      "private parts",
      () => ({ "GET /.well-known/jwks.json": () => answer({ keys: [{ ...publicKey, d: "x" }] }) }),
    ],
    [
      "federation",
      "error",
      "less than 2,048 bits",
      () => ({ "GET /.well-known/jwks.json": () => answer({ keys: [{ ...publicKey, n: "n" }] }) }),
    ],
    [
      "federation",
      "error",
      "No key is published",
      () => ({ "GET /.well-known/jwks.json": () => answer({ keys: [] }) }),
    ],
    [
      "federation",
      "note",
      "not possible",
      () => ({
        "GET /.well-known/openid-configuration": () => answer({}, { status: 404 }),
        "GET /.well-known/jwks.json": () => answer({}, { status: 404 }),
      }),
    ],
    [
      "webhook-loop",
      "warning",
      "webhooks:write",
      () => ({ "POST /api/v1/webhooks": () => answer({ code: "forbidden" }, { status: 403 }) }),
    ],
  ])("%s is found as %s: %s", async (check, level, words, broken) => {
    Object.assign(answers, broken());
    const report = await examine();
    expect(levels(report, check)).toContain(level);
    expect(JSON.stringify(report.findings)).toContain(words);
    expect(report.ok).toBe(level !== "error");
  });

  it("is told with what it means and what to do", async () => {
    answers["GET /api/v1/health"] = () => null;
    for (const finding of (await examine()).findings)
      if (finding.level === "error" || finding.level === "warning") {
        expect(finding.why).toMatch(/\.$/);
        expect(finding.fix).not.toBe("");
      }
  });

  it("deletes the webhook to itself that should have been refused", async () => {
    answers["POST /api/v1/webhooks"] = () => answer({ id: "w1" }, { status: 201 });
    answers["DELETE /api/v1/webhooks/w1"] = () => new Response(null, { status: 204 });
    const report = await examine();
    expect(levels(report, "webhook-loop")).toEqual(["error"]);
    expect(changed).toEqual(["POST /api/v1/webhooks", "DELETE /api/v1/webhooks/w1"]);
    delete answers["DELETE /api/v1/webhooks/w1"];
    expect(JSON.stringify(await examine())).toContain("Delete the webhook w1.");
  });
});

describe("what Cloudflare has", () => {
  const worker = () => lab.account.workers["control-api"];
  it.each<[string, string, string, () => void]>([
    ["worker", "error", "no Worker control-api", () => delete lab.account.workers["control-api"]],
    ["database", "error", "has no database", () => (lab.account.databases = [])],
    [
      "migrations",
      "error",
      `are not applied: ${latestMigration}`,
      () => lab.account.databases[0]?.applied.pop(),
    ],
    [
      "migrations",
      "warning",
      "9999_later.sql",
      () => lab.account.databases[0]?.applied.push("9999_later.sql"),
    ],
    [
      "queues",
      "error",
      "control-triggers is missing",
      () => delete lab.account.queues["control-triggers"],
    ],
    [
      "queues",
      "error",
      "Nobody consumes the queue control-triggers",
      () => (lab.account.queues["control-triggers"] = { consumers: [] }),
    ],
    [
      "queues",
      "error",
      "is consumed by other",
      () =>
        (lab.account.queues["control-triggers"] = {
          consumers: [{ script: "other", type: "worker" }],
        }),
    ],
    [
      "queues",
      "error",
      "go to no queue, not to control-dead-letters",
      () =>
        (lab.account.queues["control-triggers"] = {
          consumers: [{ script: "control-api", type: "worker" }],
        }),
    ],
    [
      "secrets",
      "error",
      "npx wrangler secret put SEALING_KEYS --config wrangler.installation.json",
      () => delete worker()?.secrets["SEALING_KEYS"],
    ],
    ["secrets", "note", "no bootstrap key", () => delete worker()?.secrets["BOOTSTRAP_API_KEY"]],
    [
      "secrets",
      "error",
      "The secret OIDC_ENTRA_SECRET, which OIDC_PROVIDERS names",
      () => {
        writeFileSync(
          lab.file,
          file.replace(
            '"vars": {',
            '"vars": { "OIDC_PROVIDERS": [{ "id": "entra", "clientSecret": "OIDC_ENTRA_SECRET" }],',
          ),
        );
      },
    ],
    [
      "settings",
      "error",
      "WEBHOOK_ALLOW_INSECURE is on",
      () => {
        writeFileSync(
          lab.file,
          file.replace('"vars": {', '"vars": { "WEBHOOK_ALLOW_INSECURE": "on",'),
        );
      },
    ],
    ["cloudflare", "warning", "npx wrangler login", () => (lab.account.loggedIn = false)],
  ])("%s is found as %s: %s", async (check, level, words, breakIt) => {
    breakIt();
    const report = await examine();
    expect(levels(report, check)).toContain(level);
    expect(JSON.stringify(report.findings)).toContain(words);
    expect(report.ok).toBe(level !== "error");
  });

  it("tells the sweeps where no operator's key does", async () => {
    for (const database of lab.account.databases) database.sweptAtMs = Date.now() - 3_600_000;
    answers["GET /api/v1/health"] = () => answer({ status: "ok" });
    const report = await examine();
    expect(levels(report, "sweeps")).toEqual(["error"]);
  });
});

describe("the operator's key", () => {
  it("of the installation's file goes to its own address alone", async () => {
    await examine();
    expect(keysSent).toContain(`Bearer ${KEY}`);
    const report = await examine({ address: "https://elsewhere.example.com" });
    expect([...keysSent]).toEqual(["none"]);
    expect(levels(report, "cloudflare")).toEqual(["note"]);
  });

  it("does not travel unencrypted", async () => {
    const report = await examine({ address: "http://control.example.com", operatorKey: KEY });
    expect([...keysSent]).toEqual(["none"]);
    expect(levels(report, "https")).toEqual(["error"]);
  });
});

it("asks for an address where no file names one", async () => {
  await expect(examine({ file: `${lab.root}/other.jsonc` })).rejects.toThrow(
    "Say which installation",
  );
});
