import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { commitVersion, type VersionCause } from "./commit-version.ts";
import { findComponents, ofTemplate } from "./components/find-components.ts";
import { resolveComponents } from "./components/resolve-components.ts";
import { wantedComponents } from "./components/wanted-components.ts";
import { findTemplate, findTemplateVersion } from "./store.ts";
import type { NewSource } from "./template-version.ts";

/**
 * Adds a version with the source of the latest, in which each component with a higher release in its range takes the
 * highest. Other components keep theirs, also if it is deprecated or the name means another template now. The authors
 * of the latest version stay authors. The caller must have checked the right to add a version. Throws `conflict`, so
 * that the caller reads again, if no release is higher.
 */
export async function takeReleases(
  call: Call,
  id: string,
  { person, guards }: Required<Pick<VersionCause, "person" | "guards">>,
): Promise<void> {
  const [template, [latest]] = await call.read(
    one(findTemplate(call, id), "template"),
    findTemplateVersion(call, id, "latest"),
  );
  if (latest === undefined) throw noneHigher();
  const body: NewSource = { source: latest.source };
  const wanted = await wantedComponents(call, body, body.source);
  const found = await call.read(
    ...findComponents(call, wanted, {
      ...ofTemplate(call, id),
      pins: { of: latest.number, raised: true },
    }),
  );
  const components = await resolveComponents(wanted, found, body.source.length);
  const { uses } = latest.components;
  const isHigher = Object.entries(components.pinned.uses).some(
    ([use, { number }]) => number !== uses[use]?.number,
  );
  if (Object.keys(components.resolved.problems).length === 0 && !isHigher) throw noneHigher();
  await commitVersion(call, template, body, components, { person, guards, others: latest.authors });
}

function noneHigher(): ApiError {
  return new ApiError("conflict", "The releases of the components have changed. Try again.");
}
