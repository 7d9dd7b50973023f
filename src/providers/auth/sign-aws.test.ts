import { expect, it } from "vitest";
import { signAws } from "./sign-aws.ts";

// AWS's own example keys. The signatures were computed from the published algorithm with another implementation.
const keys = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
const nowMs = Date.UTC(2015, 7, 30, 12, 36, 0);
const request = {
  method: "POST",
  url: "https://secretsmanager.us-east-1.amazonaws.com/",
  headers: {
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": "secretsmanager.GetSecretValue",
  },
  body: '{"SecretId":"control/platform/a"}',
};
const signing = { keys, service: "secretsmanager", region: "us-east-1", nowMs };

it("signs a request as AWS verifies it", async () => {
  const signed = await signAws(request, signing);
  expect(signed).toEqual({
    ...request,
    headers: {
      ...request.headers,
      "x-amz-date": "20150830T123600Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/secretsmanager/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=ec2c22514bb286d085b954d211e2cd6c8929abd0f695eccc00a58a3fb27d6d2d",
    },
  });
});

it("signs the token of temporary keys, and the host and body that are sent", async () => {
  const temporary = { ...signing, keys: { ...keys, sessionToken: "AQoDYXdzEPT//EXAMPLE" } };
  const { headers } = await signAws(request, temporary);
  expect(headers["x-amz-security-token"]).toBe("AQoDYXdzEPT//EXAMPLE");
  expect(headers["authorization"]).toContain(
    "SignedHeaders=host;x-amz-date;x-amz-security-token;x-amz-target, Signature=6ed5c0675d99b1b42c0d46f509c90d7fdcca8f3e4139afcdd6480e8d3446cb8b",
  );
  const signatures = await Promise.all(
    [
      request,
      { ...request, url: "https://secretsmanager.us-east-2.amazonaws.com/" },
      { ...request, body: '{"SecretId":"control/platform/b"}' },
      {
        ...request,
        headers: { ...request.headers, "x-amz-target": "secretsmanager.PutSecretValue" },
      },
    ].map(async (one) => (await signAws(one, signing)).headers["authorization"]),
  );
  expect(new Set(signatures).size).toBe(4);
});
