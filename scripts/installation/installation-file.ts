/**
 * The installation's own values: `installation.jsonc`, which Git ignores. A person writes it, and a deploy completes it
 * and keeps the comments. Its names are those of Wrangler's configuration. No secret is in it.
 */
import { applyEdits, modify, parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { replaceFile } from "../files/replace-file.ts";
import { InstallationError } from "./installation-error.ts";

const Values = z.strictObject({
  account_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be an account id: 32 hex digits")
    .optional(),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "must be a Worker's name: a-z, 0-9 and -")
    .optional(),
  database_name: z.string().min(1).optional(),
  database_id: z.uuid().optional(),
  routes: z.array(z.union([z.string(), z.looseObject({ pattern: z.string() })])).optional(),
  workers_dev: z.boolean().optional(),
  vars: z.record(z.string(), z.unknown()).optional(),
});

export type InstallationValues = z.output<typeof Values>;

const newFile = `// The values of this installation: what differs from wrangler.toml. \`npm run deploy\` reads this file and completes it;
// docs/operations.md says what may stand here. No secret belongs here. Keep the file: every later deploy needs it.
{}
`;

/** A value and its place in the file. Undefined: the file keeps what it has. */
export type NewValue = readonly [place: readonly string[], value: unknown];

export interface InstallationFile {
  /** Absolute. */
  file: string;
  text: string;
  isNew: boolean;
  values: InstallationValues;
}

/** Throws an `InstallationError` that names the place of a mistake. A file that does not exist yet has no values. */
export async function readInstallation(file: string): Promise<InstallationFile> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return { file, text: newFile, isNew: true, values: {} };
  return { file, text, isNew: false, values: valuesOf(text, path.basename(file)) };
}

/** The file with these values set, written to the disk. */
export async function completeInstallation(
  { file, text }: InstallationFile,
  changes: readonly NewValue[],
): Promise<InstallationFile> {
  const format = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } };
  let changed = text;
  for (const [place, value] of changes)
    if (value !== undefined)
      changed = applyEdits(changed, modify(changed, [...place], value, format));
  const values = valuesOf(changed, path.basename(file));
  await replaceFile(file, changed, path.dirname(file));
  return { file, text: changed, isNew: false, values };
}

function valuesOf(text: string, name: string): InstallationValues {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw new InstallationError(
      `${name} is not valid JSON: ${printParseErrorCode(first.error)} in line ${line}.`,
    );
  }
  const checked = Values.safeParse(value);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message,
  );
  throw new InstallationError(
    `${name} is not valid. ${problems.join(". ")}. It may have ${Object.keys(Values.shape).join(", ")}.`,
  );
}
