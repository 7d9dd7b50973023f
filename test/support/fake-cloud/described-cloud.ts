import type { ProviderContext } from "#providers/provider.ts";
import type { FakeCloud } from "./fake-cloud.ts";
import type { Violation } from "./validating-proxy.ts";

/** A cloud made from its description, behind the proxy that validates its requests and answers against it. */
export interface DescribedCloud {
  fake: FakeCloud;
  violations: Violation[];
  /** Through the validating proxy. */
  fetch: (request: Request) => Promise<Response>;
  context: (more?: Partial<ProviderContext>) => ProviderContext;
}

/** `target`: the place and the credential of deployments. */
export function describedCloud(
  fake: FakeCloud,
  { violations, fetch }: Pick<DescribedCloud, "violations" | "fetch">,
  target: Pick<ProviderContext, "region" | "config" | "credential">,
): DescribedCloud {
  const { now } = fake.world;
  const context = (more: Partial<ProviderContext> = {}): ProviderContext => ({
    targetId: "target-1",
    ...target,
    fetch,
    now,
    ...more,
  });
  return { fake, violations, fetch, context };
}
