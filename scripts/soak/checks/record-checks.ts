/** Checks of the audit log, of the quotas' counts, and of leaked secrets. */
import type { Check } from "../evidence.ts";

const audit: Check = {
  name: "audit chains",
  count: ({ audit }) => audit.lines.length,
  problems: ({ audit }) => (audit.ok ? [] : [...audit.lines]),
};

const quotas: Check = {
  name: "counts of quotas",
  count: ({ usage }) => usage.length,
  problems: ({ usage }) =>
    usage
      .filter(({ told, counted, mayBeLost }) => told > counted || told < counted - mayBeLost)
      .map(
        ({ tenantId, limit, told, counted }) =>
          `the tenant ${tenantId} is told ${told} ${limit} and has ${counted}`,
      ),
};

const secrets: Check = {
  name: "secrets kept",
  count: ({ calls, arrivals }) => calls.length + arrivals.length,
  problems: ({ sightings }) => sightings.map((place) => `a secret stands in ${place}`),
};

export const recordChecks: readonly Check[] = [audit, quotas, secrets];
