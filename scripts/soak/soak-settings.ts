import { parseArgs } from "node:util";

export interface SoakSettings {
  minutes: number;
  seed: number;
  killEverySeconds: number;
}

export const USAGE = "Usage: npm run soak -- [--minutes 10] [--seed N] [--kill-every 20]";

/** Throws with the usage for an unknown argument. */
export function soakSettings(given: readonly string[]): SoakSettings {
  const { values } = parseArgs({
    args: [...given],
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
      "kill-every": { type: "string", default: "20" },
    },
  });
  return {
    minutes: numberOf(values.minutes, "--minutes", 0.5, 600),
    seed: Math.floor(numberOf(values.seed, "--seed", 0, 2 ** 31 - 1)),
    killEverySeconds: numberOf(values["kill-every"], "--kill-every", 5, 3_600),
  };
}

export function numberOf(text: string, name: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= min && value <= max))
    throw new Error(`${name} is "${text}", but must be a number from ${min} to ${max}.\n${USAGE}`);
  return value;
}
