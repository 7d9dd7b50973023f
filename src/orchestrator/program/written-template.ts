/** The template of a run with its components, parsed, and with its loops and conditions written out. */
import { withFrozenTypes } from "#engine/frozen-types.ts";
import { dependenciesOf } from "#engine/graph.ts";
import { declarationAt } from "#engine/template/levels/declaration-at.ts";
import { noComponents } from "#engine/template/levels/level.ts";
import { writtenOutDependencies } from "#engine/template/levels/uses.ts";
import { writeOut } from "#engine/template/levels/write-out.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { inWords } from "#engine/template/place-in-words.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { type ControlNames, layOut, type Levels } from "#engine/template/resolve.ts";
import type {
  ComponentVersion,
  Library,
  Pins,
  ResourceDeclaration,
  Template,
} from "#engine/template/template.ts";
import type { ValueMap } from "#engine/value.ts";
import type { RunSpec, StoredComponent } from "#orchestrator/storage/run.ts";
import { ProgramError } from "./program-error.ts";

interface ParsedSource {
  template: Template;
  pins: Pins;
  library: Library;
}

/** The source of a destroy, which needs none. */
export const noSource: ParsedSource = {
  template: {
    name: "",
    description: "",
    config: {},
    variables: {},
    resources: {},
    components: {},
    outputs: {},
  },
  pins: {},
  library: noComponents,
};

/** Throws `ProgramError` for a source that is gone or cannot be parsed. */
export function parsedSource({
  source,
  types,
  components,
}: Pick<RunSpec, "source" | "types" | "components">): ParsedSource {
  if (source === null)
    throw new ProgramError("template_invalid", "The template version no longer exists.");
  const { pins = {}, versions = {} } = components ?? {};
  const library = Object.entries(versions).map(
    ([key, version]) => [key, componentVersion(version)] as const,
  );
  return {
    template: withFrozenTypes(parsed(source), types),
    pins,
    library: Object.fromEntries(library),
  };
}

function componentVersion({ label, source, types, pins }: StoredComponent): ComponentVersion {
  return { template: withFrozenTypes(parsed(source, label), types), pins };
}

function parsed(source: string, component?: string): Template {
  const { template, diagnostics } = parseTemplate(source, component);
  const problem = diagnostics.find(({ severity }) => severity === "error");
  if (template === undefined || problem !== undefined)
    throw new ProgramError(
      "template_invalid",
      problem?.message ?? "The template cannot be parsed.",
    );
  return template;
}

export interface WrittenTemplate {
  /** Without loops, conditions and components. Without values: the deployed template alone, as written. */
  template: Template;
  /** Absent without values. */
  levels?: Levels;
  leftOut: ReadonlySet<string>;
  unmet: ReadonlyMap<string, string>;
  declarationAt: (address: string) => ResourceDeclaration | undefined;
}

/** `values`: of the config; without them nothing is written out. Throws `ProgramError`. */
export function writtenTemplate(
  { template, pins, library }: ParsedSource,
  values: { config: ValueMap; control: ControlNames } | undefined,
): WrittenTemplate {
  const find = (address: string) => declarationAt(address, template, pins, library);
  if (values === undefined)
    return {
      template: { ...template, components: {} },
      leftOut: new Set(),
      unmet: new Map(),
      declarationAt: find,
    };
  const levels = layOut(template, values, { pins, library });
  try {
    const written = writeOut(levels.root, levels.layout);
    return { ...written, levels, declarationAt: () => undefined };
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error;
    const { message, hint, place } = error;
    const where = place.line > 0 ? `See ${inWords(place)}.` : undefined;
    const parts = [message, hint, where].filter((part) => part !== undefined);
    throw new ProgramError("template_invalid", parts.join(" "), { cause: error });
  }
}

/** The dependencies among the resources of a written template. */
export function dependenciesIn(
  template: Template,
  { levels }: WrittenTemplate,
): Map<string, string[]> {
  return levels === undefined
    ? dependenciesOf(template)
    : writtenOutDependencies(template, levels.root, levels.layout);
}
