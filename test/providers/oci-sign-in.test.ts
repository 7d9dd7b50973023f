import { beforeEach, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { ociProvider } from "#providers/oci/oci-provider.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { tokenAudience } from "#providers/token-audience.ts";
import { partOf } from "#test/support/depth.ts";
import { CLIENT, COMPARTMENT, DOMAIN, NAMESPACE, OracleCloud } from "./oci/oracle-cloud.ts";
import { addParents, parents } from "./oci/samples.ts";
import { API_KEY, KEY_CANARY } from "./oci/signatures.ts";

const TOKEN = `eyJhbGciOiJSUzI1NiJ9.${"canary-identity-token".repeat(6)}.signature`;
const SUBJECT = "tenant:0b4f:target:77aa";
const config = {
  compartmentId: COMPARTMENT,
  namespace: NAMESPACE,
  domainUrl: DOMAIN,
  clientId: CLIENT,
};
const audiences: string[] = [];
const federated = (more: JsonMap = {}): Partial<ProviderContext> => ({
  credential: null,
  config: { ...config, ...more },
  identityToken: async (audience) => {
    audiences.push(audience);
    return TOKEN;
  },
});
const vcn = {
  type: "oci:Vcn",
  name: "net",
  properties: { compartmentId: COMPARTMENT, cidrBlocks: ["10.0.0.0/16"] },
  token: "t",
};

beforeEach(() => {
  sessions.clear();
  audiences.length = 0;
});

describe("an API key", () => {
  it("signs every request, without a session", async () => {
    const cloud = new OracleCloud();
    expect(await ociProvider().verify(cloud.context())).toEqual({ ok: true });
    expect(await ociProvider().create(cloud.context(), vcn)).toMatchObject({ kind: "done" });
    expect(cloud.signIns).toEqual([]);
  });

  it("that is not known is refused in words, without the key", async () => {
    const credential = { ...API_KEY, userId: "ocid1.user.oc1..another" };
    const verified = await ociProvider().verify(new OracleCloud().context({ credential }));
    expect(verified).toMatchObject({ ok: false, code: "NotAuthenticated", means: "denied" });
    expect(JSON.stringify(verified)).toContain("Check that the key belongs to the user");
    expect(JSON.stringify(verified)).not.toContain(KEY_CANARY);
  });

  it.each([
    ["with a passphrase", "-----BEGIN ENCRYPTED PRIVATE KEY-----\ncanary\n", "passphrase"],
    ["that is none", "canary", "not an RSA key in PEM"],
  ])("%s is refused before a request", async (_, privateKey, words) => {
    const cloud = new OracleCloud();
    const verified = await ociProvider().verify(
      cloud.context({ credential: { ...API_KEY, privateKey } }),
    );
    expect(JSON.stringify(verified)).toContain(words);
    expect(JSON.stringify(verified)).not.toContain("canary");
    expect(cloud.requests).toEqual([]);
  });

  it("that does not see the compartment is told so", async () => {
    const cloud = new OracleCloud();
    cloud.hidden.add(COMPARTMENT);
    const verified = await ociProvider().verify(cloud.context());
    expect(verified).toMatchObject({ ok: false, code: "NotAuthorizedOrNotFound" });
    expect(JSON.stringify(verified)).toContain("does not see the compartment");
  });

  it("of a target without a compartment is not asked for one", async () => {
    const verified = await ociProvider().verify(new OracleCloud().context({ config: {} }));
    expect(verified).toMatchObject({ ok: false, code: "invalid_config" });
  });
});

describe("a federated target", () => {
  it("exchanges its token once, with a key that the exchange never sees", async () => {
    const cloud = new OracleCloud();
    const context = cloud.context(federated());
    expect(await ociProvider().verify(context)).toEqual({ ok: true });
    expect(await ociProvider().create(context, vcn)).toMatchObject({ kind: "done" });
    expect(audiences).toEqual([DOMAIN]);
    const [form, ...others] = cloud.signIns;
    expect(others).toEqual([]);
    expect(Object.fromEntries(form ?? [])).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: "urn:oci:token-type:oci-upst",
      subject_token_type: "jwt",
      subject_token: TOKEN,
      client_id: CLIENT,
      public_key: expect.stringMatching(/^MIIBIjAN[A-Za-z0-9+/=]+$/),
    });
    expect(cloud.requests[0]).toBe("POST domain/oauth2/v1/token");
  });

  it("signs in again when its session is no longer accepted", async () => {
    const cloud = new OracleCloud();
    const context = cloud.context(federated());
    await ociProvider().verify(context);
    cloud.revokeTokens();
    expect(await ociProvider().verify(context)).toEqual({ ok: true });
    expect(cloud.signIns).toHaveLength(2);
  });

  it("has a session for its target and run alone", async () => {
    const cloud = new OracleCloud();
    await ociProvider().verify(cloud.context({ ...federated(), identityRun: "one" }));
    await ociProvider().verify(cloud.context({ ...federated(), identityRun: "two" }));
    const [one, two] = cloud.signIns.map((form) => form.get("public_key"));
    expect(cloud.signIns).toHaveLength(2);
    expect(one).not.toBe(two);
  });

  it("of a confidential client signs in with its secret, which no message has", async () => {
    const clientSecret = "idcscs-canary-secret";
    const cloud = new OracleCloud({ clientSecret });
    const withSecret = cloud.context({ ...federated(), credential: { clientSecret } });
    expect(await ociProvider().verify(withSecret)).toEqual({ ok: true });
    expect(await ociProvider().create(withSecret, vcn)).toMatchObject({ kind: "done" });
    expect([...(cloud.signIns[0]?.keys() ?? [])]).not.toContain("client_id");
    const unknown = {
      error: "invalid_client",
      error_description: `Client ${btoa(`${CLIENT}:${clientSecret}`)}`,
    };
    const fetch = async () => Response.json(unknown, { status: 401 });
    sessions.clear();
    for (const context of [cloud.context(federated()), { ...withSecret, fetch }]) {
      const verified = await ociProvider().verify(context);
      expect(verified).toMatchObject({ ok: false, code: "invalid_client", means: "denied" });
      expect(JSON.stringify(verified)).toContain("the client's secret in its credential");
      expect(JSON.stringify(verified)).not.toContain("canary");
      expect(JSON.stringify(verified)).not.toContain(btoa(clientSecret).slice(4, 12));
    }
  });

  const refusals = [
    ["invalid_grant", "Impersonation rule does not match the token.", "impersonationServiceUsers"],
    ["invalid_grant", "The audience of the token is not allowed.", "clientClaimValues"],
    ["invalid_grant", "No identity propagation trust for the issuer.", "Its issuer"],
    ["invalid_grant", "The JWT signature could not be verified.", "publicKeyEndpoint"],
    ["unauthorized_client", "Client is not allowed.", "oauthClients"],
  ] as const;

  // Each takes a key pair.
  it.for(partOf(refusals, refusals.length))(
    "that is refused with %s, %s is told of %s",
    async ([code, says, todo]) => {
      const cloud = new OracleCloud({ distrusts: () => ({ code, says }) });
      const verified = await ociProvider().verify(cloud.context(federated()));
      expect(verified).toMatchObject({ ok: false, code, means: "denied", retryable: false });
      expect(JSON.stringify(verified)).toContain(todo);
      expect(JSON.stringify(verified)).not.toContain("canary");
    },
  );

  it("without a client is refused before a request", async () => {
    const cloud = new OracleCloud();
    const context = cloud.context({ ...federated(), config: { compartmentId: COMPARTMENT } });
    const verified = await ociProvider().verify(context);
    expect(verified).toMatchObject({ ok: false, code: "invalid_credential" });
    expect(cloud.requests).toEqual([]);
  });

  it("tells nothing of its session in a refusal", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    const context = cloud.context(federated());
    await ociProvider().verify(context);
    const [token = ""] = cloud.tokens;
    const echo = (request: Request) =>
      Promise.resolve(
        Response.json(
          { code: "InvalidParameter", message: request.headers.get("authorization") },
          { status: 400 },
        ),
      );
    const call = { type: "oci:Vcn", id: parents.vcn, properties: {} };
    const outcome = await ociProvider().read({ ...context, fetch: echo }, call);
    expect(outcome).toMatchObject({ kind: "failed" });
    expect(JSON.stringify(outcome)).not.toContain(token);
    expect(JSON.stringify(outcome)).not.toContain("canary");
  });
});

describe("the trust of a target", () => {
  it("lets in its subject, from this issuer, for this domain, and no other", () => {
    const { federation } = ociProvider();
    const issuer = { url: "https://control.example", subject: SUBJECT };
    const trust = federation?.trust(config, issuer);
    expect(trust?.policy).toMatchObject({
      issuer: "https://control.example",
      publicKeyEndpoint: "https://control.example/.well-known/jwks.json",
      clientClaimName: "aud",
      clientClaimValues: [DOMAIN],
      oauthClients: [CLIENT],
      impersonationServiceUsers: [{ rule: `sub eq ${SUBJECT}` }],
      active: true,
    });
    expect(trust?.steps.join("\n")).toContain(COMPARTMENT);
  });

  it.each([
    ["of a domain", config, { kind: "audience", audience: DOMAIN }],
    ["of nothing", { compartmentId: COMPARTMENT }, { kind: "refused" }],
    [
      "of another host",
      { ...config, domainUrl: "https://evil.example/.identity.oraclecloud.com" },
      { kind: "refused" },
    ],
    [
      "of a host that begins like one",
      { ...config, domainUrl: `${DOMAIN}.evil.example` },
      { kind: "refused" },
    ],
  ])("has the audience %s", (_, of, audience) => {
    expect(tokenAudience(ociProvider(), of)).toMatchObject(audience);
  });
});
