import type { Mutant } from "./mutant.ts";

const ANSWERS = "test/attacks/azure-answers.test.ts";
const PROVIDER = "src/providers/azure/placed-provider.ts";

/** What Azure shows of others, and names that tell two cases apart. */
export const azureAnswersMutants: readonly Mutant[] = [
  {
    id: "azure-names-folded",
    what: "Names are sent to Azure in lower case",
    file: "src/providers/azure/arm-id.ts",
    from: 'names.push(segments[at + 1] ?? "");',
    to: 'names.push(lower[at + 1] ?? "");',
    test: "src/providers/azure/arm-id.test.ts",
    noticedBy: "keeps its names as they were written beside its spelling",
  },
  {
    id: "azure-other-id",
    what: "An object that Azure shows under another id is taken for the one that was asked for",
    file: PROVIDER,
    from: "other.id !== asked.id",
    to: 'other.id === ""',
    test: ANSWERS,
    noticedBy: "an object that Azure shows under another id is not taken",
  },
  {
    id: "azure-secrets-of-open-types",
    what: "Keys of types without a row are shown below the first level of properties",
    file: "src/providers/azure/secrets-by-name.ts",
    from: '"properties[*]", "properties[*][*]", ',
    to: "",
    test: "src/providers/azure/open-types.test.ts",
    noticedBy: "does not show what is called like a secret, at any level of its properties",
  },
  {
    id: "azure-copies-of-open-types",
    what: "The further regions of a database at Azure are not asked about",
    file: "src/providers/azure/types.ts",
    from: '"properties.locations[*].locationName",',
    to: "",
    test: "src/providers/azure/open-types.test.ts",
    noticedBy: "is in the regions that it names",
  },
  {
    id: "azure-redundancy-in-one-case",
    what: "A redundancy in capitals has an object copied to another region",
    file: "src/engine/resource-region.ts",
    from: "one === value.toLowerCase()",
    to: "one === value",
    test: "src/providers/azure/open-types.test.ts",
    noticedBy: "says by its redundancy that it is copied elsewhere",
  },
  {
    id: "azure-rule-by-time-alone",
    what: "After a lost create, a stranger's firewall rule of the same minute is adopted",
    file: PROVIDER,
    from: "isByTime && isThere(outcome)",
    to: "isByTime && !isThere(outcome)",
    test: ANSWERS,
    noticedBy: "is not adopted with other addresses",
  },
  {
    id: "azure-workspace-recovered",
    what: "A deleted workspace of another tenant is recovered at a shared target",
    file: PROVIDER,
    from: "deleted.toLowerCase() !== name",
    to: "deleted !== place",
    test: ANSWERS,
    noticedBy: "is not recovered",
  },
  {
    id: "azure-parents-in-one-case",
    what: "What stands in an object that is replaced is not made again when its parent is named in another case",
    file: "src/engine/plan/lost-with-parent.ts",
    from: "anyCase ? text.toLowerCase() : text",
    to: "text",
    test: "src/engine/plan/lost-with-parent.test.ts",
    noticedBy: "an id that means the same in any letter case is compared so",
  },
];
