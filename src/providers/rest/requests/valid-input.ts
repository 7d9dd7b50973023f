import type { ProviderContext } from "#providers/provider.ts";
import type { Failed, RestProviderDefinition } from "#providers/rest/definition.ts";
import { failure } from "./attempt.ts";

/** The first problem of the credential or config, with field names but never values. */
export function invalidInput(
  definition: RestProviderDefinition,
  context: ProviderContext,
): Failed | undefined {
  for (const part of ["credential", "config"] as const) {
    const isToken = context.credential === null && context.identityToken !== undefined;
    if (part === "credential" && isToken) continue;
    const checked = definition[part].safeParse(context[part]);
    if (checked.success) continue;
    const where = checked.error.issues.map((issue) => issue.path.join(".") || "(root)");
    const message = `The target's ${part} is not valid for ${definition.types.name}. Correct these fields: ${[...new Set(where)].join(", ")}.`;
    return failure(`invalid_${part}`, message);
  }
  return undefined;
}
