/** Makes the draft of one root module, with what it calls. */
import { cloudOf } from "#importers/inventory/cloud-of.ts";
import type { SourceResource } from "#importers/source-module.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { Catalogue } from "#providers/catalogue/catalogue.ts";
import { acceptable } from "./acceptable.ts";
import { withParent } from "./arm-parent.ts";
import { isReference, referenceTo } from "./converted.ts";
import { DraftConfig } from "./draft-config.ts";
import { DraftNames } from "./draft-names.ts";
import { PropertyDraft } from "./draft-properties.ts";
import { DraftValues } from "./draft-values.ts";
import type { Draft, DraftCounts, DraftGap, GapCode, TypeCoverage } from "./draft.ts";
import type { DraftedResource } from "./drafted-resource.ts";
import type { MappedType, MappedTypes } from "./mapped-type.ts";
import { otherRegion } from "./other-region.ts";
import type { Scope } from "./scopes.ts";

interface Sources {
  mappedTypes: MappedTypes;
  catalogue: Catalogue;
  /** The ids of what exists already, by address. */
  existing: ReadonlyMap<string, string>;
}

/** As many as a template may have. */
const MAX_RESOURCES = 500;
const MAX_OUTPUTS = 500;
const MAX_GAPS = 1_000;
const MAX_REASONS = 5;

/** Attempts of a draft: each knows of more resources that the check refuses as a whole. */
const MAX_ATTEMPTS = 5;

/**
 * The draft of a root module. What the check refuses as a whole is left out of the next attempt, so that what reads it
 * asks for its value instead of being refused in turn.
 */
export function draftOf(root: Scope, scopes: readonly Scope[], sources: Sources): Draft {
  const refused = new Map<string, string>();
  for (let attempt = 1; ; attempt += 1) {
    const builder = new DraftBuilder(root, scopes, sources, refused);
    const draft = builder.draft();
    const before = refused.size;
    for (const [address, message] of builder.refused) refused.set(address, message);
    if (refused.size === before || attempt === MAX_ATTEMPTS) return draft;
  }
}

class DraftBuilder {
  readonly #root: Scope;
  readonly #scopes: readonly Scope[];
  readonly #sources: Sources;
  readonly #names = new DraftNames();
  readonly #config = new DraftConfig(this.#names);
  readonly #gaps: DraftGap[] = [];
  readonly #drafted: DraftedResource[] = [];
  /** By the address below the root. */
  readonly #byAddress = new Map<string, DraftedResource>();
  readonly #leftOut: ReadonlyMap<string, string>;
  /** Resources that the check of this attempt refused as a whole, by address, with its words. */
  readonly refused = new Map<string, string>();

  constructor(
    root: Scope,
    scopes: readonly Scope[],
    sources: Sources,
    leftOut: ReadonlyMap<string, string>,
  ) {
    this.#root = root;
    this.#scopes = scopes;
    this.#sources = sources;
    this.#leftOut = leftOut;
  }

  draft(): Draft {
    const { path, format } = this.#root.module;
    this.#choose();
    const document = this.#document();
    const checked = acceptable(document, this.#sources.catalogue);
    const byName = new Map(this.#drafted.map((one) => [one.name, one]));
    for (const { section, name, path: at, message } of checked.removed) {
      const made = byName.get(name);
      if (section !== "resources" || made === undefined) {
        const output = this.#root.outputs.get(name);
        const { file, line } = output ?? { file: path, line: 1 };
        this.#gaps.push({
          address: `${section === "outputs" ? "output" : "var"}.${name}`,
          file,
          line,
          path: at,
          code: "refused",
          reason: message,
        });
      } else {
        this.#gap(made.source, made.scope, at, "refused", message);
        if (at === null) this.refused.set(`${made.scope.prefix}${made.source.address}`, message);
      }
    }
    const used = new Set(Object.keys(checked.config));
    const coverage = this.#coverage(checked.names);
    const counts = none();
    for (const one of coverage)
      for (const fate of ["mapped", "partlyMapped", "notMapped"] as const)
        counts[fate] += one[fate];
    return {
      module: path,
      format,
      source: checked.source,
      ...counts,
      unsupported: this.#gaps.slice(0, MAX_GAPS),
      unresolved: this.#config.unresolved
        .filter(({ config }) => used.has(config))
        .slice(0, MAX_GAPS),
      coverage,
    };
  }

  /** Decides which resources the draft has, and names them. */
  #choose(): void {
    for (const scope of this.#scopes) {
      const isElsewhere = otherRegion(scope);
      for (const source of scope.module.resources) {
        if (source.mode !== "managed") continue;
        const mapped = this.#sources.mappedTypes.get(source);
        const refusal = this.#leftOut.get(`${scope.prefix}${source.address}`);
        if (mapped === undefined) this.#gap(source, scope, null, "no_type", noType(source));
        else if (source.repeated) this.#gap(source, scope, null, "repeated", repeated);
        else if (isUnsaid(source, mapped))
          this.#gap(source, scope, null, "not_expressible", moreThanSaid);
        else if (isElsewhere(source)) this.#gap(source, scope, null, "other_region", elsewhere);
        else if (refusal !== undefined) this.#gap(source, scope, null, "refused", refusal);
        else if (this.#drafted.length === MAX_RESOURCES)
          this.#gap(source, scope, null, "too_many", "A template has at most 500 resources.");
        else {
          const name = this.#names.take(nameOf(source, scope));
          const facts = this.#sources.catalogue.facts(mapped.type);
          const made: DraftedResource = { name, scope, source, mapped, facts };
          this.#drafted.push(made);
          this.#byAddress.set(`${scope.prefix}${source.address}`, made);
        }
      }
    }
  }

  #document(): JsonMap {
    const byScope = new Map<Scope, Map<string, DraftedResource>>();
    for (const made of this.#drafted) {
      const own = byScope.get(made.scope) ?? new Map<string, DraftedResource>();
      byScope.set(made.scope, own.set(made.source.address, made));
    }
    const values = new DraftValues(this.#config, byScope);
    const resources: [string, Json][] = [];
    for (const made of this.#drafted) {
      const { properties, gaps } = new PropertyDraft(
        withParent(made, byScope.get(made.scope) ?? new Map()),
        values,
      ).draft();
      for (const gap of gaps) this.#gaps.push(gap);
      const options = this.#options(made, byScope);
      resources.push([
        made.name,
        {
          type: made.mapped.type,
          properties,
          ...(Object.keys(options).length > 0 ? { options } : {}),
        },
      ]);
    }
    const outputs = this.#outputs(values);
    return {
      name: documentName(this.#root.module.path),
      runtime: "yaml",
      config: Object.fromEntries(this.#config.declarations),
      resources: Object.fromEntries(resources),
      outputs,
    };
  }

  #options(
    { source, scope, mapped }: DraftedResource,
    byScope: ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>,
  ): JsonMap {
    const options: JsonMap = {};
    const dependsOn = source.dependsOn.flatMap(({ address }) => {
      const other = byScope.get(scope)?.get(address);
      return other === undefined ? [] : [referenceTo(other.name, [])];
    });
    if (dependsOn.length > 0) options["dependsOn"] = [...new Set(dependsOn)];
    if (source.retain === true)
      options[scope.module.format === "terraform" ? "protect" : "retainOnDelete"] = true;
    const id = this.#sources.existing.get(`${scope.prefix}${source.address}`);
    if (id !== undefined && mapped.id !== "none")
      options["import"] = mapped.id === "last" ? id.slice(id.lastIndexOf("/") + 1) : id;
    return options;
  }

  #outputs(values: DraftValues): JsonMap {
    const outputs: [string, Json][] = [];
    for (const { name, value, sensitive, file, line } of this.#root.module.outputs) {
      if (outputs.length === MAX_OUTPUTS) break;
      const address = `output.${name}`;
      const made = values.convert(value, this.#root, { address, name, file, line });
      // An output of what the draft does not have says nothing: a config value that repeats it would be no output.
      const isOwn = made.kind === "value" && !this.#isAsked(made.value);
      if (isOwn) outputs.push([name, sensitive ? { "fn::secret": made.value } : made.value]);
      else {
        const reason =
          made.kind === "value" ? "The draft does not have what it reads." : made.reason;
        this.#gaps.push({ address, file, line, path: null, code: "not_expressible", reason });
      }
    }
    return Object.fromEntries(outputs);
  }

  #isAsked(of: Json): boolean {
    return (
      isReference(of) &&
      this.#config.unresolved.some(({ config }) => of === referenceTo(config, []))
    );
  }

  #gap(
    source: SourceResource,
    scope: Scope,
    path: string | null,
    code: GapCode,
    reason: string,
  ): void {
    const { file, line, address } = source;
    this.#gaps.push({ address: `${scope.prefix}${address}`, file, line, path, code, reason });
  }

  #coverage(names: ReadonlySet<string>): TypeCoverage[] {
    const gaps = Map.groupBy(this.#gaps, ({ address }) => address);
    const types = new Map<string, TypeCoverage>();
    for (const scope of this.#scopes)
      for (const { type, mode, address } of scope.module.resources) {
        if (mode !== "managed") continue;
        const own = types.get(type) ?? { type, ...none(), reasons: [] };
        types.set(type, own);
        const made = this.#byAddress.get(`${scope.prefix}${address}`);
        const ofResource = gaps.get(`${scope.prefix}${address}`) ?? [];
        own[fateOf(made, ofResource, names)] += 1;
        for (const { path, reason } of ofResource) {
          const told = path === null ? reason : `${path}: ${reason}`;
          if (own.reasons.length < MAX_REASONS && !own.reasons.includes(told))
            own.reasons.push(told);
        }
      }
    return [...types.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1));
  }
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

const repeated =
  "It stands for several objects, or for one under a condition (`count`, `for_each`), which a template writes out one by one.";
const elsewhere =
  "Its provider's region is another than that of the module: deploy it as an instance of its own, at a target of that region.";

const moreThanSaid =
  "It has an argument that our type cannot say, and without it the object would do something else.";

function isUnsaid({ settings }: SourceResource, { unless }: MappedType): boolean {
  return settings.members.some(
    ({ name, value }) =>
      unless.includes(name) &&
      !(value.kind === "literal" && (value.value === null || value.value === false)),
  );
}

function noType({ type }: SourceResource): string {
  const cloud = cloudOf(type.split(/[_:]/, 1)[0] ?? "");
  return cloud === null
    ? "It belongs to no cloud that this service deploys to."
    : `No type of ${cloud} is known for it.`;
}

/** Labels that say nothing beside the type. */
const plainLabels: ReadonlySet<string> = new Set(["this", "main", "default"]);

/** `module.database.digitalocean_database_cluster.this` as `database cluster`. */
function nameOf({ name, address, type }: SourceResource, { prefix, module }: Scope): string {
  const label = plainLabels.has(name) ? "" : name;
  const own =
    module.format === "terraform" ? `${type.replace(/^[a-z0-9]+_/, "")}_${label}` : address;
  const words = `${prefix.replaceAll("module.", "")}_${own}`.split(/[._]+/);
  return words.filter((word, at) => word !== words[at - 1]).join(" ");
}

function documentName(path: string): string {
  const name = path
    .replace(/\.[A-Za-z.]{1,10}$/, "")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(-60);
  return name === "" ? "imported" : name;
}
