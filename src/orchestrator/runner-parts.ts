import type { Bindings } from "#kernel/bindings.ts";
import type { Sealer } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/client.ts";
import type { TargetGate } from "./gate/target-gate.ts";
import type { Entry, JournalRow } from "./storage/journal.ts";
import type { ResourceState } from "./storage/resource-state.ts";
import type { RunnerStore } from "./storage/runner-store.ts";

/** The dependencies that a runner provides to its runs. */
export interface RunnerParts {
  env: Bindings;
  db: Db;
  store: RunnerStore;
  sealer: Sealer;
  now: () => number;
  newId: () => string;
  random: () => number;
  /** The resources, loaded and decrypted on first use. */
  resources: () => Promise<ResourceState>;
  gate: (targetId: string) => DurableObjectStub<TargetGate>;
  release: (targetId: string, deploymentId: string) => Promise<void>;
  /**
   * Writes a change in one transaction and returns once it is on disk. Every write of a run goes through here. Tests
   * crash the object at this point.
   */
  commit: (change: () => void) => Promise<void>;
  /** Appends an entry to the journal. Inside `commit` only. */
  append: (
    deploymentId: string,
    step: { id: string; resource: string } | null,
    entry: Entry,
  ) => JournalRow;
  /** Sets the alarm one lease ahead, so that the runner restarts soon if it dies now. */
  renewLease: () => Promise<void>;
}
