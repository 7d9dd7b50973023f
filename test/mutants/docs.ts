import type { Mutant } from "./mutant.ts";

export const docsMutants: readonly Mutant[] = [
  {
    id: "docs-unlisted-page",
    what: "A path under `/docs` reads whichever asset has that name",
    file: "src/areas/docs/serve-docs.ts",
    from: "Object.hasOwn(pages, path) ? pages[path] : undefined",
    to: "pages[path] ?? path.slice(1)",
    test: "src/areas/docs/serve-docs.test.ts",
    noticedBy: "has no page at",
  },
  {
    id: "docs-of-old-sources",
    what: "The reference is not made again when the sources change",
    file: "scripts/reference/ensure-reference.ts",
    from: "return before === digest;",
    to: "return before !== undefined;",
    test: "scripts/reference/ensure-reference.test.ts",
    noticedBy: "makes the reference when",
  },
];
