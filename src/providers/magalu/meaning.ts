import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered } from "#providers/rest/definition.ts";

/** What Magalu says in the text alone: its services share no codes. */
const says = {
  exists: /already (exists?|in use|used|taken|registered)|must be unique|not unique|duplicat/i,
  quota: /quota|\blimit (was |has been )?(reached|exceeded)|exceed\w* .{0,200}\blimit\b/i,
  busy: /in (progress|provisioning)|pending|not (yet )?ready|\bin use\b|still (attached|used|has)|is (attached|locked|busy)|being (used|created|changed|updated|deleted|attached|detached)|has (attached|associated|active|dependent)|(status|state) (must|should) be|must (be in|have) the? ?(status|state)/i,
};

/** What waits for a person. */
const byHand = /must be stopped|state must be "?stopped/i;

/** Of a volume that is attached: nothing detaches it while it is waited for. */
const whileAttached = /\bavailable\b|\bin-use\b/i;

/** A gateway that knows no such path; says nothing of the object. */
const noPath = /no route matched|no such path|api not found/i;

/**
 * What an answer means where its status does not say it; `undefined`: what the status says. `isSaid`: a service has
 * answered, and not something before it.
 */
export function meaningOf(
  status: number,
  message: string,
  { verb, type }: Answered,
  isSaid = true,
): FailureMeaning | undefined {
  const changes = verb === "create" || verb === "update" || verb === "delete";
  if (status === 404) {
    if (!isSaid || noPath.test(message)) return "invalid";
    // What a create does not find is something else than its object.
    return verb === "create" ? "invalid" : undefined;
  }
  if (status === 423) return "busy";
  if (!changes || ![400, 403, 409, 422].includes(status)) return undefined;
  if (says.quota.test(message)) return "quota";
  if (byHand.test(message)) return "invalid";
  if (type === "magalu:Volume" && verb === "update" && whileAttached.test(message))
    return "invalid";
  const isTaken = verb !== "delete" && says.exists.test(message);
  if (status === 409) {
    if (isTaken) return "exists";
    return verb === "create" && !says.busy.test(message) ? "exists" : "busy";
  }
  if (status === 403) return undefined;
  if (isTaken) return "exists";
  return says.busy.test(message) ? "busy" : undefined;
}
