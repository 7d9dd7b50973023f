import type { JSX } from "hono/jsx/jsx-runtime";
import { Minute } from "#http/pages/minute.tsx";
import { impactClass } from "./impact-class.ts";
import { ImpactTone } from "./impact-tone.tsx";
import type { TenantStatus } from "./tenant-status.ts";

/** The open incidents. */
export function IncidentList({ incidents }: Pick<TenantStatus, "incidents">): JSX.Element {
  return (
    <ul>
      {incidents.map(({ impact, title, status, components, message, updatedAtMs }) => (
        <li class={`incident ${impactClass(impact)}`}>
          <h3>{title}</h3>
          <p class="soft">
            <ImpactTone impact={impact} />, {status.toLowerCase()}
            {components.length > 0 && `: ${components.join(", ")}`}
          </p>
          <p class="text">{message}</p>
          <p class="soft">
            Updated <Minute ms={updatedAtMs} />
          </p>
        </li>
      ))}
    </ul>
  );
}
