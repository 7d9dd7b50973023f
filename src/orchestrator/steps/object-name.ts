import type { Run } from "#orchestrator/storage/run.ts";

/** The name of a new object: readable, and unique by the run and `call`, the number of the call in it. */
export function newObjectName(run: Run, resource: string, call: string): string {
  const readable = `${run.spec?.inputs.instance.name ?? ""}-${resource}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${readable}-${run.deploymentId.slice(-10)}-${call}`;
}
