import type * as z from "zod";
import type { Bindings } from "#kernel/bindings.ts";
import { subjectOf } from "#kernel/identity/run-token.ts";
import { tokenIssuer } from "#kernel/identity/token-issuer.ts";
import { crc32 } from "#platform/crypto/crc32.ts";
import { providerFor } from "#providers/registry.ts";
import { tokenAudience } from "#providers/token-audience.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";
import type { TargetView } from "./contract.ts";

type Identified = Pick<CloudTarget, "id" | "tenantId" | "provider" | "config" | "credentialRef">;
type View = z.input<typeof TargetView>;

/**
 * The identity of the runs of a target without a stored credential, or its missing parts. Nothing is known about
 * providers that this installation lacks.
 */
export function targetIdentity(
  target: Identified,
  env: Bindings,
): Pick<View, "identity" | "credentialProblem"> {
  const provider = providerFor(target.provider);
  if (provider === undefined) return complete;
  const isStored = target.credentialRef !== null;
  if (isStored && provider.federation?.completedBy === undefined) return complete;
  const wanted = tokenAudience(provider, target.config);
  // The stored credential may be enough.
  if (isStored && wanted.kind !== "audience") return complete;
  if (wanted.kind === "none") {
    if (provider.credential.safeParse(null).success) return complete;
    return missing(`${provider.name} needs a credential. Set \`credentialRef\`.`);
  }
  if (wanted.kind === "refused") return missing(wanted.problem);
  const issuer = tokenIssuer(env);
  if (!issuer.ok && isStored) return complete;
  if (!issuer.ok)
    return missing(
      `${issuer.problem} Until then a target at ${provider.name} needs \`credentialRef\`.`,
    );
  const subject = subjectOf(target);
  const setup = provider.federation?.trust(target.config, { url: issuer.url, subject });
  return {
    identity: {
      issuer: issuer.url,
      subject,
      audience: wanted.audience,
      trust: { policy: setup?.policy ?? null, steps: [...(setup?.steps ?? [])] },
    },
    credentialProblem: null,
  };
}

const complete = { identity: null, credentialProblem: null };

function missing(problem: string) {
  return { identity: null, credentialProblem: problem };
}

/** A target with the version that its ETag shows. */
export type TaggedTarget = Omit<CloudTarget, "version"> & { version: number | string };

/** The answer shows the issuer, which is a setting, and the missing parts: both are part of the ETag. */
export function tagged(target: CloudTarget, env: Bindings): TaggedTarget {
  const federation = providerFor(target.provider)?.federation;
  const isStored = target.credentialRef !== null;
  const showsIssuer = isStored ? federation?.completedBy !== undefined : federation !== undefined;
  if (!showsIssuer) return target;
  const issuer = tokenIssuer(env);
  const shown = issuer.ok ? issuer.url : issuer.problem;
  return { ...target, version: `${target.version}-${crc32(shown).toString(16)}` };
}
