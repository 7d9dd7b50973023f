import { describe, expect, it } from "vitest";
import { credentialRefProblem } from "./credential-ref.ts";

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
  ])("denies a tenant %s", (ref) => {
    expect(credentialRefProblem(ref, owner)).toContain(`env://TARGET_${hex}_`);
  });
});
