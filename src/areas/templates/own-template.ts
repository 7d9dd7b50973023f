import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { Template } from "#schema/templates.ts";

/** Throws `forbidden` when a tenant is about to change what is of the catalogue, which it may read and use. */
export function requireOwnTemplate(call: Call, { tenantId }: Pick<Template, "tenantId">): void {
  if (tenantId === PLATFORM && !call.isOf(PLATFORM))
    throw new ApiError(
      "forbidden",
      "This template is of the catalogue: only an operator may change it. Make one of your own from its source.",
    );
}
