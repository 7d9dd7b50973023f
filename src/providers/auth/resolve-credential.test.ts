import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import { type ResolvedCredential, resolveCredential } from "./resolve-credential.ts";

const owner = "0190a5c6-1111-7abc-8def-0123456789ab";
const hex = "0190A5C611117ABC8DEF0123456789AB";

function problemOf(resolved: ResolvedCredential): string {
  if (resolved.ok) throw new Error("It was not refused");
  return resolved.problem;
}

const nothing = async (): Promise<Response> => {
  throw new Error("No request is expected");
};

describe("a credential in a secret of the Worker", () => {
  const name = `TARGET_${hex}_A`;
  const resolveIn = (ref: string, ownerId: string, env: Record<string, unknown>) =>
    resolveCredential(ref, ownerId, { env, fetch: nothing, now: Date.now });
  const resolve = (value: unknown) => resolveIn(`env://${name}`, owner, { [name]: value });

  it("is a JSON object or a bare token, without a trailing line break", async () => {
    expect(await resolve('{"token":"a","n":{"m":[1]}}')).toEqual({
      ok: true,
      credential: { token: "a", n: { m: [1] } },
    });
    expect(await resolve("tok en-1=\n")).toEqual({ ok: true, credential: "tok en-1=" });
    expect(await resolve(' {"a":1}\n')).toEqual({ ok: true, credential: { a: 1 } });
  });

  it.for([
    ["is not set", undefined],
    ["is empty", " \n"],
    ["is a binding, not a secret", { get: () => "x" }],
    ["is broken JSON", '{"token":"s3cret'],
    ["spans lines", "s3cret\r\nx-evil: 1"],
  ] as const)("is refused if it %s, and nothing of it is shown", async ([, value]) => {
    const problem = problemOf(await resolve(value));
    expect(problem).toContain(name);
    expect(problem).not.toContain("s3cret");
  });

  it("is an own property of the environment", async () => {
    const inherited = Object.create({ [name]: "inherited" }) as Record<string, unknown>;
    expect((await resolveIn(`env://${name}`, owner, inherited)).ok).toBe(false);
  });

  it("is checked for its owner again, whatever reference was stored", async () => {
    const env = { TARGET_PLATFORM_A: "t", SEALING_KEYS: "k" };
    expect(await resolveIn("env://TARGET_PLATFORM_A", "platform", env)).toEqual({
      ok: true,
      credential: "t",
    });
    for (const ref of ["env://TARGET_PLATFORM_A", "env://SEALING_KEYS"])
      expect(problemOf(await resolveIn(ref, owner, env))).toContain(`env://TARGET_${hex}_`);
  });
});

const settings = {
  AWS_SM_REGION: "eu-central-1",
  AWS_SM_ACCESS_KEY_ID: "AKIDOWNKEY",
  AWS_SM_SECRET_ACCESS_KEY: "own-secret-access-key",
};
const path = `control/${owner}/prod/key`;

/** AWS with one answer. */
function aws(answer: () => Response | Promise<Response>, env: Record<string, unknown> = settings) {
  const asked: Request[] = [];
  const resolve = (ref = `aws-sm://${path}`, more: { endpoint?: string } = {}) =>
    resolveCredential(ref, owner, {
      env,
      fetch: async (request) => {
        asked.push(request);
        return answer();
      },
      now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
      ...more,
    });
  return { asked, resolve };
}

const holds = (value: Json) => () => Response.json({ Name: path, SecretString: value });
const refuses =
  (type: string, status = 400) =>
  () =>
    Response.json({ __type: `com.amazonaws#${type}`, Message: "canary-message" }, { status });

describe("a credential in AWS Secrets Manager", () => {
  it("is read with the installation's key, as one request for exactly its name", async () => {
    const { asked, resolve } = aws(holds('{"token":"t"}'));
    expect(await resolve()).toEqual({ ok: true, credential: { token: "t" } });
    const [request] = asked;
    expect(asked).toHaveLength(1);
    expect([request?.method, request?.url]).toEqual([
      "POST",
      "https://secretsmanager.eu-central-1.amazonaws.com/",
    ]);
    expect(await request?.json()).toEqual({ SecretId: path });
    const headers = Object.fromEntries(request?.headers ?? []);
    expect(headers).toMatchObject({
      "x-amz-target": "secretsmanager.GetSecretValue",
      "content-type": "application/x-amz-json-1.1",
      "x-amz-date": "20260102T030405Z",
    });
    expect(headers["authorization"]).toContain(
      "Credential=AKIDOWNKEY/20260102/eu-central-1/secretsmanager/aws4_request",
    );
  });

  it("is a JSON object or a bare token, as in a secret of the Worker", async () => {
    expect(await aws(holds("bare-token\n")).resolve()).toEqual({
      ok: true,
      credential: "bare-token",
    });
    for (const value of ["", "  ", '{"token":"s3cret', "s3cret\nx"]) {
      const problem = problemOf(await aws(holds(value)).resolve());
      expect(problem).toContain(path);
      expect(problem).not.toContain("s3cret");
    }
    expect(problemOf(await aws(() => Response.json({ Name: path })).resolve())).toContain(
      "SecretString",
    );
  });

  it("is asked for at the operator's address, in the region of China, and with temporary keys", async () => {
    const moved = aws(holds("t"));
    await moved.resolve(undefined, { endpoint: "http://127.0.0.1:4566/" });
    expect(moved.asked[0]?.url).toBe("http://127.0.0.1:4566/");
    const token = { AWS_SM_SESSION_TOKEN: "own-session-token" };
    const china = aws(holds("t"), { ...settings, ...token, AWS_SM_REGION: "cn-north-1" });
    await china.resolve();
    expect(china.asked[0]?.url).toBe("https://secretsmanager.cn-north-1.amazonaws.com.cn/");
    expect(china.asked[0]?.headers.get("x-amz-security-token")).toBe("own-session-token");
  });

  it.for([
    ["ResourceNotFoundException", "There is no secret"],
    ["AccessDeniedException", "secretsmanager:GetSecretValue"],
    ["DecryptionFailure", "kms:Decrypt"],
    ["InvalidRequestException", "to be deleted"],
    ["UnrecognizedClientException", "AWS_SM_ACCESS_KEY_ID"],
    ["InvalidSignatureException", "AWS_SM_ACCESS_KEY_ID"],
    ["ExpiredTokenException", "AWS_SM_ACCESS_KEY_ID"],
    ["ValidationException", "ValidationException"],
    ["<script>", "answered 400"],
  ] as const)("that is refused with %s is told as such", async ([type, expected]) => {
    const resolved = await aws(refuses(type)).resolve();
    expect(resolved).toMatchObject({ ok: false, retryable: false });
    expect(problemOf(resolved)).toContain(expected);
    expect(problemOf(resolved)).not.toMatch(/canary|<|own-secret/);
  });

  it.for<[string, () => Response | Promise<Response>]>([
    ["throttles", refuses("ThrottlingException")],
    ["answers 429", refuses("", 429)],
    ["answers 500", refuses("InternalServiceError", 500)],
    ["answers 503 without a body", () => new Response(null, { status: 503 })],
    [
      "drops the connection",
      async () => {
        throw new Error("own-secret-access-key was reset");
      },
    ],
    ["answers what is no JSON", () => new Response("<html>", { headers: jsonType })],
  ])("is neither there nor missing while AWS %s", async ([, answer]) => {
    const resolved = await aws(answer).resolve();
    expect(resolved).toMatchObject({ ok: false, retryable: true });
    expect(problemOf(resolved)).toContain("cannot be reached now");
    expect(problemOf(resolved)).not.toContain("own-secret");
  });

  it.for([
    [{}, "AWS_SM_REGION, AWS_SM_ACCESS_KEY_ID, AWS_SM_SECRET_ACCESS_KEY are not set"],
    [{ ...settings, AWS_SM_REGION: " " }, "AWS_SM_REGION is not set"],
    [{ ...settings, AWS_SM_REGION: "x.evil.example/" }, "not the name of a region"],
    [{ ...settings, AWS_SM_ACCESS_KEY_ID: "a\nb" }, "AWS_SM_"],
    [Object.create(settings) as Record<string, unknown>, "are not set"],
  ] as const)("is not asked for with the settings %j", async ([env, expected]) => {
    const { asked, resolve } = aws(holds("t"), env);
    expect(problemOf(await resolve())).toContain(expected);
    expect(asked).toEqual([]);
  });

  it.for([
    ["of another tenant", "aws-sm://control/0190a5c6-2222-7abc-8def-0123456789ab/a"],
    ["of the platform", "aws-sm://control/platform/a"],
    ["beside the owner's", `aws-sm://control/${owner}-b/a`],
    ["without a name", `aws-sm://control/${owner}/`],
    ["above the owner", `aws-sm://control/${owner}/../platform/a`],
    ["above the owner, encoded", `aws-sm://control/${owner}/%2e%2e/platform/a`],
    ["with an encoded slash", `aws-sm://control/${owner}%2fa`],
    ["with a doubly encoded slash", `aws-sm://control/${owner}/..%252fplatform`],
    ["with a backslash", `aws-sm://control/${owner}/..\\platform`],
    ["with an empty part", `aws-sm://control/${owner}//a`],
    ["that is an ARN", "aws-sm://arn:aws:secretsmanager:eu-central-1:1:secret:a"],
    ["with an ARN inside", `aws-sm://control/${owner}/arn:aws:secretsmanager:x`],
    ["of an earlier version", `aws-sm://control/${owner}/a:token:AWSPREVIOUS:`],
    ["of an earlier version, by query", `aws-sm://control/${owner}/a?versionStage=AWSPREVIOUS`],
    ["with a fragment", `aws-sm://control/${owner}/a#token`],
    ["with a look-alike letter", `aws-sm://control/${owner}/а`],
    ["in capitals", `aws-sm://CONTROL/${owner}/a`],
    ["of the owner in capitals", `aws-sm://control/${owner.toUpperCase()}/a`],
  ])("attack: a secret %s is not asked for", async ([, ref]) => {
    const { asked, resolve } = aws(holds("t"));
    expect(problemOf(await resolve(ref))).toContain("may use only");
    expect(asked).toEqual([]);
  });

  it("attack: an answer with another secret than the one asked for is refused", async () => {
    for (const Name of [undefined, "control/platform/key", `${path}-AbCdEf`]) {
      const { resolve } = aws(() => Response.json({ Name, SecretString: "canary" }));
      const problem = problemOf(await resolve());
      expect(problem).toContain("another secret");
      expect(problem).not.toContain("canary");
    }
  });
});

const jsonType = { "content-type": "application/json" };
