import { exportPKCS8, generateKeyPair } from "jose";

/** A new key as IDENTITY_KEYS holds it. */
export async function makeIdentityKey(): Promise<string> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return (await exportPKCS8(privateKey)).replaceAll(/-----[A-Z ]+-----|\s/g, "");
}
