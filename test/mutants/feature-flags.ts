import type { Mutant } from "./mutant.ts";

export const featureFlagsMutants: readonly Mutant[] = [
  {
    id: "percentage-not-sticky",
    what: "A subject's place in a flag changes with every evaluation",
    file: "src/areas/feature-flags/evaluate-flag.ts",
    from: "digestHex(`${flagKey}\\n${targetingKey}`)",
    to: "digestHex(`${flagKey}\\n${targetingKey}\\n${Math.random()}`)",
    test: "src/areas/feature-flags/evaluate-flag.test.ts",
    noticedBy: "keeps its subjects when it is raised",
  },
  {
    id: "flags-share-places",
    what: "A subject has the same place in every flag",
    file: "src/areas/feature-flags/evaluate-flag.ts",
    from: "digestHex(`${flagKey}\\n${targetingKey}`)",
    to: "digestHex(targetingKey)",
    test: "src/areas/feature-flags/evaluate-flag.test.ts",
    noticedBy: "never changes, per flag",
  },
  {
    id: "percentages-overlap",
    what: "Each rule's percentage starts at 0",
    file: "src/areas/feature-flags/evaluate-flag.ts",
    from: "    taken = upTo;\n",
    to: "",
    test: "src/areas/feature-flags/evaluate-flag.test.ts",
    noticedBy: "selects the part of the range after the previous rule",
  },
  {
    id: "flag-of-another-tenant",
    what: "Any tenant that calls with a key is evaluated as the tenant it names",
    file: "src/areas/feature-flags/evaluate-flag.ts",
    from: "tenantId !== undefined && tenantIds.includes(tenantId)",
    to: "tenantId !== undefined",
    test: "src/areas/feature-flags/evaluate-flag.test.ts",
    noticedBy: "is right for",
  },
];
