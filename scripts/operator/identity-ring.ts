/** The value of the secret IDENTITY_KEYS, changed without the service: the first key signs, all are published. */
/** A new RSA key: PKCS #8 in base64. */
export async function newIdentityKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  return Buffer.from(await crypto.subtle.exportKey("pkcs8", privateKey)).toString("base64");
}

/** `next`: a new key is published after the others. `use`: the last one signs. `drop`: the first alone is left. */
export type RotationStep = "next" | "use" | "drop";

export const rotationSteps: readonly RotationStep[] = ["next", "use", "drop"];

/** The ring after this step of a rotation; throws when it cannot be taken now. An empty ring gets its first key. */
export async function rotatedRing(ring: string, step: RotationStep): Promise<string> {
  const keys = ring
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
  const [first = "", ...others] = keys;
  if (step === "next") {
    if (others.length > 0)
      throw new Error("A rotation is under way: the ring has more than one key. Finish it first.");
    return [...keys, await newIdentityKey()].join(",");
  }
  if (others.length === 0)
    throw new Error(`There is no other key to ${step}. Begin a rotation with \`next\`.`);
  const last = others.at(-1) ?? "";
  return step === "drop" ? first : [last, first, ...others.slice(0, -1)].join(",");
}
