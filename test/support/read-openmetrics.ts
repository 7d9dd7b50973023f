/**
 * A strict reader of OpenMetrics 1.0 text, made from the specification alone
 * (https://prometheus.io/docs/specs/om/open_metrics_spec/): all that it does not allow is an error.
 */

export interface ReadFamily {
  type: string;
  unit: string;
  help: string;
  samples: { labels: Record<string, string>; value: number }[];
}

const nameShape = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
/** The suffixes of each type's samples, and their allowed values. */
const types: Readonly<
  Record<string, { suffixes: readonly string[]; fits: (value: number) => boolean }>
> = {
  gauge: { suffixes: [""], fits: () => true },
  counter: { suffixes: ["_total", "_created"], fits: (value) => value >= 0 },
  info: { suffixes: ["_info"], fits: (value) => value === 1 },
  unknown: { suffixes: [""], fits: () => true },
};
const number = /^[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)$|^[+-]?Inf$|^NaN$/;

/** The families by their names. Throws for anything that is not OpenMetrics. */
export function readOpenMetrics(text: string): Map<string, ReadFamily> {
  const families = new Map<string, ReadFamily>();
  if (!text.endsWith("\n")) throw new Error("The last line is not ended");
  const lines = text.slice(0, -1).split("\n");
  if (lines.pop() !== "# EOF") throw new Error("It does not end with # EOF");
  let current: { name: string; family: ReadFamily; told: Set<string> } | undefined;
  const seen = new Set<string>();
  for (const line of lines) {
    const fail = (why: string) => new Error(`${why}: ${JSON.stringify(line)}`);
    if (line === "") throw fail("Not a line");
    if (line.startsWith("#")) {
      const parts = /^# (TYPE|UNIT|HELP) (\S+) ([^]*)$/.exec(line);
      const [, keyword = "", name = "", rest = ""] = parts ?? [];
      if (parts === null || !nameShape.test(name)) throw fail("No descriptor");
      if (current?.name !== name) {
        if (families.has(name)) throw fail("Parts of a family are apart");
        current = {
          name,
          family: { type: "unknown", unit: "", help: "", samples: [] },
          told: new Set(),
        };
        families.set(name, current.family);
      }
      if (current.told.has(keyword)) throw fail("Told twice");
      if (current.family.samples.length > 0) throw fail("Told after a sample");
      current.told.add(keyword);
      if (keyword === "TYPE") {
        if (!Object.hasOwn(types, rest)) throw fail("No type");
        current.family.type = rest;
      } else if (keyword === "UNIT") {
        if (!name.endsWith(`_${rest}`)) throw fail("The name does not end with the unit");
        current.family.unit = rest;
      } else current.family.help = unescaped(rest, fail);
      continue;
    }
    const { name, labels, value } = readSample(line, fail);
    const type = types[current?.family.type ?? ""];
    if (current === undefined || type === undefined) throw fail("A sample of no family");
    const suffix = name.startsWith(current.name) ? name.slice(current.name.length) : undefined;
    if (suffix === undefined || !type.suffixes.includes(suffix)) throw fail("Of another family");
    if (!type.fits(value)) throw fail("No value of this type");
    const identity = JSON.stringify([
      name,
      Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    if (seen.has(identity)) throw fail("Twice");
    seen.add(identity);
    current.family.samples.push({ labels, value });
  }
  return families;
}

function readSample(line: string, fail: (why: string) => Error) {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0];
  if (name === undefined) throw fail("No name");
  let at = name.length;
  const labels: Record<string, string> = {};
  if (line[at] === "{") {
    at += 1;
    while (line[at] !== "}") {
      const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[^])*)"/.exec(line.slice(at));
      const [all = "", key = "", raw = ""] = label ?? [];
      if (label === null || Object.hasOwn(labels, key)) throw fail("No label");
      labels[key] = unescaped(raw, fail);
      at += all.length;
      if (line[at] === ",") at += 1;
      else if (line[at] !== "}") throw fail("Labels are not separated");
    }
    at += 1;
  }
  // Neither timestamps nor exemplars are expected.
  const rest = line.slice(at);
  if (!rest.startsWith(" ") || !number.test(rest.slice(1))) throw fail("No value");
  return { name, labels, value: Number(rest.slice(1).replace("Inf", "Infinity")) };
}

function unescaped(text: string, fail: (why: string) => Error): string {
  if (/\\(?![\\n"])/.test(text.replaceAll("\\\\", ""))) throw fail("No escape sequence");
  return text.replaceAll(/\\([\\n"])/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
}
