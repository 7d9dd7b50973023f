import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { ResourceState } from "#orchestrator/storage/resource-state.ts";
import type { RunnerStore } from "#orchestrator/storage/runner-store.ts";

/** Loads and decrypts the instance's resources on first use, and keeps them in memory. */
export class LoadedResources {
  readonly #store: RunnerStore;
  readonly #parts: Pick<RunnerParts, "sealer">;
  #loading: Promise<ResourceState> | undefined;

  constructor(store: RunnerStore, parts: Pick<RunnerParts, "sealer">) {
    this.#store = store;
    this.#parts = parts;
  }

  get(): Promise<ResourceState> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** Discards the copy in memory: the next `get` reads storage again. */
  forget(): void {
    this.#loading = undefined;
  }

  async #load(): Promise<ResourceState> {
    const owner = this.#store.runs.owner();
    if (owner === undefined) throw new Error("A runner without a run has no resources");
    return ResourceState.load(this.#store, this.#parts.sealer, owner);
  }
}
