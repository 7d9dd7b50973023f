/** Builds the draft of one root module and the modules that it calls. */
import type { Scope } from "#importers/evaluate/scope.ts";
import { lineIn } from "#importers/expression.ts";
import type { ImportWork } from "#importers/import-work.ts";
import type { ExistingIds } from "#importers/reports/existing-ids.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Catalogue } from "#providers/catalogue/catalogue.ts";
import { acceptable, fitting, namesIn, type Removed } from "./acceptable.ts";
import { ArmParents } from "./arm-parents.ts";
import { withOurPath } from "./azure-native.ts";
import {
  type Choice,
  type ChosenResources,
  chooseResources,
  keyOf,
  type Refusal,
} from "./chosen-resources.ts";
import {
  type ComponentDrafts,
  componentOptions,
  componentUse,
  resolvedComponents,
} from "./components.ts";
import { draftedOptions } from "./drafted-options.ts";
import { circularParts, partAt } from "./drafted-parts.ts";
import { importGaps } from "./existing-objects.ts";
import { ExplicitWaits } from "./explicit-waits.ts";
import { appliedObject, metadataGaps } from "./kubernetes/applied-object.ts";
import { type DraftedPart, lineAt, PropertyDraft } from "./properties/draft-properties.ts";
import { readObject } from "./read-objects.ts";
import { type Lost, repeatOf } from "./repeats.ts";
import type { MappedTypes } from "./types/mapped-type.ts";
import { referenceTo } from "./values/converted.ts";
import { DraftConfig } from "./values/draft-config.ts";
import { DraftNames } from "./values/draft-names.ts";
import { DraftValues } from "./values/draft-values.ts";
import { DraftVariables } from "./values/draft-variables.ts";
import type { Draft, DraftCounts, DraftGap, TypeCoverage } from "./values/draft.ts";
import { addressOf, type DraftedResource } from "./values/drafted-resource.ts";

interface Sources {
  /** The name of the draft's document. */
  name: string;
  work: ImportWork;
  mappedTypes: MappedTypes;
  catalogue: Catalogue;
  /** Existing objects by address. */
  existing: ExistingIds;
  /** Whether the draft adopts existing objects. */
  adopt: boolean;
  components: ComponentDrafts;
}

export interface DraftWithInputs {
  draft: Draft;
  /** Config values by the root's variables. */
  inputs: ReadonlyMap<string, string>;
  /** Config values by CloudFormation's pseudo parameters. */
  pseudoParameters: ReadonlyMap<string, string>;
  /** Whether something was left out because a template has a maximum size. */
  isTooLarge: boolean;
}

/** The limit of templates. */
const MAX_OUTPUTS = 500;
const MAX_GAPS = 1_000;
/** The maximum length of all gaps as JSON, in characters: a draft is a database row. */
const MAX_SHOWN = 200_000;
const MAX_TEXT = 300;
const MAX_REASONS = 5;

/** The maximum number of attempts. Each attempt leaves out the resources that the check refused before. */
const MAX_ATTEMPTS = 5;

/**
 * The draft of a root module. A resource that the check refuses as a whole is left out of the next attempt. Its readers
 * then ask for its value instead of being refused in turn. No other resources take its place.
 */
export function draftOf(root: Scope, scopes: readonly Scope[], sources: Sources): DraftWithInputs {
  const leftOut = new Map<string, Refusal>();
  const writtenOut = new Set<string>();
  let isTooLarge = false;
  for (let attempt = 1; ; attempt += 1) {
    const builder = new DraftBuilder(root, scopes, sources, { leftOut, writtenOut });
    const draft = builder.draft(attempt === MAX_ATTEMPTS);
    isTooLarge ||= builder.isTooLarge;
    if (draft !== undefined) return { draft, ...builder.inputs, isTooLarge };
    for (const [address, refusal] of builder.refused) leftOut.set(address, refusal);
    for (const address of builder.lossyLoops) writtenOut.add(address);
  }
}

class DraftBuilder {
  readonly #root: Scope;
  readonly #sources: Sources;
  readonly #names = new DraftNames();
  readonly #config = new DraftConfig(this.#names);
  readonly #variables = new DraftVariables(this.#names);
  readonly #gaps: DraftGap[] = [];
  readonly #chosen: ChosenResources;
  #parts: readonly DraftedPart[] = [];
  /** The lines of the arguments of each resource, by its name and the path of the property. */
  readonly #lines = new Map<string, ReadonlyMap<string, number>>();
  /** In a circle the check refuses every resource, although removing one part would suffice. */
  #isCircular = false;
  #isTooLong = false;
  /** Addresses of loops that lose something, though the files decide their objects: written out, they may lose nothing. */
  readonly lossyLoops = new Set<string>();
  /** Whole resources that were refused in this attempt, by address. */
  readonly refused = new Map<string, Refusal>();

  constructor(
    root: Scope,
    scopes: readonly Scope[],
    sources: Sources,
    before: Pick<Choice, "leftOut" | "writtenOut">,
  ) {
    this.#root = root;
    this.#sources = sources;
    this.#chosen = chooseResources({ ...sources, ...before, scopes, names: this.#names });
    for (const gap of this.#chosen.gaps) this.#gaps.push(gap);
    const isThere = addressesOf(this.#chosen, scopes);
    for (const gap of importGaps(root, sources.existing, sources.adopt, isThere))
      this.#gaps.push(gap);
    for (const gap of leftOutParts(scopes)) this.#gaps.push(gap);
  }

  get inputs(): Pick<DraftWithInputs, "inputs" | "pseudoParameters"> {
    const { inputs, pseudoParameters } = this.#config;
    return { inputs, pseudoParameters };
  }

  get isTooLarge(): boolean {
    return this.#isTooLong || this.#chosen.gaps.some(({ code }) => code === "too_many");
  }

  /** Undefined: the check refused whole resources, and another attempt leaves them out from the start. */
  draft(isLast: boolean): Draft | undefined {
    const { path, format } = this.#root.module;
    const { catalogue, work } = this.#sources;
    const document = this.#document();
    if (this.refused.size > 0 && !isLast) {
      // The check takes long, and would refuse the readers of what is left out.
      this.#findLossyLoops();
      return undefined;
    }
    const components = resolvedComponents(this.#sources.components.values());
    const { secretByPlace } = this.#config;
    const accepted = acceptable(document, catalogue, work, components, secretByPlace);
    this.#note(accepted.removed);
    this.#findLossyLoops();
    if (this.refused.size + this.lossyLoops.size > 0 && !isLast) return undefined;
    const made = fitting(accepted, catalogue, work, components, secretByPlace);
    this.#note(made.removed.slice(accepted.removed.length));
    if (this.refused.size > 0 && !isLast) return undefined;
    if (this.#root.decided.isSpent)
      this.#gaps.unshift({
        address: "module",
        file: path,
        line: 1,
        path: null,
        code: "too_many",
        reason: tooMuchDecided,
      });
    const used = namesIn(made, "config");
    const coverage = this.#coverage(namesIn(made, "resources"));
    const counts = none();
    for (const one of coverage)
      for (const fate of ["mapped", "partlyMapped", "notMapped"] as const)
        counts[fate] += one[fate];
    return {
      module: path,
      format,
      source: made.source,
      ...counts,
      unsupported: shownOf([...this.#gaps, ...this.#chosen.notMade]),
      unresolved: shownOf(this.#config.unresolved.filter(({ config }) => used.has(config))),
      coverage,
    };
  }

  #findLossyLoops(): void {
    const lossy = new Set(this.#gaps.map(({ address }) => address));
    for (const made of this.#chosen.drafted) {
      const { source, scope, loop } = made;
      const isDecided = loop !== undefined && scope.decided.instances(source, scope) !== undefined;
      if (isDecided && lossy.has(addressOf(made))) this.lossyLoops.add(addressOf(made));
    }
    for (const address of this.lossyLoops) this.refused.delete(address);
  }

  /** Records a gap for every removed part of the document. */
  #note(removed: readonly Removed[]): void {
    const byName = new Map(this.#chosen.drafted.map((one) => [one.name, one]));
    const { path } = this.#root.module;
    for (const { section, name, path: part, why, message } of removed) {
      this.#isTooLong ||= why === "too_long";
      const made = byName.get(name);
      if (section !== "resources" || made === undefined) {
        const output = this.#root.outputs.get(name);
        const { file, line } = output ?? { file: path, line: 1 };
        this.#gaps.push({
          address: `${section === "outputs" ? "output" : "var"}.${name}`,
          file,
          line,
          path: part,
          code: "refused",
          reason: message,
        });
      } else {
        const ofPart = partAt(part, made, this.#parts);
        const { file, line } = (ofPart ?? made).source;
        const own = ofPart === undefined ? lineAt(part, this.#lines.get(name)) : undefined;
        const at = [made.path, part].filter((one) => one != null).join(".");
        this.#gaps.push({
          address: addressOf(ofPart ?? made),
          file,
          line: own ?? line,
          path: at === "" ? null : at,
          code: "refused",
          reason: message,
        });
        if (part === null && !this.#isCircular) this.refused.set(keyOf(made), { message });
      }
    }
  }

  #document(): JsonMap {
    const { byScope } = this.#chosen;
    const drafted: DraftedPart[] = [];
    const explicit = new ExplicitWaits(this.#chosen);
    const values = new DraftValues(
      this.#config,
      byScope,
      this.#variables,
      this.#names,
      this.#sources.work,
    );
    const repeats = new Map(
      this.#chosen.drafted.map((made) => {
        values.startNext();
        return [made, repeatOf(made, values)] as const;
      }),
    );
    const resources: [string, Json][] = [];
    const isArm = this.#root.module.format === "arm";
    const parents = isArm ? new ArmParents(this.#chosen.drafted) : undefined;
    const isManifest = this.#root.module.format === "kubernetes";
    const placed = (made: DraftedResource): DraftedResource => {
      if (isManifest) return appliedObject(made);
      return made.mapped.showsUnder === true
        ? withOurPath(made, byScope)
        : (parents?.placed(made) ?? made);
    };
    for (const made of this.#chosen.drafted) {
      const own = placed(made);
      values.startNext();
      const repeat = repeats.get(made) ?? {};
      if ("reason" in repeat) {
        this.#leaveOut(made, repeat);
        continue;
      }
      const component = this.#sources.components.get(made.component ?? "");
      if (component !== undefined) {
        const { use, gaps } = values.inForce.withinResource(made, () =>
          componentUse(made, component, repeat, values),
        );
        for (const gap of gaps) this.#gaps.push(gap);
        resources.push([made.name, { ...use, ...componentOptions(explicit.of(made)) }]);
        continue;
      }
      if (made.source.got !== undefined) {
        const { declaration, gaps } = readObject(made, explicit.of(made), values);
        for (const gap of gaps) this.#gaps.push(gap);
        resources.push([made.name, declaration]);
        continue;
      }
      const { properties, gaps, waitsFor, parts, lines } = values.inForce.withinResource(own, () =>
        new PropertyDraft(own, values).draft(),
      );
      for (const gap of [...gaps, ...(isManifest ? metadataGaps(made) : [])]) this.#gaps.push(gap);
      for (const part of parts) drafted.push(part);
      this.#lines.set(made.name, lines);
      const waits = [...explicit.of(own), ...waitsFor.map(({ name }) => name)];
      const { options, gaps: lost } = draftedOptions(own, waits, this.#sources.existing);
      for (const gap of lost) this.#gaps.push(gap);
      resources.push([
        made.name,
        {
          type: made.mapped.type,
          ...repeat,
          properties,
          ...(Object.keys(options).length > 0 ? { options } : {}),
        },
      ]);
    }
    for (const gap of explicit.gaps) this.#gaps.push(gap);
    this.#parts = drafted;
    for (const part of circularParts(drafted, resources)) {
      this.#isCircular = true;
      this.refused.set(keyOf(part), { message: circular });
    }
    const outputs = this.#outputs(values);
    return {
      name: this.#sources.name,
      runtime: "yaml",
      config: Object.fromEntries(this.#config.declarations),
      variables: Object.fromEntries(this.#variables.declarations),
      resources: Object.fromEntries(resources),
      outputs,
    };
  }

  /** Without its condition, the draft would make a resource where the source makes none. */
  #leaveOut(made: DraftedResource, { reason, line }: Lost): void {
    const { file } = made.source;
    const path = made.path ?? null;
    this.#gaps.push({
      address: addressOf(made),
      file,
      line,
      path,
      code: "not_expressible",
      reason,
    });
    this.refused.set(keyOf(made), { message: reason, line });
  }

  #outputs(values: DraftValues): JsonMap {
    const outputs: [string, Json][] = [];
    const asked = new Map<Json, string>();
    for (const { name, value, sensitive, file, line } of this.#root.module.outputs) {
      if (outputs.length === MAX_OUTPUTS) break;
      const address = `output.${name}`;
      values.startNext();
      const { decided } = this.#root;
      const known = decided.decide(decided.bound(value, this.#root));
      // The source's own tool omits a null output too.
      if (known?.kind === "literal" && known.value === null) continue;
      const made = values.convert(value, this.#root, { address, name, file, line });
      // An output that the draft cannot compute is omitted. A config value in its place would only repeat its input.
      for (const { config, reason } of this.#config.unresolved.slice(asked.size))
        asked.set(referenceTo(config, []), reason);
      const reason = made.kind === "value" ? whyOpen(made.value, asked) : made.reason;
      if (reason !== undefined) {
        const code = "not_expressible";
        this.#gaps.push({ address, file, line: lineIn(value) ?? line, path: null, code, reason });
      } else if (made.kind === "value")
        outputs.push([name, sensitive ? { "fn::secret": made.value } : made.value]);
    }
    return Object.fromEntries(outputs);
  }

  #coverage(names: ReadonlySet<string>): TypeCoverage[] {
    const gaps = Map.groupBy(this.#gaps, ({ address }) => address);
    const types = new Map<string, TypeCoverage>();
    for (const { scope, type, address } of this.#chosen.managed) {
      const own = types.get(type) ?? { type, ...none(), reasons: [] };
      types.set(type, own);
      const made = this.#chosen.byScope.get(scope)?.get(address);
      const ofResource = gaps.get(`${scope.prefix}${address}`) ?? [];
      own[fateOf(made, ofResource, names)] += 1;
      for (const { path, reason } of ofResource) {
        const told = shortened(path === null ? reason : `${path}: ${reason}`);
        if (own.reasons.length < MAX_REASONS && !own.reasons.includes(told)) own.reasons.push(told);
      }
    }
    return [...types.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1));
  }
}

/** The reason of the first of these values, if a value has no other content. */
function whyOpen(of: Json, asked: ReadonlyMap<Json, string>): string | undefined {
  const parts = Array.isArray(of) ? of : isJsonMap(of) ? Object.values(of) : undefined;
  if (parts === undefined) return asked.get(of);
  const reasons = parts.map((part) => whyOpen(part, asked));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

/** Whether the source has an object at an address, or may have one there in a module that is not in the draft. */
function addressesOf(
  { managed }: ChosenResources,
  scopes: readonly Scope[],
): (address: string) => boolean {
  const exact = new Set(managed.map(({ scope, address }) => `${scope.prefix}${address}`));
  const several = new Set(
    managed.flatMap(({ scope, address }) =>
      scope.resources.get(address)?.repeated === true ? [`${scope.prefix}${address}`] : [],
    ),
  );
  const prefixes = scopes.map(({ prefix }) => prefix);
  return (address) => {
    const around = prefixes.filter((prefix) => address.startsWith(prefix));
    const longest = Math.max(...around.map(({ length }) => length));
    return (
      address.startsWith("module.", longest) ||
      exact.has(address) ||
      several.has(address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/, ""))
    );
  };
}

/** The parts for which a draft has nothing, once for each module. */
function leftOutParts(scopes: readonly Scope[]): DraftGap[] {
  const first = new Map(scopes.toReversed().map((scope) => [scope.module, scope]));
  return [...first].flatMap(([{ leftOut = [] }, { prefix }]) =>
    leftOut.map(({ address, ...part }) => ({
      ...part,
      address: `${prefix}${address}`,
      code: "not_expressible" as const,
    })),
  );
}

const tooMuchDecided =
  "Some values are computed of more than an import may read: they are left out or asked for.";

const circular =
  "As a property of the object that it belongs to, that object and what this refers to would wait for each other.";

/** The first gaps, with texts cut to a readable length. */
function shownOf<One extends { path?: string | null; reason: string }>(all: readonly One[]): One[] {
  const shown: One[] = [];
  let characters = 0;
  for (const one of all.slice(0, MAX_GAPS)) {
    const { path, reason } = one;
    const short = {
      ...one,
      ...(typeof path === "string" ? { path: shortened(path) } : {}),
      reason: shortened(reason),
    };
    characters += JSON.stringify(short).length;
    if (characters > MAX_SHOWN) break;
    shown.push(short);
  }
  return shown;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…`.toWellFormed() : text;
}

function none(): DraftCounts {
  return { mapped: 0, partlyMapped: 0, notMapped: 0 };
}

function fateOf(
  made: DraftedResource | undefined,
  gaps: readonly DraftGap[],
  names: ReadonlySet<string>,
): keyof DraftCounts {
  if (made === undefined || !names.has(made.name)) return "notMapped";
  return gaps.length === 0 ? "mapped" : "partlyMapped";
}
