import type { StoredResource } from "#engine/state/state.ts";
import type { RunnerStore } from "#orchestrator/storage/runner-store.ts";

/** A cloud object of the instance, without its values. */
export interface ResourceSummary {
  name: string;
  type: string;
  id: string;
  /**
   * PENDING_DELETE: replaced, and to be deleted. LOST: its create was never answered. UNREADY: its create or delete was
   * not seen to end.
   */
  state: "READY" | "UNREADY" | "TAINTED" | "PENDING_DELETE" | "LOST";
  dependsOn: string[];
}

/** The API's state of an object that is not replaced. */
const shown = {
  ready: "READY",
  unsure: "READY",
  unready: "UNREADY",
  deleting: "UNREADY",
  tainted: "TAINTED",
  lost: "LOST",
} as const satisfies Record<StoredResource["state"], ResourceSummary["state"]>;

/** Needs no sealing key: the summary contains no sealed values. */
export function summarizeResources({ resources }: RunnerStore): ResourceSummary[] {
  return resources.all().map(({ pendingDelete, body }) => {
    const { name, type, id, dependsOn, state } = JSON.parse(body) as {
      name: string;
      type: string;
      /** Absent for a lost object. */
      id?: string;
      dependsOn: string[];
      state: StoredResource["state"];
    };
    const isPending = pendingDelete && state !== "lost";
    return {
      name,
      type,
      id: id ?? "",
      state: isPending ? "PENDING_DELETE" : shown[state],
      dependsOn,
    };
  });
}
