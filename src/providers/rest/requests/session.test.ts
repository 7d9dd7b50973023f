import { describe, expect, it } from "vitest";
import { isJsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import { createCall, pollCall, sampleProvider } from "#test/support/sample-provider.ts";
import { json, thing } from "#test/support/scripted-cloud.ts";

const HOUR_MS = 3_600_000;
const T0 = 1_000_000;

const definition: Partial<RestProviderDefinition> = {
  hosts: { tokens: () => "https://tokens.example" },
  session: {
    scope: ({ region }) => region,
    obtain: async ({ credential, now }, ask) => {
      const given = isJsonMap(credential) ? credential["token"] : undefined;
      const secret = typeof given === "string" ? given : "";
      const form = { grant_type: "assertion", assertion: `signed.${secret}.${"x".repeat(64)}` };
      const answer = await ask({ method: "POST", host: "tokens", path: "/token", form });
      if (!answer.ok) return answer.failed;
      const { token, seconds } = answer.json;
      const expiresMs = now() + Number(seconds) * 1000;
      return { kind: "session", token: token ?? null, expiresMs };
    },
  },
  authorize: (_, { session }) => ({
    authorization: `Bearer ${typeof session === "string" ? session : ""}`,
  }),
};

/** A cloud that counts the sessions it gives, each for an hour, and takes only the last of them. */
function sessionCloud(more: { token?: () => Response | Error; call?: () => Response } = {}) {
  const seen: { url: string; authorization: string | null; body: string }[] = [];
  let given = 0;
  let valid = "";
  const fetch = async (request: Request): Promise<Response> => {
    const authorization = request.headers.get("authorization");
    seen.push({ url: request.url, authorization, body: await request.text() });
    if (request.url === "https://tokens.example/token") {
      const scripted = more.token?.();
      if (scripted instanceof Error) throw scripted;
      given += 1;
      valid = `session-secret-${given}`;
      return scripted ?? json({ token: valid, seconds: 3_600 });
    }
    if (authorization !== `Bearer ${valid}`) return json({ code: "expired", message: "old" }, 401);
    return more.call?.() ?? json(thing());
  };
  return {
    seen,
    calls: () => seen.filter(({ url }) => !url.includes("tokens.example")).length,
    given: () => given,
    revoke: () => {
      valid = "";
    },
    context: (changed: Partial<ProviderContext> = {}): ProviderContext => ({
      targetId: crypto.randomUUID(),
      region: "eu-1",
      config: {},
      credential: { token: "s3cr3t-credential" },
      fetch,
      now: () => T0,
      ...changed,
    }),
  };
}
const provider = sampleProvider({}, definition);
const read = { type: "vultr:Thing", id: "t-1", properties: {} };

describe("a session", () => {
  it("is obtained without authorization, and authorizes the calls", async () => {
    const cloud = sessionCloud();
    expect(await provider.read(cloud.context(), read)).toMatchObject({ kind: "done" });
    expect(cloud.seen.map(({ url, authorization }) => [url, authorization])).toEqual([
      ["https://tokens.example/token", null],
      ["https://cloud.example/v1/things/t-1", "Bearer session-secret-1"],
    ]);
    expect(new URLSearchParams(cloud.seen[0]?.body).get("grant_type")).toBe("assertion");
  });

  it("serves the calls that follow, of other runs too", async () => {
    const cloud = sessionCloud();
    const context = cloud.context();
    await provider.read(context, read);
    await sampleProvider({}, definition).read({ ...context }, read);
    expect(cloud.given()).toBe(1);
  });

  it("is obtained once by concurrent callers", async () => {
    const cloud = sessionCloud();
    const context = cloud.context();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => provider.read(context, read)),
    );
    expect(outcomes.every(({ kind }) => kind === "done")).toBe(true);
    expect(cloud.given()).toBe(1);
  });

  it.for<[string, Partial<ProviderContext>]>([
    ["credential", { credential: { token: "another-credential" } }],
    ["scope", { region: "us-1" }],
    ["run of an identity", { identityRun: "run-2" }],
    ["endpoint", { endpoint: "https://cloud.example/" }],
    ["host", { endpoints: { tokens: "https://tokens.example" } }],
  ])("does not serve another %s", async ([, changed]) => {
    const cloud = sessionCloud();
    const context = cloud.context();
    await provider.read(context, read);
    await provider.read({ ...context, ...changed }, read);
    const redirected = changed.endpoint !== undefined;
    expect(cloud.given()).toBe(redirected ? 1 : 2);
    if (redirected) expect(cloud.seen.at(-1)?.url).toBe("https://cloud.example/token");
  });

  it("is not handed to another tenant's target that has the same config and no credential", async () => {
    const cloud = sessionCloud();
    const config = { roleArn: "arn:aws:iam::1:role/victim" };
    const open = sampleProvider({}, { ...definition, credential: sampleProvider().config });
    const victim = cloud.context({ config, credential: {} });
    await open.read(victim, read);
    await open.read({ ...victim, targetId: crypto.randomUUID() }, read);
    expect(cloud.given()).toBe(2);
  });

  it.for([
    [HOUR_MS - 300_001, 1],
    [HOUR_MS - 300_000, 2],
    [2 * HOUR_MS, 2],
  ] as const)(
    "of an hour is renewed five minutes before its end: after %i ms",
    async ([ms, given]) => {
      const cloud = sessionCloud();
      const context = cloud.context();
      await provider.read(context, read);
      await provider.read({ ...context, now: () => T0 + ms }, read);
      expect(cloud.given()).toBe(given);
    },
  );

  it.for([
    [44_999, 1],
    [45_000, 2],
  ] as const)(
    "of a minute is renewed a quarter before its end: after %i ms",
    async ([ms, given]) => {
      let count = 0;
      const short = (): Response => {
        count += 1;
        return json({ token: `session-secret-${count}`, seconds: 60 });
      };
      const cloud = sessionCloud({ token: short });
      const context = cloud.context();
      await provider.read(context, read);
      await provider.read({ ...context, now: () => T0 + ms }, read);
      expect(cloud.given()).toBe(given);
    },
  );
});

describe("a session that is no longer accepted", () => {
  it("is renewed once, and the call repeated", async () => {
    const cloud = sessionCloud();
    const context = cloud.context();
    await provider.read(context, read);
    cloud.revoke();
    expect(await provider.create(context, createCall())).toMatchObject({ kind: "done" });
    expect(cloud.given()).toBe(2);
    expect(cloud.seen.slice(-3).map(({ authorization }) => authorization)).toEqual([
      "Bearer session-secret-1",
      null,
      "Bearer session-secret-2",
    ]);
  });

  it("is renewed once by concurrent callers", async () => {
    const cloud = sessionCloud();
    const context = cloud.context();
    await provider.read(context, read);
    cloud.revoke();
    await Promise.all(Array.from({ length: 6 }, () => provider.read(context, read)));
    expect(cloud.given()).toBe(2);
  });

  it("is not renewed for ever", async () => {
    const cloud = sessionCloud({ call: () => json({ code: "no", message: "no" }, 401) });
    const outcome = await provider.read(cloud.context(), read);
    expect(outcome).toMatchObject({ kind: "failed", means: "denied", retryable: false });
    expect([cloud.given(), cloud.calls()]).toEqual([2, 2]);
  });

  it("is not renewed after a refusal of another kind", async () => {
    const cloud = sessionCloud({ call: () => json({ code: "no", message: "no" }, 403) });
    await provider.read(cloud.context(), read);
    expect([cloud.given(), cloud.calls()]).toEqual([1, 1]);
  });

  it("is asked for again only by providers that have sessions", async () => {
    const cloud = sessionCloud();
    const outcome = await sampleProvider().read(cloud.context(), read);
    expect(outcome).toMatchObject({ kind: "failed", means: "denied" });
    expect([cloud.given(), cloud.calls()]).toEqual([0, 1]);
  });
});

describe("a session that cannot be obtained", () => {
  const failing = (answer: () => Response | Error) => {
    const cloud = sessionCloud({ token: answer });
    return { cloud, made: provider.create(cloud.context(), createCall()) };
  };

  it.for<[string, () => Response | Error]>([
    ["a fault of its host", () => json({ message: "later" }, 503)],
    ["a dropped connection", () => new Error("reset")],
    ["a page in place of the session", () => new Response("<html>", { status: 200 })],
    ["broken JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
  ])("because of %s says nothing of the credential, nor of the create", async ([, answer]) => {
    const { cloud, made } = failing(answer);
    const outcome = await made;
    expect(outcome).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: false });
    expect(outcome).not.toMatchObject({ code: "invalid_credential" });
    expect(cloud.calls()).toBe(0);
  });

  it("because the credential is refused is the user's to mend", async () => {
    const outcome = await failing(() => json({ code: "bad_key", message: "no" }, 401)).made;
    expect(outcome).toMatchObject({
      code: "bad_key",
      means: "denied",
      fault: "user",
      retryable: false,
      unknownOutcome: false,
    });
  });

  it("because the credential cannot sign is an invalid credential", async () => {
    const obtain = async (): Promise<never> => {
      throw new Error("bad key s3cr3t-credential");
    };
    const unsigning = sampleProvider({}, { ...definition, session: { obtain } });
    const outcome = await unsigning.read(sessionCloud().context(), read);
    expect(outcome).toMatchObject({ code: "invalid_credential", retryable: false });
    expect(JSON.stringify(outcome)).not.toContain("s3cr3t-credential");
  });

  it("does not end a wait that a later poll can go on with", async () => {
    const cloud = sessionCloud({ token: () => json({}, 503) });
    const outcome = await provider.poll(cloud.context(), pollCall("create"));
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
  });

  it("is not remembered", async () => {
    let broken = true;
    const cloud = sessionCloud({
      token: () => (broken ? json({}, 503) : json({ token: "session-secret-2", seconds: 3_600 })),
    });
    const context = cloud.context();
    expect(await provider.read(context, read)).toMatchObject({ kind: "failed" });
    broken = false;
    expect(await provider.read(context, read)).toMatchObject({ kind: "done" });
  });
});

describe("the token of a session", () => {
  it("is in no message, nor is what was exchanged for it", async () => {
    let echoed = "";
    const cloud = sessionCloud({
      call: () => json({ code: "no", message: `token session-secret-1 ${echoed}` }, 403),
    });
    const said = JSON.stringify(await provider.read(cloud.context(), read));
    expect(said).toContain("[redacted]");
    expect(said).not.toContain("session-secret");

    echoed = `signed.s3cr3t-credential.${"x".repeat(64)}`;
    const refusing = sessionCloud({ token: () => json({ code: "no", message: echoed }, 400) });
    const refused = JSON.stringify(await provider.read(refusing.context(), read));
    expect(refused).toContain("[redacted]");
    expect(refused).not.toContain("signed.");
  });
});
