/** What happens to the service, as commands: the weather, deaths, lost keys and databases, and time. */
import * as fc from "fast-check";
import { Command, type Weighted } from "./command.ts";
import { dropsKeys, type Kind, restores } from "./kinds.ts";
import { rereadInstance } from "./rows.ts";
import type { Weather } from "./weather.ts";

const MOST_WEEKS = 3;

const crashCommand = (who: "first" | "second" | "gate") =>
  new Command(`crash(${who})`, async (_, real) => {
    const object = who === "gate" ? real.gate : real.runner(who === "first" ? 0 : 1);
    real.platform.crash(object);
  });

const crashAtCommand = (instance: number, when: "before" | "after", commits: number[]) =>
  new Command(`crashAt(${instance}, ${when}, ${commits.join()})`, async (_, real) =>
    real.crashPoints.plan(real.runner(instance), when, commits),
  );

const weatherCommand = (weather: Weather) =>
  new Command(`weather(${JSON.stringify(weather)})`, async (_, real) => {
    real.platform.weather = weather;
  });

const passCommand = (ms: number) => new Command(`pass(${ms})`, async (_, real) => real.pass(ms));

/** Advances the clock by a week, but only at rest: a process is not suspended for a week in the middle of a call. */
const weekCommand = () =>
  new Command(
    "week()",
    async (model, real) => {
      await real.pass(300_000);
      if (real.unrest() !== undefined) return;
      model.weeks += 1;
      real.time.nowMs += 7 * 24 * 60 * 60 * 1000;
      await real.pass(1_000);
    },
    // Events are kept for thirty days.
    ({ weeks }) => weeks < MOST_WEEKS,
  );

const d1AwayCommand = (ms: number) =>
  new Command(`d1Away(${ms})`, async (_, real) => {
    real.platform.d1AwayUntilMs = real.time.nowMs + ms;
  });

export const rememberCommand = () =>
  new Command("remember()", async (_, real) => real.timeTravel.remember());

/** D1 goes back to the remembered moment. What was requested since is lost, unless a runner has it. */
export const restoreCommand = () =>
  new Command("restore()", async (model, real) => {
    if (!real.timeTravel.goBack()) return;
    const [row] = real.d1.rows(
      "SELECT max(number) AS number FROM template_versions WHERE template_id = ?",
      [real.place.templateId],
    );
    model.programs.length = Number(row?.["number"]);
    model.hookCalls += real.d1.rows(
      "SELECT 1 FROM triggers WHERE kind = 'inbound_webhook' AND next_fire_at_ms IS NOT NULL",
    ).length;
    for (const instance of real.instanceIds.keys()) await rereadInstance(model, real, instance);
  });

/** Soon after the next requests: a run that has started may be in the middle of its work. */
const keyCommand = (isMissing: boolean, inMs: number) =>
  new Command(`${isMissing ? "dropKey" : "putKeyBack"}(${inMs})`, async (_, real) =>
    real.setKeyMissing(isMissing, inMs),
  );

const often = (most: number) => fc.constantFrom(0, 0, most / 4, most);

const weathers: fc.Arbitrary<Weather> = fc.record({
  d1: often(0.3),
  calls: often(0.2),
  queue: often(0.6),
  alarms: often(0.2),
  cloud: often(0.5),
  receivers: often(0.8),
  readyAfterMs: fc.constantFrom(0, 0, 400, 5_000, 60_000),
});

const always: Weighted = {
  crash: [
    3,
    fc.constantFrom<"first" | "second" | "gate">("first", "second", "gate").map(crashCommand),
  ],
  crashAt: [
    7,
    fc
      .tuple(
        fc.nat({ max: 1 }),
        fc.constantFrom<"before" | "after">("before", "after"),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
      )
      .map(([one, when, commits]) => crashAtCommand(one, when, commits)),
  ],
  weather: [7, weathers.map(weatherCommand)],
  pass: [7, fc.constantFrom(5, 30, 60, 120, 300, 1_000, 15_000, 90_000).map(passCommand)],
  week: [1, fc.constant(0).map(weekCommand)],
  d1Away: [1, fc.constantFrom(20_000, 90_000, 300_000).map(d1AwayCommand)],
};

/** The faults that runs of the kind may meet. */
export function faultCommands(kind: Kind): Weighted {
  return {
    ...always,
    ...(restores.has(kind) && {
      remember: [3, fc.constant(0).map(rememberCommand)],
      restore: [3, fc.constant(0).map(restoreCommand)],
    }),
    ...(dropsKeys.has(kind) && {
      key: [
        6,
        fc
          .tuple(fc.constantFrom(true, true, false), fc.constantFrom(0, 60, 150, 400, 2_000))
          .map(([isMissing, inMs]) => keyCommand(isMissing, inMs)),
      ],
    }),
  };
}
