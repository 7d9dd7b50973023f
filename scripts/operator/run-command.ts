/** The arguments, key and exit of every command with options. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { type Client, clientOf } from "../client/client.ts";
import { InstallationError } from "../installation/installation-error.ts";
import { operatorAddress } from "./operator-address.ts";
import { printable, printableLines } from "./printable.ts";

export interface Command<Options extends ParseArgsOptionsConfig> {
  /** Printed for `--help` and after a mistake in the arguments. */
  usage: string;
  options: Options;
  /** The number of arguments without a name. */
  positionals?: { least: number; most: number };
  /** The exit code of a mistake and of a failure. */
  failsWith?: number;
}

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** An argument or the key is missing or wrong: the usage is shown, after the message if there is one. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Runs a command, and ends with the exit code that `main` returns. A failure is a sentence for a person, a bug a stack.
 */
export async function runCommand<const Options extends ParseArgsOptionsConfig>(
  {
    usage,
    options,
    positionals: { least, most } = { least: 0, most: 0 },
    failsWith = 1,
  }: Command<Options>,
  main: (given: Parsed<Options>) => Promise<number>,
): Promise<void> {
  try {
    const args = process.argv.slice(2);
    if (args.includes("--help")) {
      console.log(usage);
      return;
    }
    const given = parseArgs({ args, options, allowPositionals: true });
    const count = given.positionals.length;
    if (count < least || count > most) throw new UsageError();
    process.exitCode = await main(given);
  } catch (error) {
    process.exitCode = failsWith;
    if (!(error instanceof UsageError) || error.message !== "") console.error(sentenceOf(error));
    if (error instanceof UsageError || isOfArguments(error)) console.error(usage);
  }
}

/** The client of the installation at the address, with the operator's key. Throws if the key must not be sent. */
export function operatorClient(address: string | undefined): Client {
  const key = operatorKey();
  if (address === undefined || key === undefined) throw new UsageError();
  return clientOf(operatorAddress(address), key);
}

/** The variable with the operator's key. A list of processes does not show it. */
export function operatorKey(): string | undefined {
  return process.env["OPERATOR_KEY"] || undefined;
}

function isOfArguments(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error));
  if (isBug(error)) return printableLines(error.stack ?? error.message);
  // Texts of others are one line each; our own may have several.
  return error instanceof InstallationError
    ? printableLines(error.message)
    : printable(error.message);
}

/** A `TypeError` with a cause is a request without an answer. */
function isBug(error: Error): boolean {
  const kinds = [TypeError, ReferenceError, RangeError];
  return (
    kinds.some((kind) => error instanceof kind) &&
    error.cause === undefined &&
    !isOfArguments(error)
  );
}
