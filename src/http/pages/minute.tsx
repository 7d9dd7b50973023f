import type { JSX } from "hono/jsx/jsx-runtime";
import { minuteText } from "./minute-text.ts";

/** A time in UTC, shown to the minute; the `datetime` attribute has the milliseconds. */
export function Minute({ ms }: { ms: number }): JSX.Element {
  return <time datetime={new Date(ms).toISOString()}>{minuteText(ms)}</time>;
}
