/** The loops, conditions and components of the generated programs, as a template has them and written out. */
import type { ProgramSpec } from "./programs.ts";

export interface Repeats {
  /** The keys of loops, in the order of the template. */
  zones: readonly string[];
  /** A resource whose condition is a value of the instance. */
  monitor: boolean;
  /** The declaration of `web`. Its aliases name the other addresses. */
  web: "none" | keyof typeof webAddresses;
}

export const webAddresses = {
  plain: "web",
  loop: 'pool["web"]',
  component: "part/web",
} as const;

/** The size with which there is a monitor. */
const MONITORED = "l";

interface Resource {
  type: string;
  properties: Record<string, unknown>;
}

const zone = (name: string, size: string): Resource => ({
  type: "Bucket",
  properties: { name, size },
});
const web = (network: unknown, size: string): Resource => ({
  type: "Record",
  properties: { name: "web", network, size },
});
const monitor = (network: unknown): Resource => ({
  type: "Bucket",
  properties: { name: "monitor", network },
});

const written = ({ type, properties }: Resource) => ({ type: `mock:${type}`, properties });

/** The component that the programs use. */
export const componentSource = JSON.stringify({
  name: "part",
  runtime: "yaml",
  config: {
    network: { type: "string" },
    size: { type: "string" },
    zones: { type: "array", items: { type: "string" } },
  },
  resources: {
    web: written(web("${network}", "${size}")),
    spot: { ...written(zone("spot-${each.key}", "${size}")), forEach: "${zones}" },
  },
  outputs: { web: "${web.id}" },
});

/** The declarations in a template. */
export function writtenRepeats(spec: ProgramSpec): Record<string, object> {
  const { zones } = spec;
  const moved = (to?: string) => ({
    aliases: Object.values(webAddresses)
      .filter((address) => spec.web !== "none" && address !== webAddresses[spec.web])
      .map((address) => (to === undefined ? { address } : { address, to })),
  });
  const single = written(web("${net.id}", "${size}"));
  return {
    zone: { ...written(zone("zone-${each.key}", "${size}")), forEach: zones },
    ...(spec.monitor && {
      monitor: { ...written(monitor("${net.id}")), when: `\${size == "${MONITORED}"}` },
    }),
    ...(spec.web === "plain" && { web: { ...single, options: moved() } }),
    ...(spec.web === "loop" && { pool: { ...single, forEach: ["web"], options: moved("web") } }),
    ...(spec.web === "component" && {
      part: {
        component: "part",
        properties: { network: "${net.id}", size: "${size}", zones },
        options: moved("web"),
      },
    }),
  };
}

/** Their outputs. */
export function outputsOfRepeats(spec: ProgramSpec): Record<string, string> {
  return {
    zones: "${zone.transformMap(key, one, one.id)}",
    ...(spec.monitor && { monitor: '${monitor.?id.orValue("none")}' }),
    ...(spec.web === "component" && { web: "${part.web}" }),
  };
}

/** The resources by address, for an instance of the size. */
export function writtenOutRepeats(
  { zones, monitor: isMonitored, web: place }: ProgramSpec,
  size: string,
): Record<string, Resource> {
  const network = { idOf: "net" };
  const each = (address: string, name: string) =>
    Object.fromEntries(
      zones.map((key) => [`${address}["${key}"]`, zone(`${name}-${key}`, "${size}")]),
    );
  return {
    ...each("zone", "zone"),
    ...(isMonitored && size === MONITORED && { monitor: monitor(network) }),
    ...(place !== "none" && { [webAddresses[place]]: web(network, "${size}") }),
    ...(place === "component" && each("part/spot", "spot")),
  };
}

const nextPlace: Readonly<Record<Repeats["web"], Repeats["web"]>> = {
  none: "plain",
  plain: "loop",
  loop: "component",
  component: "plain",
};

/** The same with `web` at another address, the lists in another order, and one turn more or less. */
export function changedRepeats({ zones, monitor: isMonitored, web: place }: Repeats): Repeats {
  const others = zones.filter((key) => key !== "x");
  return {
    zones: others.length === zones.length ? ["x", ...zones.toReversed()] : others.toReversed(),
    monitor: isMonitored,
    web: nextPlace[place],
  };
}
