/** The maximum depth of lists and maps in a JSON or YAML file. Composing and reading nodes recurses. */
export const MAX_DATA_NESTING = 100;

/**
 * The maximum number of values in a file. Files of 1 MiB that people write have fewer than 100,000. Half a million
 * values of one character would exceed a Worker's memory.
 */
export const MAX_DATA_VALUES = 250_000;
/** The memory of a map, in other values. */
export const MAP_COST = 4;

/** The time of a reference, in other values. */
const REFERENCE_COST = 2;

/**
 * The number of values that a text may expand to. In CloudFormation, Pulumi and Compose each `$` may start a reference;
 * in ARM, `[…]` contains calls. A text of references alone takes as much memory as a list of them.
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

/** The maximum number of documents in a YAML file. */
export const MAX_DATA_DOCUMENTS = 1_000;

/** The text without a byte order mark, which some editors write. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** The value of a number. Its text, if a double would change it: account ids may have leading zeros. */
export function exactNumber(value: number, source: string): number | string {
  if (!Number.isFinite(value)) return source;
  const whole = /^[-+]?[0-9]+$/.test(source);
  if (whole && (!Number.isSafeInteger(value) || /^[-+]?0[0-9]/.test(source))) return source;
  return value;
}
