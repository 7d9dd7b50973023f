/** The inputs of a deployment, frozen when it is requested: later changes take effect with the next one. */
import {
  boundValues,
  type findVersionNames,
  readsOf,
  type Upstream,
  variablesPlace,
} from "#areas/instances/public.ts";
import { inheritedVariables } from "#areas/profiles/public.ts";
import { approvalModeOf } from "#kernel/access/safeguards.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { MAX_MAP_BYTES } from "#kernel/limits/require-fits.ts";
import { jsonBytes, type JsonMap } from "#platform/json.ts";
import type { Authors } from "#schema/authors.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";
import type { DeploymentInputs } from "#schema/deployments.ts";
import type { Instance } from "#schema/instances.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";
import type { Profile } from "#schema/profiles.ts";
import { contentAuthors } from "./content-authors.ts";

interface Rows {
  instance: Instance;
  target: CloudTarget;
  tenant: { slug: string };
}

/** The rows whose content a deployment takes. `version`, `profile`: undefined if there is none. */
interface TakenRows extends Rows {
  version: Awaited<ReturnType<typeof findVersionNames>>[number] | undefined;
  upstreams: readonly Upstream[];
  profile: Profile | undefined;
}

/** Throws `invalid_state` if a binding has no value to read, or if the variables are too large together. */
export async function freezeInputs(
  call: Call,
  operation: Exclude<DeploymentOperation, "rollback">,
  rows: TakenRows,
): Promise<DeploymentInputs> {
  const { instance, upstreams } = rows;
  const inputs: DeploymentInputs = {
    ...asItIs(rows),
    template:
      operation === "destroy"
        ? null
        : { templateId: instance.templateId, version: instance.templateVersion },
    given: {
      own: Object.keys(instance.variables),
      bindings: instance.bindings,
      profileId: instance.profileId,
    },
    variables:
      operation === "destroy" || operation === "drift_check"
        ? {}
        : await effectiveVariables(call, rows),
    ...takenOf(operation, rows),
    ...(operation === "deploy" ? { reads: readsOf(instance, upstreams) } : {}),
  };
  if (jsonBytes(inputs.variables) > MAX_MAP_BYTES)
    throw new ApiError(
      "invalid_state",
      `The variables, with those of the profile and the bindings, are larger than ${MAX_MAP_BYTES / 1000} KB together. Make them smaller.`,
    );
  return inputs;
}

/** The inputs of an earlier deployment with the present instance and target. `after`: the instance set back. */
export function freezeAgain(
  good: DeploymentInputs,
  {
    after,
    upstreams,
    version,
    ...rows
  }: Rows & {
    after: Instance;
    upstreams: readonly Pick<Upstream, "id" | "outputHashes">[];
    version: { authors: Authors };
  },
): DeploymentInputs {
  const { hops: _, ...then } = good;
  const { deployed } = rows.instance;
  return {
    ...then,
    ...asItIs(rows),
    // The hashes of the present outputs, not of the earlier ones: only a later change may undo the rollback.
    reads: readsOf(after, upstreams),
    // No author of variables counts: these variables were deployed before.
    authors: contentAuthors({ deployed, version, target: rows.target }),
    taken: {
      instance: after.version,
      target: rows.target.version,
      profile: good.taken?.profile ?? null,
    },
  };
}

/** The inputs that are always the present ones, even if the deployed content is an earlier one. */
function asItIs({
  instance,
  target,
  tenant,
}: Rows): Pick<DeploymentInputs, "instance" | "tenantSlug" | "target" | "approvalMode"> {
  return {
    instance: { name: instance.name, protectedFromDestroy: instance.protectedFromDestroy },
    tenantSlug: tenant.slug,
    target: {
      id: target.id,
      tenantId: target.tenantId,
      name: target.name,
      provider: target.provider,
      environment: target.environment,
      region: target.defaultRegion,
      allowedRegions: target.allowedRegions,
      config: target.config,
      credentialRef: target.credentialRef,
      maxConcurrentDeployments: target.maxConcurrentDeployments,
      version: target.version,
    },
    approvalMode: approvalModeOf(instance, target),
  };
}

/** The variables of the profile, the bindings and the instance, in ascending precedence. */
async function effectiveVariables(
  call: Call,
  { instance, profile, version, upstreams }: TakenRows,
): Promise<JsonMap> {
  const secretNames = version?.secretNames ?? [];
  const inherited =
    profile === undefined || version === undefined
      ? {}
      : await inheritedVariables(call, profile, {
          names: version.configNames,
          secretNames,
          place: variablesPlace(instance),
        });
  return {
    ...inherited,
    ...(await boundValues(call, instance, upstreams, secretNames)),
    ...instance.variables,
  };
}

/** The content that the deployment takes, and its authors. A deployment that only reads needs no approval. */
function takenOf(
  operation: DeploymentOperation,
  rows: TakenRows,
): Pick<DeploymentInputs, "taken" | "authors"> {
  const { instance, target, profile } = rows;
  const { deployed } = instance;
  if (operation === "destroy") return { authors: contentAuthors({ deployed, target }) };
  if (operation !== "deploy") return {};
  return {
    taken: {
      instance: instance.version,
      target: target.version,
      profile: profile === undefined ? null : { id: profile.id, version: profile.version },
    },
    authors: contentAuthors({ deployed, ...rows }),
  };
}
