import { clientChecks } from "./checks/client-checks.ts";
import { cloudChecks } from "./checks/cloud-checks.ts";
import { eventChecks } from "./checks/event-checks.ts";
import { recordChecks } from "./checks/record-checks.ts";
import type { Check, Evidence } from "./evidence.ts";

export const checks: readonly Check[] = [
  ...clientChecks,
  ...cloudChecks,
  ...eventChecks,
  ...recordChecks,
];

const MAX_SHOWN = 12;

/** Asks every question about the evidence. Prints the answers as a table, and the problems of each. Returns their number. */
export function audit(
  evidence: Evidence,
  print: (line: string) => void,
  asked: readonly Check[] = checks,
): number {
  const answers = asked.map(({ name, count, problems }) => ({
    name,
    count: count(evidence),
    problems: problems(evidence),
  }));
  print(`${"Audit".padEnd(26)}${"looked at".padStart(10)}${"problems".padStart(10)}`);
  for (const { name, count, problems } of answers)
    print(`${name.padEnd(26)}${String(count).padStart(10)}${String(problems.length).padStart(10)}`);
  for (const { name, problems } of answers) {
    for (const problem of problems.slice(0, MAX_SHOWN)) print(`${name}: ${problem}`);
    if (problems.length > MAX_SHOWN) print(`${name}: and ${problems.length - MAX_SHOWN} more`);
  }
  return answers.reduce((sum, { problems }) => sum + problems.length, 0);
}
