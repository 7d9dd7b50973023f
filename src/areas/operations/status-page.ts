/**
 * The public status page: the same facts as the endpoint's, as HTML that needs no script, no font and no
 * other file. Its one style sheet is named by hash in the policy. Pure.
 */
import type { Impact } from "#areas/incidents/public.ts";
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

export const statusStyle = `
:root{color-scheme:light dark;--ink:#1a1d21;--soft:#5b636d;--line:#d9dde2;--page:#fff;--operational:#1a7f4b;--degraded:#a86500;--partial_outage:#c2410c;--major_outage:#b91c1c;--maintenance:#1d5fb8;--unknown:#b4bac2}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a2abb5;--line:#363c44;--page:#15181c;--operational:#3fb77c;--degraded:#e0a040;--partial_outage:#f08048;--major_outage:#f06a6a;--maintenance:#6aa6f0;--unknown:#4b535d}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.25rem;margin:0 0 1rem}
h2{font-size:1rem;margin:2rem 0 .5rem}
h3{font-size:1rem;margin:0}
p{margin:.25rem 0}
.headline{border-left:.4rem solid;padding:.5rem .75rem;font-size:1.25rem;font-weight:600}
ul{list-style:none;margin:0;padding:0}
li{border-top:1px solid var(--line);padding:.6rem 0}
.row{display:flex;justify-content:space-between;gap:1rem}
.soft{color:var(--soft);font-size:.875rem}
.text{white-space:pre-wrap}
svg{display:block;width:100%;height:2.5rem}
.ends{display:flex;justify-content:space-between}
${["operational", "degraded", "partial_outage", "major_outage", "maintenance", "unknown"]
  .map((name) => `.${name}{color:var(--${name});fill:var(--${name})}`)
  .join("\n")}
.headline{color:var(--ink)}
${["operational", "degraded", "partial_outage", "major_outage", "maintenance", "unknown"]
  .map((name) => `.headline.${name}{border-color:var(--${name})}`)
  .join("\n")}
`;

export function statusPage(tenantName: string, status: TenantStatus): string {
  const name = escapeHtml(tenantName);
  return page(
    `${name}: ${headlines[status.status]}`,
    `<h1>${name}</h1>
<p class="headline ${classOf(status.status)}" role="status">${headlines[status.status]}</p>
${incidentSection(status)}
<h2>Components</h2>
<ul>
${status.components.map((one) => `<li class="row"><span>${componentWords[one.name]}</span><span class="${classOf(one.status)}">${words[one.status]}</span></li>`).join("\n")}
</ul>
<h2>The last ${status.days.length} days</h2>
${marks(status.days)}
<p class="soft">Measured <time datetime="${iso(status.measuredAtMs)}">${minute(status.measuredAtMs)}</time>. Days are UTC.</p>`,
  );
}

/** The same for a slug that no tenant has and for a tenant that shows no page. */
export function noStatusPage(): string {
  return page("No such status page", "<h1>There is no such status page.</h1>");
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${statusStyle}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function incidentSection({ incidents }: TenantStatus): string {
  if (incidents.length === 0) return "";
  const items = incidents.map(
    (incident) => `<li>
<h3>${escapeHtml(incident.title)}</h3>
<p class="soft"><span class="${classOf(incident.impact)}">${words[incident.impact]}</span>, ${incident.status.toLowerCase()}${incident.components.length === 0 ? "" : `: ${escapeHtml(incident.components.join(", "))}`}</p>
<p class="text">${escapeHtml(incident.message)}</p>
<p class="soft"><time datetime="${iso(incident.updatedAtMs)}">${minute(incident.updatedAtMs)}</time></p>
</li>`,
  );
  return `<h2>Open incidents</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

function marks(days: TenantStatus["days"]): string {
  const bars = days.map(
    ({ date, status }, at) =>
      `<rect class="${classOf(status)}" x="${at * 10}" width="8" height="100"><title>${date}: ${words[status]}</title></rect>`,
  );
  return `<svg viewBox="0 0 ${days.length * 10 - 2} 100" preserveAspectRatio="none" role="img" aria-label="Status by day, oldest first">${bars.join("")}</svg>
<p class="soft ends"><span>${days[0]?.date ?? ""}</span><span>today</span></p>`;
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

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
