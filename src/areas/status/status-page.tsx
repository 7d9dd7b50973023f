/**
 * The public status page: the same facts as the endpoint's, as HTML without scripts, fonts or other files. The policy
 * names its one style sheet by hash. Pure.
 */
import { htmlPage } from "#http/pages/html-page.ts";
import { Minute } from "#http/pages/minute.tsx";
import type { Impact } from "#schema/incidents.ts";
import { DayMarks } from "./day-marks.tsx";
import { impactClass } from "./impact-class.ts";
import { ImpactTone } from "./impact-tone.tsx";
import { impactWords } from "./impact-words.ts";
import { IncidentList } from "./incident-list.tsx";
import { statusStyle } from "./status-style.ts";
import type { TenantStatus } from "./tenant-status.ts";

const headlines: Readonly<Record<Impact, string>> = {
  ...impactWords,
  OPERATIONAL: "All systems operational",
  DEGRADED: "Degraded performance",
  MAINTENANCE: "Under maintenance",
  UNKNOWN: "No data yet",
};

const componentWords = {
  api: "API",
  deployments: "Deployments",
  targets: "Cloud targets",
  webhooks: "Webhook deliveries",
} as const;

export function statusPage(tenantName: string, tenantStatus: TenantStatus): Promise<string> {
  const { status, components, incidents, days, measuredAtMs } = tenantStatus;
  return htmlPage({
    title: `${tenantName}: ${headlines[status]}`,
    style: statusStyle,
    body: (
      <>
        <h1>{tenantName}</h1>
        <p class={`headline ${impactClass(status)}`} role="status">
          {headlines[status]}
        </p>
        {incidents.length > 0 && (
          <>
            <h2>Open incidents</h2>
            <IncidentList incidents={incidents} />
          </>
        )}
        <h2>Components</h2>
        <ul class="list">
          {components.map((one) => (
            <li>
              <span>{componentWords[one.name]}</span>
              <ImpactTone impact={one.status} />
            </li>
          ))}
        </ul>
        <h2>The last {days.length} days</h2>
        <DayMarks days={days} />
        <footer>
          <p class="soft">
            Measured <Minute ms={measuredAtMs} />. Days are UTC.
          </p>
        </footer>
      </>
    ),
  });
}
