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
  {
    id: "verification-kept",
    what: "A target stays verified when its credential changes",
    file: "src/areas/cloud-targets/update-target.ts",
    from: 'reachesTheSame(before, named) ? before.verification : "UNVERIFIED"',
    to: "before.verification",
    test: "test/areas/cloud-target-changes.test.ts",
    noticedBy:
      "resets the verification when the credential, config or default region changes, and only then",
  },
  {
    id: "production-called-a-sandbox",
    what: "Calling a target a sandbox lowers the approval of its instances without the right",
    file: "src/areas/cloud-targets/update-target.ts",
    from: "requireMayLower(call.actor, before.tenantId, defaultSafeguards(before), defaultSafeguards(named));",
    to: "",
    test: "test/attacks/safeguards.test.ts",
    noticedBy: "lowers the approval of all instances by calling the target a sandbox",
  },
  {
    id: "credential-of-another-tenant",
    what: "A tenant's target refers to another tenant's credential",
    file: "src/areas/cloud-targets/usable-target.ts",
    from: "credentialRef === null ? undefined : credentialRefProblem(credentialRef, tenantId)",
    to: "credentialRef === tenantId ? credentialRefProblem(credentialRef, tenantId) : undefined",
    test: "test/areas/cloud-targets.test.ts",
    noticedBy: "lets a tenant refer only to its own credentials",
  },
  {
    id: "config-unchecked",
    what: "A target is made whose config its provider cannot use",
    file: "src/areas/cloud-targets/create-target.ts",
    from: "  requireConfig(body.provider, body.config);\n",
    to: "",
    test: "test/areas/cloud-target-changes.test.ts",
    noticedBy: "when the target is made or changed",
  },
];
