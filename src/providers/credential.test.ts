import { describe, expect, it } from "vitest";
import { ApiError } from "#platform/errors.ts";
import { credentialRefProblem, resolveCredential } from "./credential.ts";

const owner = "0190a5c6-1111-7abc-8def-0123456789ab";
const hex = "0190A5C611117ABC8DEF0123456789AB";
const other = "0190a5c6-2222-7abc-8def-0123456789ab";

describe("credentialRefProblem", () => {
  it.for([
    [`env://TARGET_${hex}_A`, owner],
    [`env://TARGET_${hex}_aws_PROD_1`, owner],
    [`aws-sm://control/${owner}/prod`, owner],
    [`aws-sm://control/${owner}/prod/eu-1/key_+=.@-`, owner],
    ["env://TARGET_PLATFORM_AWS", "platform"],
    ["aws-sm://control/platform/aws", "platform"],
  ] as const)("lets %s be named by %s", ([ref, of]) => {
    expect(credentialRefProblem(ref, of)).toBeUndefined();
  });

  it.for([
    `env://TARGET_${hex}_`,
    `env://TARGET_${hex}`,
    `env://TARGET_${hex.toLowerCase()}_A`,
    `env://target_${hex}_A`,
    `env://TARGET_${hex}_A-B`,
    `env://TARGET_${hex}_A/../B`,
    `env://TARGET_${hex}_É`,
    `env://TARGET_${other.replaceAll("-", "").toUpperCase()}_A`,
    `env://TARGET_${owner}_A`,
    "env://TARGET_PLATFORM_AWS",
    "env://BOOTSTRAP_API_KEY",
    "env://SEALING_KEYS",
    "env://__proto__",
    `aws-sm://control/${owner}/`,
    `aws-sm://control/${owner}`,
    `aws-sm://control/${owner}/../${other}/a`,
    `aws-sm://control/${owner}/./a`,
    `aws-sm://control/${owner}//a`,
    `aws-sm://control/${owner}/a?version=1`,
    `aws-sm://control/${owner}/a%2e`,
    `aws-sm://control/${owner}-eu/a`,
    `aws-sm://control/${other}/a`,
    "aws-sm://control/platform/aws",
    "aws-sm://a",
  ])("keeps a tenant from %s", (ref) => {
    expect(credentialRefProblem(ref, owner)).toContain(`env://TARGET_${hex}_`);
  });
});

describe("resolveCredential", () => {
  const name = `TARGET_${hex}_A`;
  const resolve = (value: unknown) => resolveCredential(`env://${name}`, owner, { [name]: value });
  const refusal = (attempt: () => unknown): ApiError => {
    try {
      attempt();
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    throw new Error("It was not refused");
  };

  it("reads a JSON object or a bare token, without the line break that pasting leaves", () => {
    expect(resolve('{"token":"a","n":{"m":[1]}}')).toEqual({ token: "a", n: { m: [1] } });
    expect(resolve("tok en-1=\n")).toBe("tok en-1=");
    expect(resolve(' {"a":1}\n')).toEqual({ a: 1 });
  });

  it.for([
    ["is not set", undefined],
    ["is empty", " \n"],
    ["is a binding and no secret", { get: () => "x" }],
    ["is broken JSON", '{"token":"s3cret'],
    ["spans lines", "s3cret\r\nx-evil: 1"],
  ] as const)("refuses a secret that %s, and shows nothing of it", ([, value]) => {
    const error = refusal(() => resolve(value));
    expect(error.code).toBe("credential_unavailable");
    expect(error.message).toContain(name);
    expect(`${error.message}${String(error.cause)}`).not.toContain("s3cret");
  });

  it("reads own properties only", () => {
    const inherited = Object.create({ [name]: "inherited" }) as Record<string, unknown>;
    expect(refusal(() => resolveCredential(`env://${name}`, owner, inherited)).code).toBe(
      "credential_unavailable",
    );
  });

  it("holds the owner to its own names again, whatever was stored", () => {
    const env = { TARGET_PLATFORM_A: "t", SEALING_KEYS: "k" };
    expect(resolveCredential("env://TARGET_PLATFORM_A", "platform", env)).toBe("t");
    for (const ref of ["env://TARGET_PLATFORM_A", "env://SEALING_KEYS"])
      expect(refusal(() => resolveCredential(ref, owner, env)).code).toBe("credential_unavailable");
  });

  it("says that AWS Secrets Manager is not read", () => {
    const error = refusal(() => resolveCredential(`aws-sm://control/${owner}/a`, owner, {}));
    expect(error.code).toBe("credential_unavailable");
    expect(error.message).toContain("AWS Secrets Manager");
  });
});
