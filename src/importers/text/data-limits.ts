/** Levels of lists and maps in one JSON or YAML file. Composing and reading nodes recurses. */
export const MAX_DATA_NESTING = 100;

/**
 * Values in one file. Files of 1 MiB that people write have less than 100,000; half a million one-character values
 * would take more memory than a Worker can spare.
 */
export const MAX_DATA_VALUES = 250_000;
/** A map takes as much memory as so many other values. */
export const MAP_COST = 4;

/** A reference takes as much time as so many other values. */
const REFERENCE_COST = 2;

/**
 * How many values a text may stand for: CloudFormation, Pulumi and Compose refer to something at a `$`, ARM calls
 * something in `[…]`. A text of nothing else takes as much memory as a list of them.
 */
export function valuesInText(text: string): number {
  const isCall = text.startsWith("[");
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x24) values += REFERENCE_COST;
    else if (isCall && (char === 0x28 || char === 0x2c || char === 0x2e || char === 0x5b))
      values += 1;
  }
  return values;
}

/** Documents in one YAML file. */
export const MAX_DATA_DOCUMENTS = 1_000;

/** The text without the byte order mark that some editors write. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** The value of a number: its text if the number would be another one, as for account ids with leading zeros. */
export function exactNumber(value: number, source: string): number | string {
  if (!Number.isFinite(value)) return source;
  const whole = /^[-+]?[0-9]+$/.test(source);
  if (whole && (!Number.isSafeInteger(value) || /^[-+]?0[0-9]/.test(source))) return source;
  return value;
}
