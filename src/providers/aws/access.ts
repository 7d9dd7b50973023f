/** What a target gives to reach an account: keys, or the role to assume. */
import * as z from "zod";
import type { Json } from "#platform/json.ts";
import type { AwsKeys } from "#providers/auth/sign-aws.ts";

const text = (pattern: RegExp, error: string) => z.string().regex(pattern, { error });

/** Made on first use: nothing of a provider is evaluated when the Worker starts. */
function madeOnce<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export const awsCredential = madeOnce(() =>
  z.strictObject({
    accessKeyId: text(/^[A-Z0-9]{16,128}$/, "must be an access key id"),
    secretAccessKey: text(/^[\x21-\x7e]{16,128}$/, "must be a secret access key"),
    sessionToken: text(/^[\x21-\x7e]{1,8192}$/, "must be a session token").optional(),
  }),
);

const ROLE = /^arn:(aws|aws-cn|aws-us-gov):iam::(\d{12}):role\/[\w+=,.@/-]{1,576}$/;

export const awsConfig = madeOnce(() =>
  z.object({
    roleArn: text(ROLE, "must be the ARN of a role")
      .optional()
      .describe("The ARN of the role to assume: arn:aws:iam::123456789012:role/deployer"),
    externalId: text(/^[\w+=,.@:/-]{2,1224}$/, "must be an external id")
      .optional()
      .describe("What the role's trust policy asks for as sts:ExternalId"),
    sessionName: text(/^[\w+=,.@-]{2,64}$/, "must be the name of a session")
      .optional()
      .describe("What CloudTrail shows as the name of the session"),
    durationSeconds: z
      .int()
      .min(900)
      .max(43_200)
      .optional()
      .describe("How long the role's keys live; a role allows an hour unless it says otherwise"),
  }),
);

export interface Role {
  arn: string;
  partition: string;
  account: string;
}

/** The role that a config names, if it is one. */
export function roleIn(config: Json): Role | undefined {
  const { data } = awsConfig().safeParse(config);
  const [arn, partition = "", account = ""] = ROLE.exec(data?.roleArn ?? "") ?? [];
  return arn === undefined ? undefined : { arn, partition, account };
}

/** The keys of a stored credential, or those of a session. Throws if they are none. */
export function keysIn(value: Json | undefined): AwsKeys {
  const { sessionToken, ...keys } = awsCredential().parse(value);
  return sessionToken === undefined ? keys : { ...keys, sessionToken };
}
