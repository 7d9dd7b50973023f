/** Prints a title and rows in aligned columns. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = head.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => (row[at] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  console.log(`\n${title}\n`);
  console.log(line(head));
  console.log(line(widths.map((width) => "-".repeat(width))));
  for (const row of rows) console.log(line(row));
}
