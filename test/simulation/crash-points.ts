import type { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
import type { Platform } from "./platform.ts";
import type { SimulatedObject } from "./simulated-object.ts";

/** Kills runners at the n-th commit from now, and after each restart at the next number. */
export class CrashPoints {
  deaths = 0;
  readonly #platform: Platform;
  readonly #planned = new Map<SimulatedObject, { when: "before" | "after"; commits: number[] }>();

  constructor(platform: Platform) {
    this.#platform = platform;
    platform.born = (object, instance) => this.#arm(object, instance);
  }

  plan(runner: SimulatedObject, when: "before" | "after", commits: readonly number[]): void {
    this.#planned.set(runner, { when, commits: [...commits] });
    this.#arm(runner, this.#platform.wake(runner).instance);
  }

  clear(): void {
    this.#planned.clear();
  }

  #arm(object: SimulatedObject, instance: object): void {
    if (object.kind !== "INSTANCE_RUNNER" || !this.#planned.has(object)) return;
    let seen = 0;
    (instance as InstanceRunner).crashPoint = (when) => {
      const planned = this.#planned.get(object);
      const [first] = planned?.commits ?? [];
      if (planned === undefined || when !== planned.when || first === undefined) return undefined;
      seen += 1;
      if (seen < first) return undefined;
      planned.commits.shift();
      this.deaths += 1;
      this.#platform.crash(object);
      return new Promise(() => undefined);
    };
  }
}
