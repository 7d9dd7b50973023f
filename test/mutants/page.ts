import type { Mutant } from "./mutant.ts";

/** The list of mutants, for readers. */
export const MUTANTS_PAGE = "test/mutants/README.md";

const intro = `# Mutants

Faults that \`npm run mutants\` plants one at a time, and the test that notices each. Generated from the lists beside this page by \`npm run mutants -- --write\`; [how to add one](../README.md#mutants).
`;

/** The text of the page. */
export function pageOf(catalogue: Readonly<Record<string, readonly Mutant[]>>): string {
  const sections = Object.entries(catalogue).map(([area, mutants]) => {
    const rows = mutants.map(({ id, what, test, noticedBy }) => [
      `\`${id}\``,
      what,
      `\`${test}\`: ${noticedBy}`,
    ]);
    return `\n## ${area}\n\n${tableOf([["Mutant", "Fault", "Noticed by"], ...rows])}`;
  });
  return intro + sections.join("");
}

/** As oxfmt formats a table. */
function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((text) => text.replaceAll("|", "\\|")));
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: readonly string[], fill: string) =>
    `| ${row.map((text, at) => text.padEnd(widths[at] ?? 0, fill)).join(" | ")} |\n`;
  const [first = [], ...more] = cells.map((row) => lineOf(row, " "));
  return [
    first,
    lineOf(
      head.map(() => ""),
      "-",
    ),
    ...more,
  ].join("");
}
