import type { StoredResource } from "#engine/state/state.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import { ResourceTooLarge } from "#orchestrator/storage/resource-state.ts";
import { canonicalJson } from "#platform/json.ts";
import type { OpenRun } from "./open-run.ts";

/**
 * Stores options that matter later, even if nothing else changed: protect, retainOnDelete, the time of a delete, the
 * order of deletes. Also removes drift that is exactly the template's present value.
 */
export async function keepOptions(open: OpenRun): Promise<void> {
  if (open.spec.operation === "destroy") return;
  const program = await open.program();
  const resources = await open.parts.resources();
  const puts: (() => void)[] = [];
  for (const stored of resources.view.current.values()) {
    const options = program.keptOptions(stored.name);
    if (options === undefined) continue;
    const resource = program.withoutDesiredDrift(stored, resources.view);
    if (resource === stored && canonicalJson(options) === canonicalJson(optionsOf(stored)))
      continue;
    try {
      puts.push(await resources.put({ ...resource, ...options }));
    } catch (error) {
      if (!(error instanceof ResourceTooLarge)) throw error;
      throw new ProgramError("state_too_large", `${stored.name}: ${error.message}`);
    }
  }
  if (puts.length === 0) return;
  await open.writer.commit([], () => {
    for (const put of puts) put();
  });
}

function optionsOf({ protect, retainOnDelete, deleteSeconds, dependsOn }: StoredResource) {
  return { protect, retainOnDelete, deleteSeconds, dependsOn: [...dependsOn] };
}
