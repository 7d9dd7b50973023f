import { withoutEnvironmentSecrets } from "./environment-secrets.ts";
import { holdsSecret } from "./hidden-values.ts";
import { withoutNamedSecrets } from "./named-secrets.ts";
import type { SafeModule, SourceModule } from "./source-module.ts";

/**
 * Removes the secrets that show only in how modules use a value, in an environment or by a name that leads to a secret
 * setting, and those that descriptions tell. Each format has removed those that it knows by their names, their place
 * or their text. Nothing else makes a {@link SafeModule}.
 */
export function withoutSecrets(modules: readonly SourceModule[]): readonly SafeModule[] {
  const used = withoutNamedSecrets(withoutEnvironmentSecrets(modules));
  const safe: readonly SourceModule[] = used.map((module) => ({
    ...module,
    variables: module.variables.map(withoutTold),
    outputs: module.outputs.map(withoutTold),
  }));
  return safe as readonly SafeModule[];
}

function withoutTold<T extends { description: string | null }>(of: T): T {
  const { description } = of;
  return description !== null && holdsSecret(description) ? { ...of, description: null } : of;
}
