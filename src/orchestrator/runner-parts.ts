import type { Bindings } from "#kernel/bindings.ts";
import type { Sealer } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/client.ts";
import type { TargetGate } from "./gate/target-gate.ts";
import type { Entry, JournalRow } from "./storage/journal.ts";
import type { ResourceState } from "./storage/resource-state.ts";
import type { RunnerStore } from "./storage/runner-store.ts";

/** What a run is given by the runner it runs in. */
export interface RunnerParts {
  env: Bindings;
  db: Db;
  store: RunnerStore;
  sealer: Sealer;
  now: () => number;
  newId: () => string;
  random: () => number;
  /** The resources, loaded and opened once per life of the object. */
  resources: () => Promise<ResourceState>;
  gate: (targetId: string) => DurableObjectStub<TargetGate>;
  release: (targetId: string, deploymentId: string) => Promise<void>;
  /**
   * Puts a change down, all of it or none, and returns when it is on disk. Every write of a run goes through
   * here: it is where tests crash the object.
   */
  commit: (change: () => void) => Promise<void>;
  /** One more line of the journal. Inside `commit` only. */
  append: (
    deploymentId: string,
    step: { id: string; resource: string } | null,
    entry: Entry,
  ) => JournalRow;
  /** Arms the alarm ahead, so that a runner that dies now is back soon. */
  renewLease: () => Promise<void>;
}
