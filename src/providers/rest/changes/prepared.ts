import type { ChangeRequest, RequestSpec } from "#providers/rest/definition.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";

/** The request of a change as the cloud takes it. */
export function prepared(
  { definition, row, context, properties }: Attempt,
  verb: ChangeRequest["verb"],
  request: RequestSpec,
  more: Pick<ChangeRequest, "change" | "current"> = {},
): RequestSpec {
  const change: ChangeRequest = { row, context, properties, verb, ...more };
  return definition.prepare?.(request, change) ?? request;
}
