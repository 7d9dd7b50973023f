import type { Mutant } from "./mutant.ts";

export const tenantsMutants: readonly Mutant[] = [
  {
    id: "last-owner-leaves",
    what: "A tenant's last owner can be demoted or removed",
    file: "src/areas/tenants/store.ts",
    from: "AND ${members.role} = 'CustomerOwner' AND ${members.userId} <> ${userId})`",
    to: "AND ${members.role} = 'CustomerOwner')`",
    test: "test/areas/members.test.ts",
    noticedBy: "cannot be demoted or removed by anybody",
  },
  {
    id: "admin-makes-owner",
    what: "An admin grants the role of an owner",
    file: "src/areas/tenants/members/member.ts",
    from: 'if (beyond !== undefined && own !== "CustomerOwner")',
    to: "if (false)",
    test: "test/areas/members.test.ts",
    noticedBy: "lets nobody raise their own role",
  },
  {
    id: "members-page-short",
    what: "The list of members ends with the first page",
    file: "src/areas/tenants/store.ts",
    from: ".orderBy(desc(members.id))\n    .limit(page.limit + 1)",
    to: ".orderBy(desc(members.id))\n    .limit(page.limit)",
    test: "test/contract/pages.test.ts",
    noticedBy: "has each row once, in order, a row on each page, and ends",
  },
];
