import type { RunnerStore } from "#orchestrator/storage/runner-store.ts";

/** A cloud object of the instance, without its values. */
export interface ResourceSummary {
  name: string;
  type: string;
  id: string;
  /** CONDEMNED: replaced, its delete is pending. LOST: its create was never answered. */
  state: "READY" | "TAINTED" | "CONDEMNED" | "LOST";
  dependsOn: string[];
}

/** Needs no sealing key: the summary contains no sealed values. */
export function summarizeResources({ resources }: RunnerStore): ResourceSummary[] {
  return resources.all().map(({ pendingDelete, body }) => {
    const resource = JSON.parse(body) as Omit<ResourceSummary, "state"> & {
      tainted: boolean;
      lostToken?: string;
    };
    const { name, type, id, dependsOn, tainted, lostToken } = resource;
    const made = pendingDelete ? "CONDEMNED" : tainted ? "TAINTED" : "READY";
    return lostToken === undefined
      ? { name, type, id, state: made, dependsOn }
      : { name, type, id: "", state: "LOST", dependsOn };
  });
}
