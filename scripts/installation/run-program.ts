import { printableLines } from "../operator/printable.ts";
import { InstallationError } from "./installation-error.ts";

/** Runs a program whose expected errors are sentences for a person; any other is shown with its stack. */
export async function runProgram(main: (args: string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const shown =
      error instanceof InstallationError ? error.message : (error.stack ?? error.message);
    console.error(printableLines(shown));
    process.exitCode = 1;
  }
}
