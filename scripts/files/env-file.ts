export type Variables = Readonly<Record<string, string>>;

/**
 * Formats variables as a file that `wrangler --env-file` reads back to the same values. Wrangler expands `$NAME` in every
 * kind of quotes, so each dollar sign is escaped. Throws for an invalid name, and for a value that the format cannot
 * represent: one with a carriage return or with all three kinds of quotation marks.
 */
export function formatEnvFile(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${checkedName(name)}=${quoted(name, value)}\n`)
    .join("");
}

function checkedName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  throw new Error(`"${name}" is not a valid variable name: use letters, digits and underscores.`);
}

function quoted(name: string, value: string): string {
  // In double quotes, `\n` and `\r` would become line breaks.
  const mark = ["'", "`", '"'].find(
    (mark) => !value.includes(mark) && (mark !== '"' || !/\\[nr]/.test(value)),
  );
  if (mark === undefined || value.includes("\r"))
    throw new Error(
      `The value of ${name} cannot be passed on: remove carriage returns and at least one kind of quotation marks.`,
    );
  return mark + value.replaceAll("$", String.raw`\$`) + mark;
}
