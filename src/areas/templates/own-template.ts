import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { Template } from "#schema/templates.ts";

/** Throws `forbidden` if a tenant tries to change a platform template, which it can read and use. */
export function requireOwnTemplate(call: Call, { tenantId }: Pick<Template, "tenantId">): void {
  if (tenantId === PLATFORM && !call.isOf(PLATFORM))
    throw new ApiError(
      "forbidden",
      "This is a platform template: only operators can change it. Create a template of your own from its source.",
    );
}
