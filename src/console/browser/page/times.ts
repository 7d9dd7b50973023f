/** Times of the page: exact ones on hover, in the reader's zone too; relative ones stay true. */
import { withData } from "#console/shared/page-names.ts";
import { exactTime, relativeTime } from "#console/shared/time-words.ts";
import { parts } from "./part.ts";

const EVERY_MS = 10_000;

export function showTimes(root: ParentNode): void {
  for (const time of parts(root, "time", HTMLTimeElement))
    time.title = `${new Date(time.dateTime).toLocaleString()} (${exactTime(time.dateTime)})`;
}

export function keepTimes(): void {
  setInterval(() => {
    for (const time of parts(document, withData("relative"), HTMLTimeElement)) {
      const words = relativeTime(time.dateTime, Date.now());
      if (time.textContent !== words) time.textContent = words;
    }
  }, EVERY_MS);
}
