import { importPKCS8 } from "jose";

const PEM =
  /^\s*-----BEGIN (?<kind>(?:RSA )?PRIVATE KEY)-----(?<body>[\sA-Za-z0-9+/=]+)-----END \k<kind>-----/;

/** `AlgorithmIdentifier` of an RSA key (RFC 8017): what a PKCS #8 key says before the PKCS #1 key that it wraps. */
const RSA_VERSION_AND_ALGORITHM = [
  0x02, 0x01, 0x00, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01,
  0x05, 0x00,
];

function derLength(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

function der(tag: number, content: readonly number[]): number[] {
  return [tag, ...derLength(content.length), ...content];
}

/** The key in the only form that Web Crypto reads. */
function wrapped(pkcs1: Uint8Array): Uint8Array {
  return Uint8Array.from(der(0x30, [...RSA_VERSION_AND_ALGORITHM, ...der(0x04, [...pkcs1])]));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** An API key from its PEM, PKCS #8 or PKCS #1. Throws in words that say what to store. */
export async function privateKey(pem: string): Promise<CryptoKey> {
  if (/ENCRYPTED/.test(pem))
    throw new Error("privateKey has a passphrase. Store the key without one.");
  const { kind, body = "" } = PEM.exec(pem)?.groups ?? {};
  if (kind === undefined)
    throw new Error("privateKey is not an RSA key in PEM. Store the whole file of the API key.");
  try {
    const bytes = Uint8Array.from(atob(body.replaceAll(/\s/g, "")), (one) => one.charCodeAt(0));
    const pkcs8 = base64(kind === "PRIVATE KEY" ? bytes : wrapped(bytes));
    return await importPKCS8(
      `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`,
      "RS256",
    );
  } catch {
    throw new Error("privateKey cannot be read. Store the whole file of the API key, an RSA key.");
  }
}
