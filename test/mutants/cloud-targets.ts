import type { Mutant } from "./mutant.ts";

export const cloudTargetsMutants: readonly Mutant[] = [
  {
    id: "viewer-registers-target",
    what: "A viewer registers targets: the declaration names the wrong role",
    file: "src/areas/cloud-targets/contract.ts",
    from: 'access: { role: "CustomerAdmin", scope: "targets:write" },',
    to: 'access: { role: "CustomerViewer", scope: "targets:write" },',
    test: "test/contract/rights.test.ts",
    noticedBy: "every endpoint requires what this table says",
  },
  {
    id: "scope-of-target-lowered",
    what: "A key that may read targets registers one: the declaration names the wrong scope",
    file: "src/areas/cloud-targets/contract.ts",
    from: 'access: { role: "CustomerAdmin", scope: "targets:write" },',
    to: 'access: { role: "CustomerAdmin", scope: "targets:read" },',
    test: "test/contract/rights.test.ts",
    noticedBy: "every endpoint requires what this table says",
  },
];
