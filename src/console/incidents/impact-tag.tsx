import type { JSX } from "hono/jsx/jsx-runtime";
import { StateTag } from "#console/parts.tsx";
import type { Impact } from "#schema/incidents.ts";

/** Empty until the impact is known. */
export function ImpactTag({ impact }: { impact: Impact }): JSX.Element {
  return impact === "UNKNOWN" ? <></> : <StateTag state={impact} />;
}
