/** What a zone's clocks show, and where they jump. Local milliseconds: what they show, read as if it were UTC. */
export interface LocalClock {
  localOf(ms: number): number;
  /** When the gap ends in which this local time would lie; undefined: clocks do show it. */
  gapEndAround(localMs: number): number | undefined;
  /** Clocks have shown the same local time before, and were set back since. */
  isSecond(ms: number): boolean;
}

const DAY_MS = 86_400_000;

/** Throws for an unknown zone. */
export function localClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const localOf = (ms: number): number => {
    const shown = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0;
    return Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    );
  };
  const offsetAt = (ms: number): number => localOf(ms) - Math.floor(ms / 1000) * 1000;
  /** The offsets of the day before and the day after: between two clock changes lie weeks. */
  const offsetsAround = (localMs: number) =>
    [offsetAt(localMs - DAY_MS), offsetAt(localMs + DAY_MS)] as const;
  return {
    localOf,
    gapEndAround(localMs) {
      const [before, after] = offsetsAround(localMs);
      if (after <= before) return undefined;
      const [early, late] = [localMs - after, localMs - before];
      if (offsetAt(early) === after || offsetAt(late) === before) return undefined;
      let [still, changed] = [early, late];
      while (changed - still > 1) {
        const middle = Math.floor((still + changed) / 2);
        if (offsetAt(middle) === before) still = middle;
        else changed = middle;
      }
      return changed;
    },
    isSecond(ms) {
      const localMs = localOf(ms);
      const [before, after] = offsetsAround(localMs);
      return after < before && ms === localMs - after && offsetAt(localMs - before) === before;
    },
  };
}
