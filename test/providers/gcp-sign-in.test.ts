import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import {
  ACCOUNT,
  GoogleCloud,
  type GoogleOptions,
  KEY_FILE,
  PROVIDER,
} from "#test/providers/gcp/google-cloud.ts";
import { PROJECT } from "#test/providers/gcp/shown.ts";

const TOKEN = `eyJhbGciOiJSUzI1NiJ9.${"canary-identity-token".repeat(6)}.signature`;
const audiences: string[] = [];
const federated = (more: JsonMap = {}): Partial<ProviderContext> => ({
  credential: null,
  config: {
    project: PROJECT,
    workloadIdentityProvider: PROVIDER,
    serviceAccount: ACCOUNT,
    ...more,
  },
  identityToken: async (audience) => {
    audiences.push(audience);
    return TOKEN;
  },
});

beforeEach(() => {
  sessions.clear();
  audiences.length = 0;
});

describe("a service account's key", () => {
  it("signs in once for many calls, and again when a token is no longer accepted", async () => {
    const cloud = new GoogleCloud();
    const context = cloud.context();
    expect(await gcpProvider().verify(context)).toEqual({ ok: true });
    await gcpProvider().verify(context);
    expect(cloud.signIns).toHaveLength(1);
    cloud.revokeTokens();
    expect(await gcpProvider().verify(context)).toEqual({ ok: true });
    expect(cloud.signIns).toHaveLength(2);
  });

  it("goes to Google, whatever its file names", async () => {
    const hosts = new Set<string>();
    const cloud = new GoogleCloud();
    const fetch = (request: Request) => {
      hosts.add(new URL(request.url).hostname);
      return cloud.fetch(request);
    };
    const credential = { ...KEY_FILE, token_uri: "https://evil.example/token" };
    await gcpProvider().verify(cloud.context({ fetch, credential }));
    expect([...hosts]).toEqual(["oauth2.googleapis.com", "cloudresourcemanager.googleapis.com"]);
  });

  it("that was replaced is refused in words", async () => {
    const cloud = new GoogleCloud();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const context = cloud.context({ credential: { ...KEY_FILE, private_key: pem } });
    const verified = await gcpProvider().verify(context);
    expect(verified).toMatchObject({
      ok: false,
      code: "invalid_grant",
      means: "denied",
      retryable: false,
    });
    expect(JSON.stringify(verified)).toContain("Create a new key");
    expect(JSON.stringify(verified)).not.toContain(pem.slice(60, 120));
  });

  it("that cannot be read is not quoted", async () => {
    const broken = "-----BEGIN PRIVATE KEY-----\ncanary-broken-key\n-----END PRIVATE KEY-----";
    const context = new GoogleCloud().context({ credential: { ...KEY_FILE, private_key: broken } });
    const verified = await gcpProvider().verify(context);
    expect(verified).toMatchObject({ ok: false, code: "invalid_credential" });
    expect(JSON.stringify(verified)).not.toContain("canary");
  });
});

describe("a federated identity", () => {
  it("exchanges the token of this installation, then acts as the service account", async () => {
    const cloud = new GoogleCloud();
    expect(await gcpProvider().verify(cloud.context(federated()))).toEqual({ ok: true });
    expect(audiences).toEqual([`https://iam.googleapis.com/${PROVIDER}`]);
    expect(Object.fromEntries(cloud.signIns[0] ?? [])).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      audience: `//iam.googleapis.com/${PROVIDER}`,
      scope: "https://www.googleapis.com/auth/cloud-platform",
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      subject_token: TOKEN,
    });
    expect(cloud.requests).toContain(
      `POST iamcredentials/v1/projects/-/serviceAccounts/${ACCOUNT}:generateAccessToken`,
    );
  });

  it("asks for the audience of the target's own config, and for none without a provider", () => {
    const { federation } = gcpProvider();
    expect(federation?.audience({ project: PROJECT, workloadIdentityProvider: PROVIDER })).toBe(
      `https://iam.googleapis.com/${PROVIDER}`,
    );
    expect(federation?.audience({ project: PROJECT })).toBeUndefined();
    expect(federation?.audience({ workloadIdentityProvider: "nonsense" })).toBeUndefined();
  });

  it("is trusted by a condition that names this target alone", () => {
    const issuer = { url: "https://control.example", subject: "tenant:t-1:target:x-1" };
    const setup = gcpProvider().federation?.trust(federated().config ?? {}, issuer);
    expect(setup?.policy).toEqual({
      issuerUri: issuer.url,
      attributeMapping: { "google.subject": "assertion.sub" },
      attributeCondition: `assertion.sub == '${issuer.subject}'`,
      audience: `https://iam.googleapis.com/${PROVIDER}`,
    });
    expect(setup?.steps.join("\n")).toContain(`/subject/${issuer.subject}`);
    // A second target that is given the same provider would be refused by the first one's condition.
    expect(setup?.steps.join("\n")).toContain("by a provider of its own");
  });

  const refusals: readonly [string, string, RegExp][] = [
    [
      "unauthorized_client",
      "The given credential is rejected by the attribute condition.",
      /attribute condition .* subject/,
    ],
    [
      "invalid_grant",
      "The audience in ID Token [x] does not match the expected audience y.",
      /allowed audiences/,
    ],
    [
      "invalid_grant",
      "The issuer in ID Token https://a does not match the expected ones.",
      /issuer URI/,
    ],
  ];
  it.each(refusals)(
    "that Google refuses with %s (%s) is told what to change",
    async (code, says, told) => {
      const options: GoogleOptions = { distrusts: () => ({ code, says }) };
      const verified = await gcpProvider().verify(new GoogleCloud(options).context(federated()));
      expect(verified).toMatchObject({ ok: false, code, means: "denied", retryable: false });
      expect(verified.ok ? "" : verified.message).toMatch(told);
      expect(JSON.stringify(verified)).not.toContain("canary");
    },
  );

  it("of a pool that does not exist is told to correct the config", async () => {
    const provider = PROVIDER.replace("pools/control", "pools/other").replace(
      "Pools/control",
      "Pools/other",
    );
    const context = new GoogleCloud().context(federated({ workloadIdentityProvider: provider }));
    const verified = await gcpProvider().verify(context);
    expect(verified).toMatchObject({ ok: false, code: "invalid_target" });
    expect(verified.ok ? "" : verified.message).toContain("workloadIdentityProvider");
  });

  it("that may not act as the service account is told the permission and the role", async () => {
    const cloud = new GoogleCloud();
    const context = cloud.context(
      federated({ serviceAccount: `other@${PROJECT}.iam.gserviceaccount.com` }),
    );
    const verified = await gcpProvider().verify(context);
    expect(verified).toMatchObject({ ok: false, permission: "iam.serviceAccounts.getAccessToken" });
    expect(verified.ok ? "" : verified.message).toContain("roles/iam.workloadIdentityUser");
    for (const token of cloud.tokens) expect(JSON.stringify(verified)).not.toContain(token);
  });
});

it("a target without a project, key or provider is told what to set", async () => {
  const cloud = new GoogleCloud();
  expect(await gcpProvider().verify(cloud.context({ config: {} }))).toMatchObject({
    message: expect.stringContaining("`project`"),
  });
  const context = cloud.context({ credential: null });
  expect(await gcpProvider().verify(context)).toMatchObject({
    code: "invalid_credential",
    message: expect.stringContaining("workloadIdentityProvider"),
  });
});
