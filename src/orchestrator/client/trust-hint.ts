import { subjectOf } from "#kernel/identity/run-token.ts";
import { type IssuerSettings, tokenIssuer } from "#kernel/identity/token-issuer.ts";
import type { ReachableTarget } from "#orchestrator/program/provider-context.ts";
import type { Provider, Verified } from "#providers/provider.ts";
import { tokenAudience } from "#providers/token-audience.ts";

/** The clouds' wordings for the condition that does not match. The first match counts. */
const conditions: readonly { says: RegExp; part: "audience" | "issuer" | "subject" }[] = [
  { says: /audience|\baud\b/i, part: "audience" },
  {
    says: /issuer|\biss\b|OpenIDConnect provider|verification key|signing key|jwks/i,
    part: "issuer",
  },
  { says: /subject|\bsub\b|attribute condition/i, part: "subject" },
];

/**
 * The refusal of a token with the required content of the cloud's trust policy: the condition that does not match, or
 * all conditions if the cloud names none. Unchanged if the provider's own hint contains one of their values.
 */
export function withTrustHint(
  verified: Verified,
  of: { env: IssuerSettings; provider: Provider; target: ReachableTarget },
): Verified {
  const { env, provider, target } = of;
  if (verified.ok || verified.retryable || target.credentialRef !== null) return verified;
  if (verified.means !== undefined && !["denied", "invalid", "gone"].includes(verified.means))
    return verified;
  const issuer = tokenIssuer(env);
  const wanted = tokenAudience(provider, target.config);
  if (!issuer.ok || wanted.kind !== "audience") return verified;
  const values = {
    issuer: issuer.url,
    subject: subjectOf(target),
    audience: wanted.audience,
  };
  const { hint } = verified;
  if (Object.values(values).some((value) => hint?.includes(value) === true)) return verified;
  const part = conditions.find(({ says }) => says.test(verified.message))?.part;
  // A refusal that names a permission comes after the token was accepted.
  if (part === undefined && verified.permission !== undefined) return verified;
  const more =
    part === undefined
      ? `If the trust policy at ${provider.name} refuses the token: it has to name the issuer ${values.issuer}, the audience ${values.audience} and the subject ${values.subject}, each exactly. \`identity\` of the target has the policy.`
      : `The trust policy at ${provider.name} does not match the ${part} of the token: it has to be ${values[part]}, exactly. \`identity\` of the target has the policy.`;
  return { ...verified, hint: hint === undefined ? more : `${hint} ${more}` };
}
