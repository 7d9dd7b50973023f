/**
 * Why a target of this owner (a tenant's id, or `platform`) must not use this credential; undefined when it may.
 * References contain the owner's id, not its slug: `acme` must not reach a credential of `acme-eu`.
 */
export function credentialRefProblem(ref: string, ownerId: string): string | undefined {
  const env = envPrefix(ownerId);
  const secret = secretPrefix(ownerId);
  if (ref.startsWith(env) && /^[A-Za-z0-9_]+$/.test(ref.slice(env.length))) return undefined;
  if (ref.startsWith(secret) && isSecretPath(ref.slice(secret.length))) return undefined;
  return `The owner of this target may use only ${env}<NAME> (letters, digits and _) or ${secret}<path>.`;
}

function envPrefix(ownerId: string): string {
  return `env://TARGET_${ownerId.replaceAll("-", "").toUpperCase()}_`;
}

function secretPrefix(ownerId: string): string {
  return `aws-sm://control/${ownerId}/`;
}

function isSecretPath(path: string): boolean {
  return path
    .split("/")
    .every((part) => /^[A-Za-z0-9_+=.@-]+$/.test(part) && part !== "." && part !== "..");
}
