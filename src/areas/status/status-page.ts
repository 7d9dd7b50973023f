import { escapeHtml } from "#http/pages/escape-html.ts";
import { htmlPage, pageStyle } from "#http/pages/html-page.ts";
/**
 * The public status page: the same facts as the endpoint's, as HTML that needs no script, no font and no
 * other file. Its one style sheet is named by hash in the policy. Pure.
 */
import type { Impact } from "#schema/incidents.ts";
import type { TenantStatus } from "./tenant-status.ts";

const words: Readonly<Record<Impact, string>> = {
  OPERATIONAL: "Operational",
  DEGRADED: "Degraded",
  PARTIAL_OUTAGE: "Partial outage",
  MAJOR_OUTAGE: "Major outage",
  MAINTENANCE: "Maintenance",
  UNKNOWN: "No data",
};

const headlines: Readonly<Record<Impact, string>> = {
  ...words,
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

const impactsInOrder = Object.keys(words) as Impact[];
const classes = impactsInOrder.map(classOf);

export const statusStyle = `${pageStyle}
:root{--operational:#1a7f4b;--degraded:#a86500;--partial_outage:#c2410c;--major_outage:#b91c1c;--maintenance:#1d5fb8;--unknown:#c3c9d1;--unknown-text:#5a6372}
@media (prefers-color-scheme:dark){:root{--operational:#3fb77c;--degraded:#e0a040;--partial_outage:#f08048;--major_outage:#f06a6a;--maintenance:#6aa6f0;--unknown:#3d4552;--unknown-text:#9aa4b3}}
.text{white-space:pre-wrap;margin:.5rem 0}
.headline{display:flex;align-items:center;margin:0;padding:1rem 1.25rem;border-radius:10px;background:var(--wash);border:1px solid var(--line);border-left:.375rem solid var(--tone);font-size:1.25rem;font-weight:650;line-height:1.3}
.headline::before,.tone::before{content:"";flex:none;display:inline-block;margin-right:.5rem;width:.7rem;height:.7rem;border-radius:50%;background:var(--tone)}
.tone{color:var(--tone-text);white-space:nowrap}
.incident{border:1px solid var(--line);border-left:.375rem solid var(--tone);border-radius:10px;padding:1rem 1.25rem;margin-bottom:.75rem}
svg{display:block;width:100%;height:3rem}
rect{fill:var(--tone)}
.ends,.legend{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1.25rem}
.legend{justify-content:flex-start;margin-top:.75rem;font-size:.875rem}
${classes.map((name) => `.${name}{--tone:var(--${name});--tone-text:var(--${name})}`).join("\n")}
.unknown{--tone-text:var(--unknown-text)}
`;

export function statusPage(tenantName: string, status: TenantStatus): string {
  const name = escapeHtml(tenantName);
  const headline = headlines[status.status];
  return page(
    `${name}: ${headline}`,
    `<h1>${name}</h1>
<p class="headline ${classOf(status.status)}" role="status">${headline}</p>
${incidentSection(status)}
<h2>Components</h2>
<ul class="list">
${status.components.map((one) => `<li><span>${componentWords[one.name]}</span>${tone(one.status)}</li>`).join("\n")}
</ul>
<h2>The last ${status.days.length} days</h2>
${marks(status.days)}
<footer><p class="soft">Measured <time datetime="${iso(status.measuredAtMs)}">${minute(status.measuredAtMs)}</time>. Days are UTC.</p></footer>`,
  );
}

function tone(impact: Impact): string {
  return `<span class="tone ${classOf(impact)}">${words[impact]}</span>`;
}

/** The same for a slug that no tenant has and for a tenant that shows no page. */
export function noStatusPage(): string {
  return page("No such status page", "<h1>There is no such status page.</h1>");
}

function page(title: string, body: string): string {
  return htmlPage({ title, style: statusStyle, body });
}

function incidentSection({ incidents }: TenantStatus): string {
  if (incidents.length === 0) return "";
  const items = incidents.map(
    (incident) => `<li class="incident ${classOf(incident.impact)}">
<h3>${escapeHtml(incident.title)}</h3>
<p class="soft">${tone(incident.impact)}, ${incident.status.toLowerCase()}${incident.components.length === 0 ? "" : `: ${escapeHtml(incident.components.join(", "))}`}</p>
<p class="text">${escapeHtml(incident.message)}</p>
<p class="soft">Updated <time datetime="${iso(incident.updatedAtMs)}">${minute(incident.updatedAtMs)}</time></p>
</li>`,
  );
  return `<h2>Open incidents</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

/** A mark for each day, and in words how many days there were of each kind: the colours alone tell nobody enough. */
function marks(days: TenantStatus["days"]): string {
  const bars = days.map(
    ({ date, status }, at) =>
      `<rect class="${classOf(status)}" x="${at * 10}" width="7" height="100" rx="2"><title>${date}: ${words[status]}</title></rect>`,
  );
  const counts = impactsInOrder
    .map((impact) => ({ impact, count: days.filter(({ status }) => status === impact).length }))
    .filter(({ count }) => count > 0);
  const spoken = counts.map(({ impact, count }) => `${count} ${words[impact].toLowerCase()}`);
  return `<svg viewBox="0 0 ${days.length * 10 - 3} 100" preserveAspectRatio="none" role="img" aria-label="${days.length} days, oldest first: ${spoken.join(", ")}">${bars.join("")}</svg>
<p class="soft ends"><span>${days[0]?.date ?? ""}</span><span>today</span></p>
<ul class="legend">${counts.map(({ impact, count }) => `<li>${tone(impact)} ${count} ${count === 1 ? "day" : "days"}</li>`).join("")}</ul>`;
}

function classOf(impact: Impact): string {
  return impact.toLowerCase();
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function minute(ms: number): string {
  return `${iso(ms).slice(0, 16).replace("T", " ")} UTC`;
}
