import { UsageError } from "../operator/run-command.ts";

export interface SoakSettings {
  minutes: number;
  seed: number;
  killEverySeconds: number;
}

export const seedOption = {
  type: "string",
  default: String(Math.floor(Math.random() * 2 ** 31)),
} as const;

export const soakOptions = {
  minutes: { type: "string", default: "10" },
  seed: seedOption,
  "kill-every": { type: "string", default: "20" },
} as const;

/** Throws `UsageError`. */
export function soakSettings(values: Record<keyof typeof soakOptions, string>): SoakSettings {
  return {
    minutes: numberOf(values.minutes, "--minutes", 0.5, 600),
    seed: seedOf(values.seed),
    killEverySeconds: numberOf(values["kill-every"], "--kill-every", 5, 3_600),
  };
}

/** Throws `UsageError`. */
export function seedOf(text: string): number {
  return Math.floor(numberOf(text, "--seed", 0, 2 ** 31 - 1));
}

/** Throws `UsageError`. */
export function numberOf(text: string, name: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= min && value <= max))
    throw new UsageError(`${name} is "${text}", but must be a number from ${min} to ${max}.`);
  return value;
}
