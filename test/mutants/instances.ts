import type { Mutant } from "./mutant.ts";

export const instancesMutants: readonly Mutant[] = [
  {
    id: "cursor-ignored-by-instances",
    what: "Every page of the instances is the first",
    file: "src/areas/instances/store.ts",
    from: "return rowsInScope(call, instances, page, filters,",
    to: "return rowsInScope(call, instances, { limit: page.limit, sort: page.sort }, filters,",
    test: "test/contract/pages.test.ts",
    noticedBy: "has each row once, in order, a row on each page, and ends",
  },
  {
    id: "instances-page-short",
    what: "The list of instances ends with the first page",
    file: "src/areas/instances/store.ts",
    from: "onePage(instances, page)",
    to: "{ ...onePage(instances, page), limit: page.limit }",
    test: "test/contract/pages.test.ts",
    noticedBy: "has each row once, in order, a row on each page, and ends",
  },
  {
    id: "patch-unguarded",
    what: "Lowering a safeguard by PATCH asks for no right",
    file: "src/areas/instances/update-instance.ts",
    from: "requireMayLower(call.actor, before.tenantId, safeguards(before), safeguards(changed));",
    to: "",
    test: "test/attacks/safeguards.test.ts",
    noticedBy: "is lowered only by those who may",
  },
  {
    id: "secret-variable-loses-its-seal",
    what: "A sealed variable is stored in clear text once the template no longer calls it secret",
    file: "src/areas/instances/variables.ts",
    from: "new Set([...secretNames, ...sealed])",
    to: "new Set(secretNames)",
    test: "test/attacks/sealed-values.test.ts",
    noticedBy: "after a new version no longer declares an admin's variable as secret",
  },
  {
    id: "target-of-another-tenant",
    what: "An instance is made on another tenant's target",
    file: "src/areas/instances/create-instance.ts",
    from: "if (target === undefined || !usable(target.tenantId)) throw",
    to: "if (target === undefined) throw",
    test: "test/areas/cloud-targets.test.ts",
    noticedBy: "nobody makes an instance on another tenant's",
  },
];
