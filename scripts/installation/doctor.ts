/** `npm run doctor`: checks an installation from outside and by Wrangler; see docs/operations.md. */
import path from "node:path";
import { projectRoot } from "../files/project-root.ts";
import { originIn } from "../operator/operator-address.ts";
import { printableLines } from "../operator/printable.ts";
import { operatorKey, runCommand } from "../operator/run-command.ts";
import { examineInstallation, type Report } from "./doctor/examine-installation.ts";
import type { Finding } from "./doctor/finding.ts";
import { InstallationError } from "./installation-error.ts";
import { wranglerProgram } from "./wrangler-program.ts";

const USAGE = `Usage: npm run doctor -- [address] [options]

  address                The installation's address; by default PUBLIC_URL of its file.
  --installation FILE    The installation's values (default: installation.jsonc).
  --json                 Print the findings as JSON.

The environment variable OPERATOR_KEY, an operator's key, lets it check more. The exit code is 1 if it finds an error.`;

const marks: Readonly<Record<Finding["level"], string>> = {
  ok: "ok     ",
  note: "note   ",
  warning: "WARNING",
  error: "ERROR  ",
};

await runCommand(
  {
    usage: USAGE,
    options: { installation: { type: "string" }, json: { type: "boolean" } },
    positionals: { least: 0, most: 1 },
  },
  async ({ values, positionals: [address] }) => {
    let accountId: string | undefined;
    const report = await examineInstallation(
      {
        root: projectRoot,
        address: address === undefined ? undefined : addressIn(address),
        file: path.resolve(projectRoot, values.installation ?? "installation.jsonc"),
        operatorKey: operatorKey(),
      },
      {
        fetch,
        run: wranglerProgram({ accountId: () => accountId }),
        useAccount: (id) => {
          accountId = id;
        },
      },
    );
    console.log(
      values.json === true ? JSON.stringify(report, null, 2) : printableLines(textOf(report)),
    );
    return report.ok ? 0 : 1;
  },
);

function addressIn(text: string): string {
  const origin = originIn(text);
  if (origin !== undefined) return origin;
  throw new InstallationError(
    `"${text}" is not an address, for example https://control.example.com.\n\n${USAGE}`,
  );
}

function textOf({ address, version, findings }: Report): string {
  const count = (level: Finding["level"]) =>
    findings.filter((finding) => finding.level === level).length;
  return [
    `${address}, checked by version ${version}`,
    "",
    ...findings.flatMap(({ level, what, why, fix }) => [
      `${marks[level]}  ${what}`,
      ...(why === undefined ? [] : [`         Why it matters: ${why}`]),
      ...(fix === undefined ? [] : [`         What to do: ${fix}`]),
    ]),
    "",
    `${count("error")} errors, ${count("warning")} warnings.`,
  ].join("\n");
}
