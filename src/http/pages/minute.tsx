import type { JSX } from "hono/jsx/jsx-runtime";
import { minuteText } from "./minute-text.ts";

/** A time to the minute, in UTC; to programs, to the millisecond. */
export function Minute({ ms }: { ms: number }): JSX.Element {
  return <time datetime={new Date(ms).toISOString()}>{minuteText(ms)}</time>;
}
