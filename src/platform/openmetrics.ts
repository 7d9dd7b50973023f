/** Metrics as OpenMetrics 1.0 text (https://prometheus.io/docs/specs/om/open_metrics_spec/), which Prometheus reads. */

export const OPENMETRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export interface MetricFamily {
  /** Ends with its unit, if it has one; without the suffix `_total` or `_info` of its samples. */
  name: string;
  type: "gauge" | "counter" | "info";
  unit?: "seconds";
  help: string;
  samples: readonly Sample[];
}

export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

const suffixes = { gauge: "", counter: "_total", info: "_info" } as const;

/** The exposition of the families, in their order. */
export function exposition(families: readonly MetricFamily[]): string {
  const lines = families.flatMap(({ name, type, unit, help, samples }) => [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(
      ({ labels = {}, value }) => `${name}${suffixes[type]}${labelText(labels)} ${value}`,
    ),
  ]);
  return `${[...lines, "# EOF"].join("\n")}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
