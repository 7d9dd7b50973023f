import { subjectOf } from "#kernel/identity/run-token.ts";
import { type IssuerSettings, tokenIssuer } from "#kernel/identity/token-issuer.ts";
import type { ReachableTarget } from "#orchestrator/program/provider-context.ts";
import type { Provider, Verified } from "#providers/provider.ts";
import { tokenAudience } from "#providers/token-audience.ts";

/** What clouds say of the condition that does not match, each in its own words. The first one counts. */
const conditions: readonly { says: RegExp; part: "audience" | "issuer" | "subject" }[] = [
  { says: /audience|\baud\b/i, part: "audience" },
  {
    says: /issuer|\biss\b|OpenIDConnect provider|verification key|signing key|jwks/i,
    part: "issuer",
  },
  { says: /subject|\bsub\b|attribute condition/i, part: "subject" },
];

/**
 * The refusal of a token with what the cloud's trust policy has to name: the condition that the cloud says does not
 * match, or all of them when it does not say. Left as it is when the provider's own hint names the subject.
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
  if (hint?.includes(values.subject) === true) return verified;
  const part = conditions.find(({ says }) => says.test(verified.message))?.part;
  // A permission that is named is lacking after the token was taken.
  if (part === undefined && verified.permission !== undefined) return verified;
  const more =
    part === undefined
      ? `If the trust policy at ${provider.name} refuses the token: it has to name the issuer ${values.issuer}, the audience ${values.audience} and the subject ${values.subject}, each exactly. \`identity\` of the target has the policy.`
      : `The trust policy at ${provider.name} does not match the ${part} of the token: it has to be ${values[part]}, exactly. \`identity\` of the target has the policy.`;
  return { ...verified, hint: hint === undefined ? more : `${hint} ${more}` };
}
