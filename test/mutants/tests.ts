import type { Mutant } from "./mutant.ts";

/** Faults of what the tests themselves stand on. */
export const testsMutants: readonly Mutant[] = [
  {
    id: "seed-of-each-project",
    what: "Each project of a run of the tests draws a seed of its own",
    file: "test/seed-of-run.ts",
    from: 'env["TEST_SEED"] ??=',
    to: 'env["TEST_SEED"] ??',
    test: "scripts/checks/seed-of-run.test.ts",
    noticedBy: "is drawn once for all projects",
  },
  {
    id: "bill-of-others",
    what: "The bill of a deployment counts what other tenants do meanwhile",
    file: "test/support/billing-meter.ts",
    from: "ids.some((id) => by.includes(id))",
    to: "by.length >= 0",
    test: "test/orchestrator/cost.test.ts",
    noticedBy: "is the tenant's own, whatever others do meanwhile",
  },
  {
    id: "unused-exception",
    what: "A statement that is no longer sent stays allowed to read all tenants",
    file: "test/support/tenancy-guard.ts",
    from: '/FROM "webhook_deliveries" d WHERE d\\.due_at_ms <= \\?/',
    to: '/FROM "webhook_deliveries" d WHERE d\\.due_at_ms == \\?/',
    test: "test/contract/tenancy.test.ts",
    noticedBy: "is scoped to tenants",
  },
];
