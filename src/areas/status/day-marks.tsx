import type { JSX } from "hono/jsx/jsx-runtime";
import { impacts } from "#schema/incidents.ts";
import { impactClass } from "./impact-class.ts";
import { ImpactTone } from "./impact-tone.tsx";
import { impactWords } from "./impact-words.ts";
import type { TenantStatus } from "./tenant-status.ts";

/** A mark for each day, and the number of days of each kind in words, for readers who cannot tell the colours apart. */
export function DayMarks({ days }: Pick<TenantStatus, "days">): JSX.Element {
  const counts = impacts
    .map((impact) => ({ impact, count: days.filter(({ status }) => status === impact).length }))
    .filter(({ count }) => count > 0);
  const spoken = counts.map(({ impact, count }) => `${count} ${impactWords[impact].toLowerCase()}`);
  return (
    <>
      <svg
        viewBox={`0 0 ${days.length * 10 - 3} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${days.length} days, oldest first: ${spoken.join(", ")}`}
      >
        {days.map(({ date, status }, at) => (
          <rect class={impactClass(status)} x={at * 10} width="7" height="100" rx="2">
            <title>
              {date}: {impactWords[status]}
            </title>
          </rect>
        ))}
      </svg>
      <p class="soft ends">
        <span>{days[0]?.date}</span>
        <span>today</span>
      </p>
      <ul class="legend">
        {counts.map(({ impact, count }) => (
          <li>
            <ImpactTone impact={impact} /> {count} {count === 1 ? "day" : "days"}
          </li>
        ))}
      </ul>
    </>
  );
}
