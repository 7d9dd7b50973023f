/** The persons who may not approve a deployment whose approval mode is `always`. Pure. */
import { type Actor, actorText, personOf } from "#kernel/access/access.ts";
import { ApiError } from "#kernel/errors.ts";
import { type Content, OTHERS } from "#schema/authors.ts";
import type { Deployment, DeploymentInputs } from "#schema/deployments.ts";

export type ApprovalParts = Pick<Deployment, "requestedBy" | "requestedByPerson"> & {
  /** The stricter of the approval mode that the deployment started with and that of the instance. */
  approvalMode?: string | null;
  /** The authors of its content; null: it has none that were not deployed before. */
  authors?: DeploymentInputs["authors"] | null;
};

/** The part of a caller in a deployment. `others`: not all authors are known. */
type OwnPart = "requester" | Content | "others";

/**
 * The caller's own part, for which another person must approve: with the mode `always`, the caller requested the
 * deployment, with any credential of the same person, set up the trigger that did, or wrote its content. Undefined: the
 * caller may approve.
 */
export function ownPart(
  actor: Actor,
  { requestedBy, requestedByPerson, approvalMode, authors }: ApprovalParts,
): OwnPart | undefined {
  if (approvalMode !== "always") return undefined;
  const person = personOf(actor);
  const isRequester =
    requestedBy === actorText(actor) || (person !== undefined && person === requestedByPerson);
  if (isRequester) return "requester";
  const wrote = person === undefined ? undefined : ofPerson(authors, person);
  if (wrote !== undefined) return wrote;
  const isKnown = ofPerson(authors, OTHERS) === undefined;
  return isKnown || actor.kind === "operator" ? undefined : "others";
}

function ofPerson(authors: ApprovalParts["authors"], person: string): Content | undefined {
  return authors && Object.hasOwn(authors, person) ? authors[person] : undefined;
}

const since = "since the last deployment that succeeded";

const didWhat: Readonly<Record<OwnPart, string>> = {
  requester: "You requested this deployment, or set up the trigger that did",
  version: "You wrote or installed the template version of this deployment",
  instance: `You made the instance, or changed it ${since}`,
  profile: `You set variables of the instance's profile ${since}`,
  target: `You changed the instance's target ${since}`,
  others: "More people have written what this deployment takes than are kept",
};

/** The refusal of an approval of one's own. */
export function approvesOwn(part: OwnPart): ApiError {
  const who = part === "others" ? "an operator" : "another person";
  return new ApiError(
    "forbidden",
    `${didWhat[part]}, and its approval mode is \`always\`: ${who} must approve it.`,
  );
}
