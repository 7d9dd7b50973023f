import type { Mutant } from "./mutant.ts";

export const statusMutants: readonly Mutant[] = [
  {
    id: "health-of-oldest-run",
    what: "A target's health is that of its oldest run",
    file: "src/areas/status/tenant-status.ts",
    from: "if (!last.has(run.targetId)) last.set(run.targetId, run);",
    to: "last.set(run.targetId, run);",
    test: "src/areas/status/tenant-status.test.ts",
    noticedBy: "measures a target by its last deployment",
  },
  {
    id: "status-of-the-oldest-deliveries",
    what: "The health of webhooks is that of the day's oldest deliveries",
    file: "src/areas/status/store.ts",
    from: ".orderBy(desc(w.id))",
    to: ".orderBy(w.id)",
    test: "test/areas/status.test.ts",
    noticedBy: "reads a bounded number of rows, however much the tenant has done",
  },
  {
    id: "users-mistakes-count",
    what: "A user's mistake counts as an outage",
    file: "src/areas/status/store.ts",
    from: "(${deployments.state} = 'FAILED' AND coalesce(json_extract(${deployments.error}, '$.fault'), '') <> 'user')",
    to: "${deployments.state} = 'FAILED'",
    test: "test/areas/status.test.ts",
    noticedBy: "is not affected by the user's own mistakes, only by faults of the cloud",
  },
  {
    id: "unnamed-impact-is-none",
    what: "An incident without an impact affects nothing",
    file: "src/areas/status/tenant-status.ts",
    from: 'return impact === "UNKNOWN" ? "DEGRADED" : impact;',
    to: "return impact;",
    test: "src/areas/status/tenant-status.test.ts",
    noticedBy:
      "counts an incident without an impact as DEGRADED, for its components and its days too",
  },
];
