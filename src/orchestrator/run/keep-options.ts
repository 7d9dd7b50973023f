import type { StoredResource } from "#engine/state/state.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import { ResourceTooLarge } from "#orchestrator/storage/resource-state.ts";
import { canonicalJson } from "#platform/json.ts";
import type { OpenRun } from "./open-run.ts";

/**
 * Options that matter later (protect, retainOnDelete, the order of deletes) are kept even where nothing else
 * changed, and so is what somebody else had changed to what is desired by now.
 */
export async function keepOptions(open: OpenRun): Promise<void> {
  if (open.spec.operation === "destroy") return;
  const program = await open.program();
  const resources = await open.parts.resources();
  const puts: (() => void)[] = [];
  for (const stored of resources.view.current.values()) {
    const now = program.keptOptions(stored.name);
    if (now === undefined) continue;
    const resource = program.withoutWantedDrift(stored, resources.view);
    if (resource === stored && canonicalJson(now) === canonicalJson(optionsOf(stored))) continue;
    try {
      puts.push(await resources.put({ ...resource, ...now }));
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

function optionsOf({ protect, retainOnDelete, dependsOn }: StoredResource) {
  return { protect, retainOnDelete, dependsOn: [...dependsOn] };
}
