/** The lines of a deployment's log, on the page and in its script. */

export type LogLevel = "info" | "warn" | "error";

export interface LogLine {
  seq: number;
  at: string;
  level: LogLevel;
  message: string;
  resource?: string | undefined;
  /** Present on the line that ends a step. */
  elapsedMs?: number | undefined;
}

/** `14:03:59` of an instant in UTC. */
export function timeOfDay(at: string): string {
  return at.slice(11, 19);
}
