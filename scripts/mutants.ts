/**
 * Plants the faults of `test/mutants` in a copy of the project, one at a time, and runs the test that must notice the
 * fault: `npm run mutants`. Fails if one survives. `--only <id>` and `--area <area>` (both repeatable) and
 * `--changed <revision>` choose among them, `MUTANTS_SLICE=3/8` takes a part.
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { keepTemporaryFilesInMemory } from "#test/memory-disk.ts";
import { catalogue } from "#test/mutants/catalogue.ts";
import { projectRoot } from "./files/project-root.ts";
import { chosen, sliceFrom } from "./mutants/mutant-choice.ts";
import { copyProject, trial, unfit, type Verdict, verdictOn } from "./mutants/mutant-trial.ts";
import { runCommand } from "./operator/run-command.ts";

await runCommand(
  {
    usage: "Usage: npm run mutants -- [--only ID]… [--area AREA]… [--changed REVISION]",
    options: {
      only: { type: "string", multiple: true },
      area: { type: "string", multiple: true },
      changed: { type: "string" },
    },
  },
  async ({ values }) => ((await plantAll(values)) ? 0 : 1),
);

async function plantAll({
  only,
  area,
  changed,
}: {
  only?: string[];
  area?: string[];
  changed?: string;
}): Promise<boolean> {
  const { MUTANTS_SLICE } = process.env;
  const slice = MUTANTS_SLICE === undefined ? undefined : sliceFrom(MUTANTS_SLICE);
  const mutants = chosen(catalogue, {
    only,
    area,
    changed: changed === undefined ? undefined : changedSince(changed),
    slice,
  });
  const part =
    slice === undefined ? "" : ` MUTANTS_SLICE=${slice.part}/${slice.of} repeats this part.`;
  console.log(`${mutants.length} ${mutants.length === 1 ? "mutant" : "mutants"}.${part}`);
  const counts = { noticed: 0, hung: 0, survived: 0, wrong: 0 };
  // What a killed run leaves there ends with this process.
  keepTemporaryFilesInMemory();
  const copy = copyProject();
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => process.exit(130));
  for (const [test, ofTest = []] of Object.entries(Object.groupBy(mutants, ({ test }) => test))) {
    const names = [...new Set(ofTest.map(({ noticedBy }) => noticedBy))];
    const why = unfit(await trial(copy, test, names), names);
    for (const mutant of ofTest) {
      const startedMs = Date.now();
      const verdict: Verdict =
        why === undefined
          ? verdictOn(await trial(copy, test, names, mutant), mutant.noticedBy)
          : { kind: "wrong", why: `without the fault, ${test} ${why}` };
      counts[verdict.kind]++;
      const seconds = ((Date.now() - startedMs) / 1000).toFixed(1).padStart(6);
      const more = verdict.kind === "wrong" ? `: ${verdict.why}` : "";
      console.log(`${verdict.kind.padEnd(8)} ${seconds} s  ${mutant.id}${more}`);
    }
  }
  const { noticed, hung, survived, wrong } = counts;
  console.log(
    `${noticed} noticed, ${hung} noticed by a test that did not end, ${survived} survived, ${wrong} wrong.`,
  );
  return survived === 0 && wrong === 0;
}

/** The files that differ from the revision, uncommitted ones included. */
function changedSince(revision: string): Set<string> {
  const git = (...args: readonly string[]): string[] =>
    execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" }).split("\0");
  return new Set([
    ...git("diff", "--name-only", "-z", revision, "--"),
    ...git("ls-files", "--others", "--exclude-standard", "-z"),
  ]);
}
