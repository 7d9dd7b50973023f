import type { Run } from "#orchestrator/storage/run.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import type { NameRule } from "#providers/provider.ts";

const anyName: NameRule = { maxLength: 255 };

/** Characters of the digest, in base 36: 51 bits. */
const DIGEST_LENGTH = 10;

/**
 * The name of a new object: readable, and unique by the run and `call`, the call's number in the run. If the type's
 * rule has no room for it, the name is cut and ends in a digest of both.
 */
export async function newObjectName(
  run: Run,
  resource: string,
  call: string,
  rule: NameRule = anyName,
): Promise<string> {
  const readable = `${run.spec?.inputs.instance.name ?? ""}-${resource}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  const unique = `${run.deploymentId.slice(-10)}-${call}`;
  const whole = fitting(`${readable}-${unique}`, rule);
  if (whole.length <= rule.maxLength && rule.alphabet !== "alphanumeric") return whole;
  const hex = await digestHex(`${run.deploymentId} ${call}`);
  const digest = BigInt(`0x${hex}`).toString(36).slice(-DIGEST_LENGTH).padStart(DIGEST_LENGTH, "0");
  const before = fitting(readable, rule).slice(0, rule.maxLength - DIGEST_LENGTH - 1);
  const prefix = before.replace(/[-_]$/, "");
  return fitting(prefix === "" ? digest : `${prefix}-${digest}`, rule);
}

/** The name in the rule's alphabet, after a letter if one must be first. */
function fitting(name: string, { alphabet, letterFirst }: NameRule): string {
  const hyphen = alphabet === "alphanumeric" ? "" : alphabet === "underscores" ? "_" : "-";
  const spelled = name.replaceAll("-", hyphen);
  return letterFirst === true && !/^[a-z]/.test(spelled) ? `r${spelled}` : spelled;
}
