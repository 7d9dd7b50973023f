import type { Mutant } from "./mutant.ts";

export const importsMutants: readonly Mutant[] = [
  {
    id: "import-path-escapes",
    what: "A file of an import may leave its folder",
    file: "src/areas/imports/accept-files.ts",
    from: 'part === "" || part === "." || part === ".."',
    to: 'part === "" || part === "."',
    test: "src/areas/imports/accept-files.test.ts",
    noticedBy: "is rejected at the path",
  },
  {
    id: "import-too-large",
    what: "The files of an import are together not limited",
    file: "src/areas/imports/accept-files.ts",
    from: "tooLarge: totalBytes > MAX_TOTAL_BYTES",
    to: "tooLarge: false",
    test: "src/areas/imports/accept-files.test.ts",
    noticedBy: "can have 10 MiB, and not a byte more",
  },
  {
    id: "import-last-file-counts",
    what: "Of two files at one path the last counts",
    file: "src/areas/imports/accept-files.ts",
    from: "if (seen.files.has(path))",
    to: "if (false)",
    test: "src/areas/imports/accept-files.test.ts",
    noticedBy: "is unique at its path: the first one is used",
  },
  {
    id: "import-content-stored",
    what: "The content of an import's files is stored and shown",
    file: "src/areas/imports/analyse.ts",
    from: "return { ...row, format, state, reason, counts: { ...counts } };",
    to: "return Object.assign({ ...row, format, state, reason, counts: { ...counts } }, { text: file.text });",
    test: "test/areas/imports.test.ts",
    noticedBy: "reports on every file, and stores none of them",
  },
];
