import { personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { type Instance, instances } from "#schema/instances.ts";
import { bindingWrites, namedIn } from "./binding-store.ts";
import { changeWrites } from "./change-writes.ts";

const settings = ["templateVersion", "variables", "bindings", "profileId"] as const;

/** The instance with settings that were deployed earlier, and the writes for the commit that deploys them again. */
export function setBack(
  call: Call,
  before: Instance,
  then: Pick<Instance, (typeof settings)[number]>,
): { after: Instance; writes: Write[] } {
  const version = before.version + 1;
  const after: Instance = {
    ...before,
    ...then,
    authors: withAuthor(before.authors, personOf(call.actor), {
      version,
      since: before.deployed.instance,
    }),
    version,
    updatedAtMs: call.now,
  };
  const more = bindingWrites(call, after, namedIn(after.bindings));
  return {
    after,
    writes: [
      call.requireVersion(instances, before),
      ...changeWrites(call, before, after, { changed: settings, more }),
    ],
  };
}
