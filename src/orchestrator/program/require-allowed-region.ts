/** The limits of a target, checked for each resource and for the target's own region. */
import { allowsEveryRegion, allowsRegion } from "#engine/allows-region.ts";
import { farCopyOf, forbiddenPlace, lacksPlace, unseenRegionOf } from "#engine/resource-region.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { Place } from "#engine/template/template.ts";
import { Secret, type ValueMap } from "#engine/value.ts";
import type { RunSpec, TargetLimits } from "#orchestrator/storage/run.ts";
import { MASK } from "#platform/mask.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { ProgramError } from "./program-error.ts";

const CODE = "region_not_allowed";
/** The most regions in a message. */
const MAX_REGIONS_SHOWN = 5;

/** The limits of a run: those of its target when the run was requested, and the present ones. */
export function limitsOf({ inputs, limits = [] }: RunSpec): TargetLimits[] {
  const { allowedRegions, config } = inputs.target;
  return [{ allowedRegions, config }, ...limits];
}

/**
 * Throws `ProgramError` if the target now forbids the region in which its calls are made. `limits`: added since the
 * request.
 */
export function requireRegionStays(
  { name, region }: Pick<RunSpec["inputs"]["target"], "name" | "region">,
  limits: readonly TargetLimits[],
): void {
  for (const { allowedRegions } of limits)
    if (!allowsRegion(allowedRegions, region))
      throw new ProgramError(
        CODE,
        `The target ${name} no longer allows the region ${region}, for which this was requested. It allows ${listed(allowedRegions)}. Request it again.`,
      );
}

/**
 * Throws `ResolveError` for a region that the target forbids. `isMade`: the object exists, and was created without one.
 */
export function requireAllowedRegion(
  resource: { name: string; place: Place; inputs: ValueMap; isMade: boolean },
  { target, limits, facts }: { target: string; limits: TargetLimits; facts: TypeFacts },
): void {
  const { name, place, inputs, isMade } = resource;
  const { allowedRegions, config } = limits;
  const limited = !allowsEveryRegion(allowedRegions);
  const refuse = (message: string): never => {
    throw new ResolveError(CODE, message, place);
  };
  if (!isMade && limited && lacksPlace(inputs, facts))
    refuse(
      `${name} has no region, so that the cloud would choose one. Set \`${facts.regionProperty}\` to a region that the target ${target} allows.`,
    );
  const copied = limited ? farCopyOf(inputs, facts) : undefined;
  if (copied !== undefined)
    refuse(
      `${name} would be copied to a region that the cloud chooses, by its \`${copied}\`. Choose a value that keeps it in its region.`,
    );
  const unseen = limited ? unseenRegionOf(inputs, facts, config) : undefined;
  if (unseen !== undefined)
    refuse(
      `${name} may run in a region that the target ${target} does not allow: what its \`${unseen}\` names can choose one, and is not looked into here. If it may choose, set \`${facts.unseenRegions?.allowedBy}: true\` in the target's config.`,
    );
  const region = forbiddenPlace(inputs, facts, allowedRegions);
  if (region === undefined) return;
  const shown = typeof region === "string" ? region.slice(0, 80) : MASK;
  refuse(
    region instanceof Secret || typeof region === "string"
      ? `${name} is in the region ${shown}, which the target ${target} does not allow. It allows ${listed(allowedRegions)}.`
      : `The region of ${name} is not a text, so that nobody can tell whether the target ${target} allows it.`,
  );
}

function listed(regions: readonly string[]): string {
  const shown = regions.slice(0, MAX_REGIONS_SHOWN).map((region) => region.slice(0, 80));
  return `${shown.join(", ")}${regions.length > MAX_REGIONS_SHOWN ? " and others" : ""}`;
}
