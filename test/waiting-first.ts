import { BaseSequencer, type TestSpecification } from "vitest/node";
import { inTurn } from "./turn-of-suite.ts";

/**
 * The order in which files start, by their path or their project. Suites that mostly wait for processes run beside
 * suites that compute; those of a project that share Workers follow each other, as a Worker ends with the last of them.
 * Workers come early: until the first is there, one core makes their modules, and a suite of flat computing, one in each
 * run, has the other. What is short comes last and fills the cores to the end.
 */
const order: readonly string[] = [
  "test/processes/start.test.ts",
  "test/processes/demo.test.ts",
  "test/processes/guides.test.ts",
  "test/sdk/types.test.ts",
  "test/simulation/call-shares.test.ts",
  "test/simulation/half-1.test.ts",
  "workerd",
  // They set the clock forward, and ids never go back: retention, which goes by an id's time, comes before.
  "test/attacks/",
  "processes",
  "browser",
  "simulation",
  "node",
];

/** Of a run whose configuration says nothing of its depth. */
const everything = { isDeep: true, seed: 0 };

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(inTurn(files, this.ctx.config.provide.depth ?? everything));
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  const at = order.findIndex((name) => name.includes("/") && moduleId.includes(`/${name}`));
  return at === -1 ? order.indexOf(project.name) : at;
}
