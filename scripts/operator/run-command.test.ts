/** Every command with options shows them for `--help`, and after a mistake in them. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";

const commands = [
  "audit-verify",
  "export-audit",
  "fake",
  "installation/deploy",
  "installation/doctor",
  "issue-license",
  "listen",
  "mutants",
  "reconcile",
  "rotate-identity-keys",
  "soak/soak",
  "soak/soak-events",
];

const run = (command: string, option: string) =>
  spawnSync(process.execPath, [`scripts/${command}.ts`, option], {
    cwd: projectRoot,
    // Node warns of its SQLite.
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    input: "",
    encoding: "utf8",
  });

it.for(commands)("%s prints its usage for --help, and nothing else", (command) => {
  const { status, stdout, stderr } = run(command, "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^Usage: /);
});

it.for(["soak/soak", "soak/soak-events", "mutants"])("%s refuses an unknown option", (command) => {
  const { status, stdout, stderr } = run(command, "--helpp");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^Unknown option '--helpp'.*\nUsage: /s);
});

it("a value that an option does not take is told before the usage", () => {
  const { status, stderr } = run("soak/soak", "--minutes=0");
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^--minutes is "0", but must be a number from 0.5 to 600.\nUsage: npm run soak /,
  );
});
