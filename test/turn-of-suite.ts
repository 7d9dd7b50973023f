/**
 * Suites of which an ordinary run takes a part, another one each time. They are what there are many of with each cloud,
 * each area and each guarantee, and each of them is minutes of flat computing; what every change can break is in each run.
 */
import type { Depth } from "./support/depth.ts";

interface Share {
  /** The beginnings of the suites' paths. */
  of: readonly string[];
  /** How many runs it takes to see them all. Of few suites fewer: each run takes one at least. */
  turns: number;
  /** All in the same run; absent: they are dealt out. */
  together?: number;
}

/** A suite is of the first share that names it. Ten runs see everything, twelve all pages. */
const shares: readonly Share[] = [
  { of: ["test/areas/"], turns: 10 },
  { of: ["test/attacks/"], turns: 10 },
  { of: ["test/browser/"], turns: 12 },
  {
    of: [
      "boundaries",
      "conditions",
      "fuzz-",
      "growth",
      "hostile",
      "idempotency",
      "list-bytes",
      "pages",
      "prefer-wait",
      "renewed-rights",
    ].map((name) => `test/contract/${name}`),
    turns: 10,
  },
  { of: ["test/faults/"], turns: 10 },
  { of: ["test/importers/"], turns: 10 },
  { of: ["test/orchestrator/"], turns: 10 },
  // Each starts the service once at least, and computes beside it.
  { of: ["test/processes/demo", "test/processes/wrangler-dev"], turns: 4, together: 0 },
  { of: ["test/processes/installation", "test/processes/start"], turns: 4, together: 1 },
  {
    of: ["aws", "azure", "digitalocean", "fake-trusts", "gcp", "oci", "ports", "wrangler"].map(
      (name) => `test/processes/${name}`,
    ),
    turns: 4,
    together: 2,
  },
  { of: ["test/processes/"], turns: 4, together: 3 },
  { of: ["test/providers/"], turns: 10 },
  { of: ["test/sdk/", "test/simulation/"], turns: 10 },
  // What takes seconds because it generates, measures time or builds.
  {
    of: [
      "scripts/catalogue/make-catalogue",
      "scripts/clouds/run-fake-cloud",
      "scripts/installation/deploy-installation",
      "scripts/operator/audit-verify",
      "scripts/operator/operator-command",
      "scripts/reference/ensure-reference",
      "src/engine/expressions/hostile-expressions",
      "src/engine/expressions/properties",
      "src/engine/plan/plan-runs",
      "src/engine/template/hostile-templates",
      "src/engine/template/levels/moves",
      "src/engine/template/releases/release-order",
      "src/engine/template/round-trip",
      "src/engine/template/unwritten/",
      "src/importers/arm/hostile-arm",
      "src/importers/cloudformation/hostile-cloudformation",
      "src/importers/compose/hostile-compose",
      "src/importers/draft/draft.test",
      "src/importers/import-work",
      "src/importers/draft/repeated-project",
      "src/importers/draft/values/cloudformation/",
      "src/importers/hostile-calls",
      "src/importers/hostile-memory",
      "src/importers/kubernetes/hostile-manifests",
      "src/importers/text/load-yaml",
      "src/orchestrator/gate/call-shares",
      "src/orchestrator/gate/fairness",
      "src/providers/failing-clouds",
    ],
    turns: 10,
  },
];

/** A run of more files than this is of the whole project; who names suites wants those. */
const WHOLE_RUN_FILES = 200;
/** Suites go by other digits of the seed than the parts that they take: else a suite would see the same parts always. */
const STRIDE = 10_000;

/** The suites that this run takes, in the same order; all of them if it is deep or of a part of the project. */
export function inTurn<T extends { moduleId: string }>(
  suites: readonly T[],
  { isDeep, seed }: Depth,
): T[] {
  if (isDeep || suites.length < WHOLE_RUN_FILES) return [...suites];
  const turn = Math.floor(seed / STRIDE);
  const left = new Set<string>();
  for (const share of shares) {
    const paths = suites.map(({ moduleId }) => moduleId).filter((path) => shareOf(path) === share);
    const turns = share.together === undefined ? Math.min(share.turns, paths.length) : share.turns;
    for (const [at, path] of paths.toSorted().entries())
      if (((share.together ?? at) + turn) % turns !== 0) left.add(path);
  }
  return suites.filter(({ moduleId }) => !left.has(moduleId));
}

function shareOf(path: string): Share | undefined {
  return shares.find(({ of }) => of.some((name) => path.includes(`/${name}`)));
}
