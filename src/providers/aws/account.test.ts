import { describe, expect, it } from "vitest";
import { FakeAws } from "#test/providers/aws/fake-aws.ts";
import { awsProvider } from "./aws-provider.ts";

const roleArn = "arn:aws:iam::210987654321:role/deployer";

describe("the account at AWS", () => {
  it("of stored keys is what STS says, with the region in which calls see its objects", async () => {
    const aws = new FakeAws(new Map());
    aws.account = "111122223333";
    expect(await awsProvider().account?.(aws.context())).toEqual({
      kind: "account",
      id: "111122223333 (eu-central-1)",
    });
    expect(aws.requests.map(({ body }) => body)).toEqual([
      "Action=GetCallerIdentity&Version=2011-06-15",
    ]);
    expect(await awsProvider().account?.(aws.context({ region: "eu-west-1" }))).toEqual({
      kind: "account",
      id: "111122223333 (eu-west-1)",
    });
  });

  it("of a role stands in its ARN, and nobody is asked", async () => {
    const aws = new FakeAws(new Map());
    for (const more of [{}, { credential: null, identityToken: async () => "token" }]) {
      const context = aws.context({ ...more, config: { roleArn } });
      expect(await awsProvider().account?.(context)).toEqual({
        kind: "account",
        id: "210987654321 (eu-central-1)",
      });
    }
    expect(aws.requests).toHaveLength(0);
  });

  it("of keys that AWS does not know is denied", async () => {
    const aws = new FakeAws(new Map());
    const credential = { accessKeyId: "AKIAWRONGWRONGWRONG0", secretAccessKey: "w".repeat(40) };
    expect(await awsProvider().account?.(aws.context({ credential }))).toMatchObject({
      kind: "failed",
      retryable: false,
      means: "denied",
    });
  });
});
