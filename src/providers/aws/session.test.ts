import { decodeJwt, SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { FakeAws, type FakeAwsOptions, KEYS } from "#test/providers/aws/fake-aws.ts";
import { Refused } from "#test/providers/aws/fake-control.ts";
import { awsProvider as makeProvider } from "./aws-provider.ts";

const awsProvider = makeProvider();

const roleArn = "arn:aws:iam::123456789012:role/deployer";
const issuer = { url: "https://control.example.com", subject: "tenant:t-1:target:g-1" };
const key = new Uint8Array(32).fill(7);
const read = { type: "aws:AWS::S3::Bucket", id: "none", properties: {} };

const signed = async (claims: JsonMap): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(key);
const token = async (aud: string): Promise<string> =>
  signed({ iss: issuer.url, sub: issuer.subject, aud, pad: "x".repeat(40) });

afterEach(() => sessions.clear());

/** A role that trusts as the policy says, which is that of the target unless the test changes it. */
function trusting(policy: JsonMap | undefined): NonNullable<FakeAwsOptions["assume"]> {
  return async (action, form) => {
    if (action !== "AssumeRoleWithWebIdentity") throw new Error(action);
    const claims = decodeJwt(form.get("WebIdentityToken") ?? "");
    const [statement] = Array.isArray(policy?.["Statement"]) ? policy["Statement"] : [];
    const condition = isJsonMap(statement) ? statement["Condition"] : undefined;
    const equals = isJsonMap(condition) ? condition["StringEquals"] : undefined;
    const host = (claims.iss ?? "").replace("https://", "");
    for (const [name, wanted] of Object.entries(isJsonMap(equals) ? equals : {}))
      if (claims[name.replace(`${host}:`, "")] !== wanted)
        throw new Refused(
          "AccessDenied",
          "Not authorized to perform sts:AssumeRoleWithWebIdentity",
          403,
        );
    return { seconds: Number(form.get("DurationSeconds")) };
  };
}

const policy = () => awsProvider.federation?.trust({ roleArn }, issuer).policy;
const federated = (aws: FakeAws, more: Partial<ProviderContext> = {}) =>
  aws.context({ credential: null, config: { roleArn }, identityToken: token, ...more });

describe("a target without a stored key", () => {
  it("gets the keys of its role for its token, and no request is signed without them", async () => {
    const aws = new FakeAws(new Map(), { assume: trusting(policy()) });
    const context = federated(aws);
    expect(await awsProvider.verify(context)).toEqual({
      ok: false,
      code: "TypeNotFoundException",
      hint: expect.any(String),
      means: "invalid",
      message: expect.any(String),
      retryable: false,
    });
    const asked = aws.requests.map(({ url, target }) => [new URL(url).host, target]);
    expect(asked).toEqual([
      ["sts.eu-central-1.amazonaws.com", ""],
      ["sts.eu-central-1.amazonaws.com", ""],
      ["cloudcontrolapi.eu-central-1.amazonaws.com", "ListResources"],
    ]);
  });

  it("names the condition of the trust policy that does not match", async () => {
    const other = awsProvider.federation?.trust({ roleArn }, { ...issuer, subject: "tenant:x" });
    const aws = new FakeAws(new Map(), { assume: trusting(other?.policy) });
    const refused = await awsProvider.verify(federated(aws));
    expect(refused).toMatchObject({ ok: false, code: "trust_subject", retryable: false });
    expect(JSON.stringify(refused)).toContain(
      'control.example.com:sub\\": \\"tenant:t-1:target:g-1\\"',
    );
  });

  it.for([
    ["InvalidIdentityToken", "Incorrect token audience", "trust_audience"],
    ["InvalidIdentityToken", "No OpenIDConnect provider found in your account", "trust_issuer"],
    ["IDPCommunicationError", "Couldn't reach", "trust_issuer"],
  ] as const)("is told what %s (%s) means", async ([code, message, expected]) => {
    const assume = () => {
      throw new Refused(code, message);
    };
    const refused = await awsProvider.verify(federated(new FakeAws(new Map(), { assume })));
    expect(refused).toMatchObject({ ok: false, code: expected });
  });

  it("needs a role, and says so", async () => {
    const aws = new FakeAws(new Map());
    const refused = await awsProvider.read(federated(aws, { config: {} }), read);
    expect(refused).toMatchObject({ kind: "failed", code: "invalid_config" });
    expect(aws.requests).toEqual([]);
    expect(awsProvider.federation?.audience({})).toBeUndefined();
    expect(awsProvider.federation?.audience({ roleArn })).toBe("sts.amazonaws.com");
  });

  it.for(["arn:aws:iam::123456789012:user/x", "arn:aws:iam::1:role/x", "role/x\nX: y", 1])(
    "refuses %j as a role",
    (given) => {
      expect(awsProvider.config.safeParse({ roleArn: given }).success).toBe(false);
    },
  );

  it("tells its owner the policy for its partition", () => {
    const china = { roleArn: "arn:aws-cn:iam::123456789012:role/deployer" };
    const trust = awsProvider.federation?.trust(china, issuer);
    expect(JSON.stringify(trust?.policy)).toContain(
      "arn:aws-cn:iam::123456789012:oidc-provider/control.example.com",
    );
    expect(trust?.steps.join(" ")).toContain("create-open-id-connect-provider");
  });
});

describe("a role assumed with a stored key", () => {
  const config = { roleArn, externalId: "external-1", sessionName: "shop", durationSeconds: 900 };

  it("is asked for with the external id, signed", async () => {
    const forms: URLSearchParams[] = [];
    const aws = new FakeAws(new Map(), {
      assume: (action, form) => {
        forms.push(form);
        expect(action).toBe("AssumeRole");
        return { seconds: Number(form.get("DurationSeconds")) };
      },
    });
    await awsProvider.read(aws.context({ config }), read);
    expect(Object.fromEntries(forms[0] ?? [])).toMatchObject({
      RoleArn: roleArn,
      ExternalId: "external-1",
      RoleSessionName: "shop",
      DurationSeconds: "900",
    });
  });

  it("is assumed again before its keys end, and once after AWS no longer takes them", async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    let assumed = 0;
    const aws = new FakeAws(new Map(), {
      now: () => nowMs,
      assume: () => {
        assumed += 1;
        return { seconds: 900 };
      },
    });
    const context = aws.context({ config });
    const call = () => awsProvider.read(context, read);
    await call();
    await call();
    expect(assumed).toBe(1);
    nowMs += 11.5 * 60_000;
    await call();
    expect(assumed).toBe(2);
    aws.revoke();
    expect(await call()).toMatchObject({ code: "TypeNotFoundException" });
    expect(assumed).toBe(3);
  });

  it("that may not be assumed is told with what its trust policy needs", async () => {
    const refused = await awsProvider.verify(new FakeAws(new Map()).context({ config }));
    expect(refused).toMatchObject({
      ok: false,
      code: "role_not_assumed",
      permission: "sts:AssumeRole",
    });
  });
});

describe("a check of stored keys", () => {
  const wrong = (credential: JsonMap) => new FakeAws(new Map()).context({ credential });

  it("tells a wrong key id from a wrong secret", async () => {
    const id = { ...KEYS, accessKeyId: "AKIAWRONG0123456789" };
    expect(JSON.stringify(await awsProvider.verify(wrong(id)))).toContain(
      "does not know the access key id",
    );
    const secret = { ...KEYS, secretAccessKey: `${KEYS.secretAccessKey}x` };
    expect(JSON.stringify(await awsProvider.verify(wrong(secret)))).toContain(
      "not with this secret",
    );
  });

  it.for([
    ["SignatureDoesNotMatch", "Signature expired: 20260101T000000Z is now earlier", "clock_skew"],
    ["Throttling", "Rate exceeded", "Throttling"],
  ] as const)("tells %s (%s) as %s", async ([Code, Message, code]) => {
    const aws = new FakeAws(new Map());
    const fetch = async () => Response.json({ Error: { Code, Message } }, { status: 403 });
    expect(await awsProvider.verify(aws.context({ fetch }))).toMatchObject({
      ok: false,
      code,
      retryable: Code === "Throttling",
    });
  });

  it("tells a region that the account has not enabled, and a missing permission by its name", async () => {
    const aws = new FakeAws(new Map());
    const disabled = async (request: Request): Promise<Response> =>
      request.url.startsWith("https://sts.me-south-1")
        ? Response.json({ Error: { Code: "InvalidClientTokenId", Message: "no" } }, { status: 403 })
        : aws.fetch(request);
    const away = aws.context({ region: "me-south-1", fetch: disabled });
    expect(await awsProvider.verify(away)).toMatchObject({ code: "region_not_enabled" });
    const may = (permission: string) => async (request: Request) =>
      request.headers.has("x-amz-target")
        ? Response.json(
            {
              __type: "AccessDeniedException",
              Message: `User: u is not authorized to perform: ${permission} on resource: *`,
            },
            { status: 400 },
          )
        : aws.fetch(request);
    expect(
      await awsProvider.verify(aws.context({ fetch: may("cloudformation:ListResources") })),
    ).toMatchObject({ ok: false, permission: "cloudformation:ListResources" });
    expect(await awsProvider.verify(aws.context({ fetch: may("logs:DescribeLogGroups") }))).toEqual(
      {
        ok: true,
      },
    );
  });
});

/** What a call is told by an AWS that repeats all that it was sent and gave. */
async function toldBy(call: (aws: FakeAws, fetch: FakeAws["fetch"]) => Promise<unknown>) {
  const aws = new FakeAws(new Map(), { assume: () => ({ seconds: 900 }) });
  const told = await call(aws, async (request) => {
    const copy = request.clone();
    const answer = await aws.fetch(request);
    if (!copy.headers.has("x-amz-target")) return answer;
    const Message = JSON.stringify([...copy.headers, aws.given]);
    return Response.json({ __type: "ValidationException", Message }, { status: 400 });
  });
  return { text: JSON.stringify(told), given: aws.given };
}

it("no secret is in what anybody is told, exchanged ones included", async () => {
  const config = { roleArn };
  const calls = [
    await toldBy((aws, fetch) => awsProvider.read(aws.context({ config, fetch }), read)),
    await toldBy((aws, fetch) => awsProvider.verify(federated(aws, { fetch }))),
  ];
  for (const { text, given } of calls) {
    expect(given).toHaveLength(2);
    for (const secret of [KEYS.secretAccessKey, ...given]) expect(text).not.toContain(secret);
  }
  const repeating = async (request: Request): Promise<Response> => {
    const Message = new URLSearchParams(await request.text()).get("WebIdentityToken");
    return Response.json({ Error: { Code: "InvalidIdentityToken", Message } }, { status: 400 });
  };
  const refused = await awsProvider.verify(federated(new FakeAws(new Map()), { fetch: repeating }));
  expect(JSON.stringify(refused)).not.toContain(await token("sts.amazonaws.com"));
});
