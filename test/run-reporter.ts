/** Says at the end of a run which suites took longest, and by which seed the run chose its cases. */
import type { Reporter, TestModule, Vitest } from "vitest/node";

const SHOWN = 10;

export class RunReporter implements Reporter {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Throws if a project runs by another seed than the one that is printed. */
  onInit({ projects }: Vitest): void {
    for (const project of projects) {
      const { seed } = project.getProvidedContext().depth;
      if (seed !== this.#seed)
        throw new Error(`The project ${project.name} runs by the seed ${seed}, not ${this.#seed}`);
    }
  }

  onTestRunEnd(suites: readonly TestModule[]): void {
    const slowest = suites
      .map((suite) => ({ suite, seconds: secondsOf(suite) }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN);
    console.log(`\nSlowest of ${suites.length} suites, with their imports and their set-up:`);
    for (const { suite, seconds } of slowest) {
      const tests = [...suite.children.allTests()].length;
      console.log(
        `${seconds.toFixed(1).padStart(7)} s  ${suite.project.name} ${suite.relativeModuleId} (${tests} tests)`,
      );
    }
    console.log(`TEST_SEED=${this.#seed} repeats the cases of this run.\n`);
  }
}

function secondsOf(suite: TestModule): number {
  const { collectDuration, setupDuration, duration } = suite.diagnostic();
  return (collectDuration + setupDuration + duration) / 1_000;
}
