import type { Mutant } from "./mutant.ts";

export const templatesMutants: readonly Mutant[] = [
  {
    id: "versions-page-short",
    what: "The list of a template's versions ends with the first page",
    file: "src/areas/templates/store.ts",
    from: ".orderBy(desc(v.id))\n    .limit(page.limit + 1)",
    to: ".orderBy(desc(v.id))\n    .limit(page.limit)",
    test: "test/contract/pages.test.ts",
    noticedBy: "has each row once, in order, a row on each page, and ends",
  },
];
