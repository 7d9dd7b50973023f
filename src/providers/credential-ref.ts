/**
 * What keeps a target of this owner (a tenant's id, or `platform`) from naming this credential; undefined
 * when it may. The owner is in the name by id and not by slug: `acme` must not reach what is `acme-eu`'s.
 */
export function credentialRefProblem(ref: string, ownerId: string): string | undefined {
  const env = envPrefix(ownerId);
  const secret = secretPrefix(ownerId);
  if (ref.startsWith(env) && /^[A-Za-z0-9_]+$/.test(ref.slice(env.length))) return undefined;
  if (ref.startsWith(secret) && isSecretPath(ref.slice(secret.length))) return undefined;
  return `A credential of this target's owner is ${env}<NAME> (letters, digits and _) or ${secret}<path>.`;
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
