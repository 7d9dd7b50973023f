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
 * How the runs of a target without a stored credential identify themselves, or what is missing for it. Of a provider
 * that this installation lacks nothing is known.
 */
export function targetIdentity(
  target: Identified,
  env: Bindings,
): Pick<View, "identity" | "credentialProblem"> {
  const provider = providerFor(target.provider);
  if (target.credentialRef !== null || provider === undefined) return stored;
  const wanted = tokenAudience(provider, target.config);
  if (wanted.kind === "none") {
    if (provider.credential.safeParse(null).success) return stored;
    return missing(`${provider.name} needs a credential. Set \`credentialRef\`.`);
  }
  if (wanted.kind === "refused") return missing(wanted.problem);
  const issuer = tokenIssuer(env);
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

const stored = { identity: null, credentialProblem: null };

function missing(problem: string) {
  return { identity: null, credentialProblem: problem };
}

/** A target with the version that its ETag shows. */
export type TaggedTarget = Omit<CloudTarget, "version"> & { version: number | string };

/** The issuer is a setting, shown with the target. */
export function tagged(target: CloudTarget, env: Bindings): TaggedTarget {
  const issuer = tokenIssuer(env);
  const shows = target.credentialRef === null && providerFor(target.provider)?.federation;
  if (!shows || !issuer.ok) return target;
  return { ...target, version: `${target.version}-${crc32(issuer.url).toString(16)}` };
}
