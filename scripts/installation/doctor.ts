/** `npm run doctor`: checks an installation from outside and by Wrangler; see docs/operations.md. */
import path from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "../files/project-root.ts";
import { originIn } from "../operator/operator-address.ts";
import { printableLines } from "../operator/printable.ts";
import { examineInstallation, type Report } from "./doctor/examine-installation.ts";
import type { Finding } from "./doctor/finding.ts";
import { InstallationError } from "./installation-error.ts";
import { runProgram } from "./run-program.ts";
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

await runProgram(main);

async function main(args: string[]): Promise<number> {
  const { values, positionals } = optionsIn(args);
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  let accountId: string | undefined;
  const report = await examineInstallation(
    {
      root: projectRoot,
      address: positionals[0] === undefined ? undefined : addressIn(positionals[0]),
      file: path.resolve(projectRoot, values.installation ?? "installation.jsonc"),
      operatorKey: process.env["OPERATOR_KEY"] || undefined,
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
}

function optionsIn(args: string[]) {
  try {
    const options = parseArgs({
      args,
      allowPositionals: true,
      options: {
        installation: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
    if (options.positionals.length > 1) throw new Error("Name one address.");
    return options;
  } catch (error) {
    throw new InstallationError(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
}

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
