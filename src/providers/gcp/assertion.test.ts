import { sign, verify } from "jsonwebtoken";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { assertionOf } from "./sign-in.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" }))
  .export({ type: "pkcs8", format: "pem" })
  .toString();
const NOW_MS = Date.parse("2026-11-22T12:00:00.900Z");
const nowS = Math.floor(NOW_MS / 1000);
const key = {
  client_email: "deployer@shop-project.iam.gserviceaccount.com",
  private_key: pem,
  private_key_id: "0123456789abcdef",
};
const claims = {
  iss: key.client_email,
  scope: "https://www.googleapis.com/auth/cloud-platform",
  aud: "https://oauth2.googleapis.com/token",
  iat: nowS,
  exp: nowS + 3600,
};

describe("the assertion of a service account", () => {
  it.each([
    ["with the key's id", key, { kid: key.private_key_id }],
    ["without one", { ...key, private_key_id: undefined }, {}],
  ])("equals that of an independent library, byte for byte, %s", async (_, given, header) => {
    const other = sign(claims, pem, {
      algorithm: "RS256",
      header: { alg: "RS256", typ: "JWT", ...header },
    });
    expect(await assertionOf(given, NOW_MS)).toBe(other);
  });

  it("lives an hour and is for Google's token service", async () => {
    const token = await assertionOf(key, NOW_MS);
    const publicKey = createPublicKey(pem);
    expect(verify(token, publicKey, { algorithms: ["RS256"], clockTimestamp: nowS })).toEqual(
      claims,
    );
  });
});
