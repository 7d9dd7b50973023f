/** Which versions the components of a source are, or why they cannot be used. Pure but for digests. */
import { type FrozenTypes, frozenTypes, withFrozenTypes } from "#engine/frozen-types.ts";
import {
  type ComponentProblem,
  noneResolved,
  type ResolvedComponents,
} from "#engine/template/checks/check-components.ts";
import { MAX_DEPTH } from "#engine/template/levels/layout.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { didYouMean, quoted } from "#engine/template/report.ts";
import type { ComponentVersion, Library } from "#engine/template/template.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { PLATFORM } from "#platform/ids.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { Authors } from "#schema/authors.ts";
import { pinnedSource, type PinnedRow } from "#schema/pinned-sources.ts";
import type { PinnedComponents, PinnedVersion, TemplateResource } from "#schema/templates.ts";
import {
  type Candidate,
  type ComponentRows,
  type FoundVersion,
  MAX_CHARACTERS,
  MAX_COMPONENTS,
} from "./find-components.ts";
import type { WantedComponent } from "./wanted-components.ts";

/** The limit of the uses of components in a template version and everything below it. */
const MAX_USES = 200;

export interface Resolution {
  /** For the check of the source. */
  resolved: ResolvedComponents;
  /** For the row of the version. */
  pinned: PinnedComponents;
  /** The resource types in the components. */
  types: readonly string[];
  /** The persons who wrote the components. */
  authors: readonly Authors[];
  /** The highest release in the range of a use, where it is not the pinned one. */
  newer: NewerReleases;
}

/** By `pinName`. */
export type NewerReleases = { readonly [use: string]: { number: number; release: string } };

export const noPins: PinnedComponents = { uses: {}, versions: {} };

export const noResolution: Resolution = {
  resolved: noneResolved,
  pinned: noPins,
  types: [],
  authors: [],
  newer: {},
};

/** `rows`: of `findComponents`; `characters`: of the source itself. */
export async function resolveComponents(
  wanted: readonly WantedComponent[],
  rows: readonly unknown[],
  characters: number,
): Promise<Resolution> {
  if (wanted.length === 0) return noResolution;
  const [candidates, versions, cyclic, names] = rows as unknown as ComponentRows;
  const byUse = Map.groupBy(candidates, ({ use }) => use);
  const found = await knownVersions(versions);
  const sum = new Sum(found, characters);
  const problems: { [use: string]: ComponentProblem } = {};
  const pinned: PinnedComponents = { uses: {}, versions: {} };
  const newer: { [use: string]: { number: number; release: string } } = {};
  for (const [at, { use, component, range, spans }] of wanted.entries()) {
    const [only, ...others] = byUse.get(use) ?? [];
    const isCyclic = cyclic.some((one) => one.use === use);
    const problem =
      at >= MAX_COMPONENTS
        ? tooMany
        : (problemOf({ component, range }, { only, others, isCyclic, names }) ??
          (only === undefined ? undefined : sum.add(keyOf(only), component)));
    if (problem !== undefined) {
      problems[use] = problem;
      continue;
    }
    const { templateId = "", number = 0, newest = null, newestRelease = null } = only ?? {};
    pinned.uses[use] = { component, range, spans, templateId, number: number ?? 0 };
    if (newest !== null && newestRelease !== null && newest !== number)
      newer[use] = { number: newest, release: newestRelease };
  }
  const library: { [key: string]: ComponentVersion } = {};
  for (const key of sum.keys) {
    const known = found.get(key);
    if (known?.component === undefined) continue;
    pinned.versions[key] = known.version;
    library[key] = known.component;
  }
  return {
    resolved: { pins: pinsOf(pinned), library, problems },
    pinned,
    types: typesIn(library),
    authors: sum.keys.flatMap((key) => found.get(key) ?? []).map(({ authors }) => authors),
    newer,
  };
}

function typesIn(library: Library): string[] {
  const resources = Object.values(library).flatMap(({ template }) =>
    Object.values(template.resources),
  );
  return [...new Set(resources.map(({ type }) => type))];
}

export function pinsOf({ uses }: PinnedComponents): { [use: string]: string } {
  return Object.fromEntries(Object.entries(uses).map(([use, pin]) => [use, keyOf(pin)]));
}

/** The key of a component's version among those of a template version. */
export function keyOf({ templateId, number }: { templateId: string; number: number | null }) {
  return `${templateId}@${number}`;
}

/** The components of a stored version, for its check. `rows`: of `pinnedSources`. */
export function storedComponents(
  pinned: PinnedComponents,
  rows: readonly PinnedRow[],
): Pick<Resolution, "resolved" | "types" | "pinned" | "newer"> {
  const library: { [key: string]: ComponentVersion } = {};
  for (const { key, source, resources, pins, ...version } of rows.map(pinnedSource)) {
    const component = parsed(version, source, { types: frozenTypes(resources), pins });
    if (component !== undefined) library[key] = component;
  }
  return {
    resolved: { pins: pinsOf(pinned), library, problems: {} },
    types: typesIn(library),
    pinned,
    newer: {},
  };
}

interface Known {
  version: PinnedVersion;
  /** Absent: its source was too long to be loaded, or can no longer be parsed. */
  component: ComponentVersion | undefined;
  characters: number;
  authors: Authors;
}

async function knownVersions(rows: readonly FoundVersion[]): Promise<Map<string, Known>> {
  const known = await Promise.all(
    rows.map(async (row): Promise<[string, Known]> => {
      const { templateId, number, name, tenantId, release, source } = row;
      const uses =
        row.components === null ? noPins : (JSON.parse(row.components) as PinnedComponents);
      const pins = pinsOf(uses);
      const resources = JSON.parse(row.resources ?? "[]") as TemplateResource[];
      const version: PinnedVersion = {
        templateId,
        number,
        platform: tenantId === PLATFORM,
        name,
        release,
        digest: source === null ? "" : await digestHex(source),
        pins,
      };
      const known: Known = {
        version,
        component:
          source === null
            ? undefined
            : parsed(version, source, { types: frozenTypes(resources), pins }),
        characters: source?.length ?? Infinity,
        authors: JSON.parse(row.authors ?? "{}") as Authors,
      };
      return [keyOf(version), known];
    }),
  );
  return new Map(known);
}

function parsed(
  { name, release }: Pick<PinnedVersion, "name" | "release">,
  source: string,
  { types, pins }: { types: FrozenTypes; pins: { [use: string]: string } },
): ComponentVersion | undefined {
  const { template } = parseTemplate(source, `${name} ${release}`);
  return template === undefined ? undefined : { template: withFrozenTypes(template, types), pins };
}

/** The versions of a source's components so far, and their sums. */
class Sum {
  readonly #found: ReadonlyMap<string, Known>;
  readonly #depths = new Map<string, number>();
  #keys = new Set<string>();
  #characters: number;

  constructor(found: ReadonlyMap<string, Known>, characters: number) {
    this.#found = found;
    this.#characters = characters;
  }

  get keys(): string[] {
    return [...this.#keys];
  }

  /** Adds a component with everything below it, or returns why it is too much. */
  add(key: string, component: string): ComponentProblem | undefined {
    const keys = new Set(this.#keys);
    const depth = this.#collect(key, keys);
    if (depth > MAX_DEPTH) return tooDeep(component);
    const added = [...keys].filter((one) => !this.#keys.has(one));
    const known = added.map((one) => this.#found.get(one));
    // `findComponents` loads one more than the limit at most.
    if (keys.size > MAX_COMPONENTS || this.#found.size > MAX_COMPONENTS) return tooMany;
    const characters = known.reduce(
      (total, one) => total + (one?.characters ?? 0),
      this.#characters,
    );
    if (characters > MAX_CHARACTERS) return tooLong;
    if (known.some((one) => one?.component === undefined)) return unreadable(component);
    const uses = [...keys].reduce(
      (total, one) => total + Object.keys(this.#found.get(one)?.version.pins ?? {}).length,
      0,
    );
    if (uses > MAX_USES) return tooMany;
    this.#keys = keys;
    this.#characters = characters;
    return undefined;
  }

  /** Adds the keys at and below this one. Returns the number of their levels. */
  #collect(key: string, keys: Set<string>): number {
    const known = this.#depths.get(key);
    // Keys come with all keys below them.
    if (known !== undefined && keys.has(key)) return known;
    keys.add(key);
    const pins = Object.values(this.#found.get(key)?.version.pins ?? {});
    // A version contains only older ones, so this ends.
    const depth = 1 + Math.max(0, ...pins.map((inner) => this.#collect(inner, keys)));
    this.#depths.set(key, depth);
    return depth;
  }
}

function problemOf(
  { component, range }: Pick<WantedComponent, "component" | "range">,
  {
    only,
    others,
    isCyclic,
    names,
  }: {
    only: Candidate | undefined;
    others: readonly Candidate[];
    isCyclic: boolean;
    names: readonly { name: string }[];
  },
): ComponentProblem | undefined {
  if (only === undefined) {
    const near = didYouMean(
      nearest(
        component,
        names.map(({ name }) => name),
      ),
    );
    return {
      code: "unknown_component",
      message: `There is no template ${quoted(component)} to use as a component.`,
      hint:
        near ?? "A component is a template of the same tenant or of the platform, by name or id.",
    };
  }
  if (others.length > 0)
    return {
      code: "ambiguous_component",
      message: `Several templates have the name ${quoted(component)}: ${[only, ...others]
        .slice(0, 5)
        .map(({ templateId }) => templateId)
        .join(", ")}${others.length > 4 ? " and others" : ""}.`,
      hint: "Write the id of one of them in place of the name.",
    };
  if (isCyclic)
    return {
      code: "component_cycle",
      message: `The component ${quoted(component)} is this template, or uses it.`,
      hint: "A template cannot contain itself: move the shared part to a template of its own.",
    };
  if (only.number !== null) return undefined;
  const releases = JSON.parse(only.releases) as string[];
  if (releases.length === 0)
    return {
      code: "no_release",
      message: `The template ${quoted(component)} has no release, so it cannot be a component.`,
      hint: 'Add a version of it with `"release": "1.0.0"`.',
    };
  return {
    code: "no_release_in_range",
    message: `No release of ${quoted(component)} is in the range ${quoted(range)}.`,
    hint: `Its releases are ${releases.join(", ")}${releases.length >= 5 ? " and lower ones" : ""}.`,
  };
}

const tooMany: ComponentProblem = {
  code: "too_many_components",
  message: `The template has more than ${MAX_COMPONENTS} component versions, or ${MAX_USES} uses of them, with those in its components.`,
  hint: "Use fewer ranges of the same component, or split the template.",
};

const tooLong: ComponentProblem = {
  code: "components_too_long",
  message: `The source and those of its components have more than ${MAX_CHARACTERS} characters.`,
  hint: "Use fewer or shorter components, or split the template.",
};

function tooDeep(component: string): ComponentProblem {
  return {
    code: "components_too_deep",
    message: `The component ${quoted(component)} has more than ${MAX_DEPTH} levels of components.`,
    hint: "Write a part of the inner components in an outer one.",
  };
}

function unreadable(component: string): ComponentProblem {
  return {
    code: "unreadable_component",
    message: `The stored source of the component ${quoted(component)}, or of one in it, cannot be read.`,
    hint: "Add a new version of it, with a release.",
  };
}
