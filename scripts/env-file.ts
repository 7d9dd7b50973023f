export type Variables = Readonly<Record<string, string>>;

/**
 * The variables as a file that `wrangler --env-file` reads back to the same values. Wrangler expands `$NAME` in
 * every quoting, so each dollar sign is escaped. Throws when a value holds all three kinds of quotation marks, which
 * the format cannot carry, or a name that is none.
 */
export function formatEnvFile(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${checkedName(name)}=${quoted(name, value)}\n`)
    .join("");
}

function checkedName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  throw new Error(`"${name}" cannot be a variable: use letters, digits and underscores.`);
}

function quoted(name: string, value: string): string {
  // In double quotes `\n` would become a line break, so they serve only where there is none.
  const mark = ["'", "`", '"'].find(
    (mark) => !value.includes(mark) && (mark !== '"' || !/\\[nr]/.test(value)),
  );
  if (mark === undefined || value.includes("\r"))
    throw new Error(
      `The value of ${name} cannot be handed on: leave out carriage returns and one of the kinds of quotation marks.`,
    );
  return mark + value.replaceAll("$", String.raw`\$`) + mark;
}
