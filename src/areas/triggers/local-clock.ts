/** The clock of a time zone and its changes. Local milliseconds: the local time read as if it were UTC. */
export interface LocalClock {
  localOf(ms: number): number;
  /** The end of the gap that contains this local time; undefined: the local time exists. */
  gapEndAround(localMs: number): number | undefined;
  /** True if the same local time occurred before, and the clock was set back since. */
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
  /** The offsets a day before and a day after: clock changes are weeks apart. */
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
