import type { JSX } from "hono/jsx/jsx-runtime";
import { Minute } from "#http/pages/minute.tsx";
import { impactClass } from "./impact-class.ts";
import { ImpactTone } from "./impact-tone.tsx";
import { shownImpact, type TenantStatus } from "./tenant-status.ts";

/** The open incidents. */
export function IncidentList({ incidents }: Pick<TenantStatus, "incidents">): JSX.Element {
  return (
    <ul>
      {incidents.map((incident) => (
        <li class={`incident ${impactClass(shownImpact(incident))}`}>
          <h3>{incident.title}</h3>
          <p class="soft">
            <ImpactTone impact={shownImpact(incident)} />, {incident.status.toLowerCase()}
            {incident.components.length > 0 && `: ${incident.components.join(", ")}`}
          </p>
          <p class="text">{incident.message}</p>
          <p class="soft">
            Updated <Minute ms={incident.updatedAtMs} />
          </p>
        </li>
      ))}
    </ul>
  );
}
