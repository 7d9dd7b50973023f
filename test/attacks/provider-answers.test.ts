/** Attacks by the answers of a provider or an impostor: redirects, delays, sizes and contents. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { signInReasons } from "#areas/sign-in/oidc/reason.ts";
import { makeTenant, operator } from "#test/support/api.ts";
import { accept, Browser, person } from "#test/support/sign-in.ts";
import { attempt, authorized, begin, come, settingsFor, useHostility } from "./attempt.ts";
import { type Alterations, HostileProvider, type Json, type Place } from "./hostile-provider.ts";

useHostility();

const places: readonly Place[] = ["discovery", "token", "keys", "userInfo"];
/** The ID token has no address, so the service fetches the user information. */
const asksAll: Alterations = { claims: () => ({ email: undefined, email_verified: undefined }) };
const answering = (place: Place, answer: (honest: Response, request: Request) => unknown) => ({
  ...asksAll,
  answers: { [place]: answer },
});
/** Reported like every failure of the provider, without its content. */
const expectUnreachable = (result: { answer: { status: number; body: Json } }) => {
  expect([result.answer.status, result.answer.body]).toEqual([
    502,
    expect.objectContaining({
      code: "provider_error",
      detail: signInReasons.provider_unreachable,
    }),
  ]);
};

it("sends four requests to an honest provider", async () => {
  const { result, provider } = await attempt(asksAll);
  expect([result, provider.asked]).toEqual([
    "signed in",
    ["discovery", "token", "keys", "userInfo"],
  ]);
});

describe("a discovery document", () => {
  it.each<[attack: string, cause: string, (document: Json, stray: string) => unknown]>([
    ["of another issuer", "issuer", () => ({ issuer: "https://evil.test" })],
    ["of no issuer", "issuer", () => ({ issuer: undefined })],
    [
      "of an issuer that differs by a slash",
      "issuer",
      ({ issuer }) => ({ issuer: `${String(issuer)}/` }),
    ],
    [
      "of an issuer in capitals",
      "issuer",
      ({ issuer }) => ({ issuer: String(issuer).toUpperCase() }),
    ],
    ["of several issuers", "issuer", ({ issuer }) => ({ issuer: [issuer] })],
    ...["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"].flatMap(
      (name): [string, string, (document: Json, stray: string) => unknown][] => [
        [`with ${name} on http`, name, (_, stray) => ({ [name]: `http://${stray}/x` })],
        [`with ${name} on loopback`, name, () => ({ [name]: "http://127.0.0.1:9/x" })],
        [`with ${name} that is a script`, name, () => ({ [name]: "javascript:alert(1)" })],
        [
          `with ${name} that carries credentials`,
          name,
          (_, stray) => ({ [name]: `https://a:b@${stray}/x` }),
        ],
        [`with ${name} that is a list`, name, (_, stray) => ({ [name]: [`https://${stray}/x`] })],
      ],
    ),
    ["without a place for keys", "jwks_uri", () => ({ jwks_uri: undefined })],
    ["without S256", "PKCE", () => ({ code_challenge_methods_supported: ["plain"] })],
  ])("%s is refused, for its %s", async (_, cause, change) => {
    const provider = new HostileProvider();
    const attempted = await attempt(
      {
        discovery: (document) => ({
          ...document,
          ...(change(document, `stray.${provider.host}`) as Json),
        }),
      },
      { provider },
    );
    expectUnreachable(attempted);
    expect(attempted.cause).toContain(cause);
    expect(provider.asked).toEqual(["discovery"]);
  });

  it.each<[string, unknown]>([
    ["a list", []],
    ["nothing", null],
    ["a text", "issuer"],
    ["empty", {}],
  ])("that is %s is refused", async (_, document) => {
    expectUnreachable(await attempt({ discovery: () => document }));
  });

  it("is not fetched without TLS", async () => {
    const provider = new HostileProvider();
    const issuer = `http://${provider.host}`;
    const browser = new Browser(settingsFor([provider], {}, { issuer }));
    expect((await begin(browser, provider)).status).toBe(404);
    const near = new Browser(settingsFor([provider], {}, { issuer: "http://localhost:9" }));
    expect((await begin(near, provider)).status, "only in development").toBe(404);
    expect(provider.asked).toEqual([]);
  });
});

describe.each(places)("the answer to %s", (place) => {
  it.each([301, 302, 303, 307, 308])("is not followed with %i", async (status) => {
    const attempted = await attempt(
      answering(place, (_, request) => {
        const to = new URL(request.url);
        to.hostname = `stray.${to.hostname}`;
        return new Response(null, { status, headers: { location: to.href } });
      }),
    );
    expectUnreachable(attempted);
    expect(attempted.cause).toContain("redirects");
  });

  it.each<[string, (honest: Response) => unknown]>([
    ["a page", ({ body }) => new Response(body, { headers: { "content-type": "text/html" } })],
    ["plain text", ({ body }) => new Response(body, { headers: { "content-type": "text/plain" } })],
    ["of no type", ({ body }) => new Response(body)],
    ["no JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
    ["an error", () => Response.json({ error: "server_error" }, { status: 500 })],
    [
      "made by a proxy",
      ({ body }) =>
        new Response(body, { status: 203, headers: { "content-type": "application/json" } }),
    ],
    ["nothing", () => new Response(null, { status: 204 })],
  ])("is not accepted if it is %s", async (_, change) => {
    const { result } = await attempt(answering(place, change));
    const expected = {
      discovery: /^provider_unreachable$/,
      token: /^(code_refused|token_invalid|provider_unreachable)$/,
      keys: /^provider_unreachable$/,
      userInfo: /^(user_info_invalid|provider_unreachable)$/,
    };
    expect(result).toMatch(expected[place]);
  });

  it("is read up to 256 KiB", async () => {
    let sent = 0;
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(0x20));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const headers = { "content-type": "application/json" };
    const attempted = await attempt(answering(place, () => new Response(endless, { headers })));
    expectUnreachable(attempted);
    expect(attempted.cause).toContain("262144 bytes");
    expect(cancelled).toBe(true);
    expect(sent).toBeLessThan(512 * 1024);
  });

  it.each<[string, (ended: Promise<Response>) => unknown]>([
    ["never comes", (ended) => ended],
    [
      "begins and does not end",
      (ended) =>
        new Response(
          new ReadableStream({
            start: (controller) => {
              controller.enqueue(new TextEncoder().encode(" "));
              ended
                .then(async (honest) => {
                  controller.enqueue(new Uint8Array(await honest.arrayBuffer()));
                  return controller.close();
                })
                .catch((error: unknown) => controller.error(error));
            },
          }),
          { headers: { "content-type": "application/json" } },
        ),
    ],
  ])("is awaited for at most five seconds if it %s", async (_, answer) => {
    const limits: number[] = [];
    const time = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      limits.push(ms);
      return time.signal;
    });
    const slow = answering(place, (honest, { signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      setTimeout(() => {
        time.abort(new DOMException("Too long", "TimeoutError"));
        // A service that ignored the time-out would get this answer.
        setTimeout(() => resolve(honest), 20);
      }, 0);
      return answer(promise);
    });
    const attempted = await attempt(slow);
    timeout.mockRestore();
    expectUnreachable(attempted);
    expect(attempted.cause).toContain("TimeoutError");
    expect(new Set(limits)).toEqual(new Set([5_000]));
  });
});

describe("a refusal of the token request", () => {
  it("reveals nothing of the provider's description", async () => {
    const { result, cause, answer } = await attempt(
      answering("token", () =>
        Response.json(
          { error: "<script>", error_description: "<b>", error_uri: "https://evil.test" },
          { status: 400, headers: { "www-authenticate": 'Basic realm="evil.test"' } },
        ),
      ),
    );
    expect([result, cause]).toEqual(["code_refused", "status 400"]);
    expect(answer.text).not.toMatch(/script|evil/);
  });

  it.each<[string, Json]>([
    ["without an access token", { access_token: undefined }],
    ["with an access token of another kind", { token_type: "mac" }],
    ["that is an error all the same", { error: "invalid_grant", access_token: undefined }],
  ])("results from an answer %s", async (_, more) => {
    const { result } = await attempt({ tokenAnswer: (body) => ({ ...body, ...more }) });
    expect(result).toBe("token_invalid");
  });
});

describe("user information", () => {
  it.each<[attack: string, (claims: Json) => unknown]>([
    ["of somebody else", () => ({ sub: "eve" })],
    ["of nobody", (claims) => ({ ...claims, sub: undefined })],
    [
      "of the subject in capitals",
      (claims) => ({ ...claims, sub: String(claims["sub"]).toUpperCase() }),
    ],
    ["of the subject in a list", (claims) => ({ ...claims, sub: [claims["sub"]] })],
    ["in a list", (claims) => [claims]],
    ["that is nothing", () => null],
  ])("%s is refused", async (_, userInfo) => {
    expect((await attempt({ ...asksAll, userInfo })).result).toBe("user_info_invalid");
  });

  it("does not replace issuer and subject of the ID token", async () => {
    const who = person();
    const { browser, provider } = await attempt(
      { ...asksAll, userInfo: (claims) => ({ ...claims, iss: "https://evil.test", aud: "x" }) },
      { who },
    );
    const { user } = (await browser.get("/auth/session")).body;
    expect([user.issuer, user.subject]).toEqual([provider.issuer, who.sub]);
  });
});

describe("an address", () => {
  const domain = `d${crypto.randomUUID().slice(0, 8)}.example`;
  const tenantsFor = async (who: Json, alter: Alterations = {}, entry: Json = {}) => {
    const attempted = await attempt(alter, { who: person(who), entry });
    expect(attempted.result).toBe("signed in");
    await accept(attempted.browser);
    const session = (await attempted.browser.get("/auth/session")).body;
    return session.tenants.length as number;
  };
  beforeAll(async () => {
    const { tenantId } = await makeTenant();
    await operator.patch(`/tenants/${tenantId}`, { allowedEmailDomains: [domain] });
  });

  it.each<[string, Json]>([
    ["of an allowed domain", { email: `ada@${domain}` }],
    ["of an allowed domain in capitals", { email: `Ada@${domain.toUpperCase()}` }],
  ])("%s is admitted", async (_, who) => {
    expect(await tenantsFor(who)).toBe(1);
    expect(await tenantsFor(who, { claims: () => ({ email: undefined }) })).toBe(1);
  });

  it.each<[string, Json]>([
    ["of another domain", { email: "ada@example.com" }],
    ["of a domain below it", { email: `ada@sub.${domain}` }],
    ["of a domain that ends like it", { email: `ada@x${domain}` }],
    ["of a domain that begins like it", { email: `ada@${domain}.evil.test` }],
    ["with a dot behind", { email: `ada@${domain}.` }],
    ["with a space behind", { email: `ada@${domain} ` }],
    ["with a line behind", { email: `ada@${domain}\n` }],
    ["with NUL behind", { email: `ada@${domain}\u0000@evil.test` }],
    ["with another before it", { email: `ada@evil.test@${domain}` }],
    ["with another behind it", { email: `ada@${domain}@evil.test` }],
    ["with a name before it", { email: `Ada <ada@${domain}>` }],
    ["in quotes", { email: `"ada@evil.test"@${domain}` }],
    ["with a comment", { email: `ada@(evil.test)${domain}` }],
    ["of letters that only look so", { email: `ada@${domain.replace("e", "е")}` }],
    ["of letters that are so in lower case", { email: `ada@${domain.replace(".", "．")}` }],
    ["in a list", { email: [`ada@${domain}`] }],
    ["verified in words", { email: `ada@${domain}`, email_verified: "true" }],
    ["verified by number", { email: `ada@${domain}`, email_verified: 1 }],
    ["verified by an object", { email: `ada@${domain}`, email_verified: {} }],
    ["verified in a list", { email: `ada@${domain}`, email_verified: [true] }],
    [
      "verified by a list of addresses",
      { email: `ada@${domain}`, email_verified: [`ada@${domain}`] },
    ],
    ["not verified", { email: `ada@${domain}`, email_verified: false }],
    ["of which nothing is said", { email: `ada@${domain}`, email_verified: undefined }],
  ])("%s is not admitted", async (_, who) => {
    expect(await tenantsFor(who)).toBe(0);
  });

  it("is not proved by an untrusted provider, nor by claims from two sources", async () => {
    const email = `ada@${domain}`;
    expect(await tenantsFor({ email }, {}, { trustedForEmail: false })).toBe(0);
    const half: Alterations = {
      claims: () => ({ email: undefined, email_verified: true }),
      userInfo: ({ sub }) => ({ sub, email }),
    };
    expect(await tenantsFor({}, half)).toBe(0);
  });

  it("does not identify a user: issuer and subject do", async () => {
    const [one, two] = [person(), new HostileProvider()];
    const first = await attempt({}, { who: one });
    const idOf = async ({ browser }: { browser: Browser }) =>
      (await browser.get("/auth/session")).body.user.id as string;
    const sameAddress = await attempt({}, { who: { ...one, sub: "somebody-else" } });
    const sameSubject = await attempt({}, { who: one, provider: two });
    const ids = await Promise.all([first, sameAddress, sameSubject].map(idOf));
    expect(new Set(ids).size).toBe(3);
    const browser = new Browser(settingsFor([two]));
    await come(browser, await authorized(browser, two, { ...one, email: "new@example.com" }), two);
    expect(await idOf({ browser })).toBe(ids[2]);
  });
});
