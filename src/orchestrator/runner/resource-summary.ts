import type { RunnerStore } from "#orchestrator/storage/runner-store.ts";

/** A cloud object of the instance, without its values. */
export interface ResourceSummary {
  name: string;
  type: string;
  id: string;
  /**
   * CONDEMNED: replaced, its delete is pending. LOST: its create was never answered. UNREADY: its create was given up
   * before it was usable, or its delete was not seen to end.
   */
  state: "READY" | "UNREADY" | "TAINTED" | "CONDEMNED" | "LOST";
  dependsOn: string[];
}

/** Needs no sealing key: the summary contains no sealed values. */
export function summarizeResources({ resources }: RunnerStore): ResourceSummary[] {
  return resources.all().map(({ pendingDelete, body }) => {
    const resource = JSON.parse(body) as Omit<ResourceSummary, "state"> & {
      tainted: boolean;
      unready?: true;
      lostToken?: string;
    };
    const { name, type, id, dependsOn, tainted, unready, lostToken } = resource;
    const usable = unready === true ? "UNREADY" : "READY";
    const made = pendingDelete ? "CONDEMNED" : tainted ? "TAINTED" : usable;
    return lostToken === undefined
      ? { name, type, id, state: made, dependsOn }
      : { name, type, id: "", state: "LOST", dependsOn };
  });
}
