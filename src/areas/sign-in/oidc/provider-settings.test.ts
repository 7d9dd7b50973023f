import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isStillProvider } from "#kernel/authn/session-provider.ts";
import { checkDiscovery } from "./check-discovery.ts";
import { discoveryUrl } from "./discovery.ts";
import { providerSettings } from "./provider-settings.ts";
import { isSafeUrl } from "./safe-url.ts";

const google = {
  id: "google",
  label: "Google",
  issuer: "https://accounts.google.com",
  clientId: "x.apps.googleusercontent.com",
  clientSecret: "OIDC_GOOGLE_SECRET",
  trustedForEmail: true,
};
const entra = {
  id: "entra",
  label: "Microsoft",
  issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
  discovery:
    "https://login.microsoftonline.com/organizations/v2.0/.well-known/openid-configuration",
  tenants: ["11111111-2222-3333-4444-555555555555"],
  clientId: "c",
  clientSecret: "OIDC_ENTRA_SECRET",
};
const read = (entries: unknown, development = false) =>
  providerSettings(typeof entries === "string" ? entries : JSON.stringify(entries), development);

describe("providerSettings", () => {
  it("is empty by default", () => {
    for (const setting of [undefined, "", " ", "[]"])
      expect(providerSettings(setting, false)).toEqual({ providers: [], problems: [] });
  });

  it("fills in the defaults", () => {
    expect(read([google]).providers[0]).toMatchObject({
      scopes: ["openid", "email", "profile"],
      algorithms: ["RS256", "ES256"],
      tokenEndpointAuthMethod: "client_secret_basic",
    });
  });

  it("accepts a tenant id in capitals", () => {
    const tenants = ["AAAAAAAA-2222-3333-4444-55555555CCCC"];
    expect(read([{ ...entra, tenants }]).providers[0]?.tenants).toEqual([
      "aaaaaaaa-2222-3333-4444-55555555cccc",
    ]);
  });

  it("finds the discovery document below the issuer, or at its configured address", () => {
    const places = read([
      google,
      entra,
      { ...google, id: "slash", issuer: "https://x.example/a/" },
    ]);
    expect(places.providers.map(discoveryUrl)).toEqual([
      "https://accounts.google.com/.well-known/openid-configuration",
      entra.discovery,
      "https://x.example/a/.well-known/openid-configuration",
    ]);
  });

  it.each<[string, object]>([
    ["id", { ...google, id: "Google" }],
    ["id", { ...google, id: "a/b" }],
    ["label", { ...google, label: "" }],
    ["issuer", { ...google, issuer: "accounts.google.com" }],
    ["issuer", { ...google, issuer: "http://accounts.google.com" }],
    ["issuer", { ...google, issuer: "https://u:p@accounts.google.com" }],
    ["issuer", { ...google, issuer: " https://accounts.google.com" }],
    ["issuer", { ...google, issuer: "https://accounts.google.com/?a=b" }],
    ["issuer", { ...google, issuer: "https://accounts.google.com/#" }],
    ["placeholder is {tenantid}", { ...entra, issuer: entra.issuer.toUpperCase() }],
    ["placeholder is {tenantid}", { ...entra, issuer: `${entra.issuer}/{tenantid}` }],
    ["clientSecret", { ...google, clientSecret: "GOCSPX-in-the-open" }],
    ["clientSecret", { ...google, clientSecret: "SEALING_KEYS" }],
    ["clientSecret", { ...google, clientSecret: undefined }],
    ["clientSecret", { ...google, tokenEndpointAuthMethod: "none" }],
    ["scopes", { ...google, scopes: ["email"] }],
    ["scopes", { ...google, scopes: ["openid", "a b"] }],
    ["algorithms", { ...google, algorithms: ["none"] }],
    ["algorithms", { ...google, algorithms: ["HS256"] }],
    ["algorithms", { ...google, algorithms: [] }],
    ["trustedForEmail", { ...google, trustedForEmail: "yes" }],
    ["trustedForEmail", { ...entra, tenants: "any", trustedForEmail: true }],
    ["tenants", { ...entra, tenants: undefined }],
    ["tenants", { ...entra, tenants: [] }],
    ["tenants.0: It must be a tenant id", { ...entra, tenants: ["contoso.onmicrosoft.com"] }],
    ["tenants: It must be `any`, or a list", { ...entra, tenants: "all" }],
    ["tenants", { ...google, tenants: "any" }],
    ["discovery", { ...entra, discovery: undefined }],
    ["discovery", { ...google, discovery: entra.discovery }],
    ["OIDC_PROVIDERS[0]", { ...google, trustedForMail: true }],
  ])("reports an error in %s, and ignores the entry: %#", (place, entry) => {
    const { providers, problems } = read([entry, { ...google, id: "good" }]);
    expect(providers.map(({ id }) => id)).toEqual(["good"]);
    expect(problems.join("\n")).toContain(place);
    expect(problems.join("\n")).not.toContain("GOCSPX");
  });
});

it("handles any JSON, and reports what it ignores", () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...Object.values(entra)));
  const keys = [...Object.keys(entra), "scopes", "algorithms", "__proto__"];
  const entry = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...keys), odd));
  const isTold = fc.property(fc.oneof(fc.jsonValue(), fc.array(entry)), (list) => {
    const text = JSON.stringify(list);
    const { providers, problems } = providerSettings(text, false);
    isStillProvider(text, { id: "entra", issuer: entra.issuer });
    const count = Array.isArray(list) ? list.length : 1;
    return providers.length + problems.length >= count;
  });
  expect(fc.check(isTold, { numRuns: 300 })).toMatchObject({ counterexample: null });
});

describe("isSafeUrl", () => {
  it.each([
    ["https://id.example.com/a", true, true],
    ["http://127.0.0.1:9000", false, true],
    ["http://localhost:9000", false, true],
    ["http://[::1]:9000", false, true],
    ["http://id.example.com", false, false],
    ["http://localhost.evil.example", false, false],
    ["https://u@id.example.com", false, false],
    ["https://id.example.com/#x", false, false],
    ["ftp://127.0.0.1", false, false],
    ["nonsense", false, false],
  ])("of %s: %s, in development %s", (url, always, inDevelopment) => {
    expect([isSafeUrl(url, false), isSafeUrl(url, true)]).toEqual([always, inDevelopment]);
  });
});

describe("checkDiscovery", () => {
  const document = {
    issuer: "https://id.example.com",
    authorization_endpoint: "https://id.example.com/auth",
    token_endpoint: "https://id.example.com/token",
    jwks_uri: "https://keys.example.com/jwks",
  };
  const check = (more: object | null | string, development = false) =>
    checkDiscovery(
      typeof more === "object" && more !== null ? { ...document, ...more } : more,
      { issuer: document.issuer },
      development,
    );

  it("accepts a document of the configured issuer", () => {
    expect(check({})).toEqual({ ok: true, value: document });
    expect(check({ code_challenge_methods_supported: ["plain", "S256"] }).ok).toBe(true);
  });

  it.each([
    null,
    "text",
    { issuer: "https://id.example.com/" },
    { issuer: "https://evil.example" },
    { issuer: undefined },
    { authorization_endpoint: "http://id.example.com/auth" },
    { authorization_endpoint: "javascript:alert(1)" },
    { token_endpoint: undefined },
    { token_endpoint: "http://127.0.0.1/token" },
    { jwks_uri: 7 },
    { userinfo_endpoint: "http://id.example.com/me" },
    { code_challenge_methods_supported: ["plain"] },
  ])("refuses %j", (more) => {
    expect(check(more)).toMatchObject({ ok: false, reason: "provider_unreachable" });
  });
});
