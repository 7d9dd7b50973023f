import type { Mutant } from "./mutant.ts";

export const engineMutants: readonly Mutant[] = [
  {
    id: "deletes-in-order-of-creation",
    what: "Removed objects are deleted in the order of their creation",
    file: "src/engine/plan/plan-steps.ts",
    from: "...removed.toReversed().map(",
    to: "...removed.map(",
    test: "src/engine/plan/plan-steps.test.ts",
    noticedBy: "deletes the newest object first when dependencies leave the order open",
  },
  {
    id: "replacement-deletes-first",
    what: "A replacement deletes the old object first",
    file: "src/engine/plan/plan-steps.ts",
    from: "deleteFirst: resource.deleteFirst,",
    to: "deleteFirst: true,",
    test: "src/engine/plan/plan-steps.test.ts",
    noticedBy: "creates the new object, updates its dependents, then deletes the old one",
  },
  {
    id: "dependents-deleted-last",
    what: "An object is deleted before those that depend on it",
    file: "src/engine/plan/plan-steps.ts",
    from: "before: deleteAt(i),\n            after: deleteAt(other),",
    to: "before: deleteAt(other),\n            after: deleteAt(i),",
    test: "src/engine/plan/plan-steps.test.ts",
    noticedBy: "removes what is no longer in the template, in reverse order",
  },
  {
    id: "retained-object-deleted",
    what: "A replaced object that is to be retained is deleted",
    file: "src/engine/plan/plan-steps.ts",
    from: "retain: stored.retainOnDelete || resource.retainOnDelete,",
    to: "retain: false,",
    test: "src/engine/plan/plan-steps.test.ts",
    noticedBy: "keeps the old object at the provider if the old or new declaration retains it",
  },
  {
    id: "apply-before-dependency",
    what: "A resource does not wait for what it depends on",
    file: "src/engine/plan/plan-steps.ts",
    from: "fixed.push({ before, after, strength: strength.required });",
    to: "fixed.push({ before: after, after: before, strength: strength.released });",
    test: "src/engine/plan/plan-steps.test.ts",
    noticedBy: "creates the new object, updates its dependents, then deletes the old one",
  },
];
