/** The times of a page: exact on hover, in the reader's zone and in UTC. Relative times stay true. */
import { withData } from "#console/shared/page-names.ts";
import { exactTime, relativeTime } from "#console/shared/time-words.ts";
import { parts } from "./part.ts";

const AGAIN_MS = 15_000;

export function explainTimes(root: ParentNode): void {
  for (const time of parts(root, "time", HTMLTimeElement))
    time.title = `${new Date(time.dateTime).toLocaleString()} (${exactTime(time.dateTime)})`;
}

/** Tells the relative times of the page again, while it is open. */
export function keepTimesTrue(): void {
  setInterval(() => {
    const now = Date.now();
    for (const time of parts(document, withData("relative"), HTMLTimeElement))
      time.textContent = relativeTime(time.dateTime, now);
  }, AGAIN_MS);
}
