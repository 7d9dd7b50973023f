/** Files that a person may want to keep to themselves. */

export type CautionKind = "state" | "plan" | "values" | "secrets";

/** `lines`: the lines that look like secrets. */
export type Caution =
  | { kind: Exclude<CautionKind, "secrets"> }
  | { kind: "secrets"; lines: readonly number[] };

export function cautionOf(path: string, text: string): Caution | undefined {
  if (/\.tfstate(?:\.(?:[\w-]+\.)?backup)?$/i.test(path)) return { kind: "state" };
  if (/\.tfvars(?:\.json)?$|(?:^|\/)Pulumi\.[^/]+\.ya?ml$|[.-]parameters\.json$/i.test(path))
    return { kind: "values" };
  if (/\.json$/i.test(path)) {
    if (/"(?:planned_values|resource_changes)"\s{0,9}:/.test(text)) return { kind: "plan" };
    if (/"(?:lineage|terraform_version)"\s{0,9}:/.test(text)) return { kind: "state" };
  }
  const lines = secretLines(text);
  return lines.length === 0 ? undefined : { kind: "secrets", lines };
}

const secret = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/,
  /:\/\/[^/@\s:]{1,256}:[^/@\s$]{1,256}@/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b(?:ghp|gho|ghs|github_pat|glpat|xoxb|dop_v1|sk_live)[_-][A-Za-z0-9_-]{16}/,
  /(?:password|passwd|pwd|secret|token|api_?key|access_?key|private_?key)["']?\s{0,20}[=:]\s{0,20}["'][^"'$<{\s][^"'${]{3}/i,
];

function secretLines(text: string): number[] {
  return text
    .split("\n")
    .flatMap((line, at) => (secret.some((one) => one.test(line)) ? [at + 1] : []));
}
