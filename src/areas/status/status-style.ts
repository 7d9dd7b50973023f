import { pageStyle } from "#http/pages/page-style.ts";
import { impacts } from "#schema/incidents.ts";
import { impactClass } from "./impact-class.ts";

/** The style of the status page. */
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
${impacts
  .map(impactClass)
  .map((name) => `.${name}{--tone:var(--${name});--tone-text:var(--${name})}`)
  .join("\n")}
.unknown{--tone-text:var(--unknown-text)}
`;
