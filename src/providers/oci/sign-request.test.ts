import { describe, expect, it } from "vitest";
import { KEY_ID, PKCS1, PKCS8, SIGNED_MS, signed } from "#test/providers/oci/signature-vectors.ts";
import { privateKey } from "./private-key.ts";
import { signRequest } from "./sign-request.ts";

describe("a signed request", () => {
  it.each(signed)("$method $url is byte for byte as oci-common signs it", async (one) => {
    const { method, url, authorization } = one;
    const body = "body" in one ? { body: one.body } : {};
    const key = await privateKey(PKCS8);
    const headers = await signRequest(
      { method, url, headers: {}, ...body },
      { key, keyId: KEY_ID },
      SIGNED_MS,
    );
    // Names of headers are in any case there, and in lower case in what is signed.
    const lowerCase = authorization
      .replace("Content-Type", "content-type")
      .replace("Content-Length", "content-length");
    expect(headers["authorization"]).toBe(lowerCase);
    expect(headers["x-content-sha256"]).toBe("sha256" in one ? one.sha256 : undefined);
    expect(headers["x-date"]).toBe("Sun, 05 Jan 2014 21:31:40 GMT");
  });

  it("is the same with the key as PKCS #1", async () => {
    const request = { method: "GET", url: "https://iaas.example/20160918/vcns", headers: {} };
    const [newer, older] = await Promise.all(
      [PKCS8, PKCS1].map(async (pem) =>
        signRequest(request, { key: await privateKey(pem), keyId: KEY_ID }, SIGNED_MS),
      ),
    );
    expect(older).toEqual(newer);
  });
});

describe("a private key", () => {
  it.each([
    [
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
      "passphrase",
    ],
    [
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----",
      "passphrase",
    ],
    ["canary", "not an RSA key in PEM"],
    ["-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----", "cannot be read"],
    ["-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----", "cannot be read"],
  ])("%j is refused in words that do not have it", async (pem, words) => {
    const refused = privateKey(pem);
    await expect(refused).rejects.toThrow(words);
    await expect(refused).rejects.not.toThrow("canary");
  });
});
