import type { JSX } from "hono/jsx/jsx-runtime";
import type { Impact } from "#schema/incidents.ts";
import { impactClass } from "./impact-class.ts";
import { impactWords } from "./impact-words.ts";

/** An impact with its word and colour. */
export function ImpactTone({ impact }: { impact: Impact }): JSX.Element {
  return <span class={`tone ${impactClass(impact)}`}>{impactWords[impact]}</span>;
}
