/** The keys that the fake Oracle knows, and whether a request is signed with one of them. Independent of what signs. */
import { createHash, createPublicKey, createVerify, type KeyObject } from "node:crypto";
import { PKCS8 as pem } from "./signature-vectors.ts";

export const API_KEY = {
  tenancyId: "ocid1.tenancy.oc1..shop",
  userId: "ocid1.user.oc1..deployer",
  fingerprint: Array.from({ length: 16 }, () => "0c").join(":"),
  privateKey: pem,
};
export const API_KEY_ID = `${API_KEY.tenancyId}/${API_KEY.userId}/${API_KEY.fingerprint}`;
/** A line of the key that no answer may have. */
export const KEY_CANARY = pem.split("\n")[5] ?? "";

export const apiPublicKey = createPublicKey(pem);

export function publicKeyOf(spki: string): KeyObject {
  return createPublicKey({ key: Buffer.from(spki, "base64"), type: "spki", format: "der" });
}

const FORM =
  /^Signature version="1",keyId="(?<keyId>[^"]+)",algorithm="rsa-sha256",headers="(?<names>[^"]+)",signature="(?<signature>[^"]+)"$/;
const SKEW_MS = 300_000;

/** Why the request is refused; undefined: it is signed as it has to be. */
export function mistakeInSignature(
  request: Request,
  body: string,
  keys: ReadonlyMap<string, KeyObject>,
  nowMs: number,
): string | undefined {
  const { keyId, names, signature } =
    FORM.exec(request.headers.get("authorization") ?? "")?.groups ?? {};
  if (keyId === undefined || names === undefined || signature === undefined)
    return "The Authorization header is missing or malformed.";
  const key = keys.get(keyId);
  if (key === undefined) return "The key is not known.";
  const url = new URL(request.url);
  const listed = names.split(" ");
  const required = ["x-date", "(request-target)", "host"];
  if (["POST", "PUT", "PATCH"].includes(request.method))
    required.push("x-content-sha256", "content-type", "content-length");
  const left = required.filter((name) => !listed.includes(name));
  if (left.length > 0) return `Not signed: ${left.join(" ")}`;
  const values: Record<string, string> = {
    "(request-target)": `${request.method.toLowerCase()} ${url.pathname}${url.search}`,
    host: url.host,
    "content-length": String(Buffer.byteLength(body)),
  };
  const text = listed
    .map((name) => `${name}: ${values[name] ?? request.headers.get(name) ?? ""}`)
    .join("\n");
  if (!createVerify("RSA-SHA256").update(text).verify(key, signature, "base64"))
    return "The signature does not fit the request.";
  const sent = Date.parse(request.headers.get("x-date") ?? "");
  if (!(Math.abs(sent - nowMs) < SKEW_MS)) return "The time of the request is too far off.";
  const digest = createHash("sha256").update(body).digest("base64");
  const isOther =
    listed.includes("x-content-sha256") && request.headers.get("x-content-sha256") !== digest;
  return isOther ? "The digest does not fit the body." : undefined;
}
