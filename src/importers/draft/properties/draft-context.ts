/** The shared context of a resource's conversion. */
import { type Converted, isReference } from "#importers/draft/values/converted.ts";
import type { DraftValues } from "#importers/draft/values/draft-values.ts";
import { type DraftGap, type GapCode, shownName } from "#importers/draft/values/draft.ts";
import type { DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import type { Use } from "#importers/draft/values/use.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import { settingOfProvider } from "#importers/evaluate/scopes.ts";
import { isSecretMember } from "#importers/evaluate/secret-members.ts";
import type { Member } from "#importers/expression.ts";
import type { PropertyMapping, PropertyRule } from "#importers/mappings/type-mapping.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { applyRule, type RuleWords } from "./property-rules.ts";
import { isRestructured } from "./source-forms.ts";

/** A purpose with the scope of the names in the value. */
export type PlacedUse = Use & { scope: Scope };

/** The object that receives converted members, with the rules for them. */
export interface Target {
  into: JsonMap;
  shape: ObjectShape | undefined;
  /** The path in the source, for gaps: `ingress[0].`. */
  path: string;
  rules: ReadonlyMap<string, PropertyMapping>;
  /** The scope of the names in the values. */
  scope: Scope;
  /** The name to which a `value` member belongs: `DB_PASS`. */
  named?: string | undefined;
  /** Whether the members are part of a secret. */
  isSecret?: boolean;
  /** Whether names are the vendor's own, as in a JSON text, unless the shape spells them otherwise. */
  isVerbatim?: boolean;
}

/** The limit for one resource. */
const MAX_GAPS = 200;

export const fixedDefault =
  "The draft has the default of its variable written out, as our names for what is in it are others.";
export const textShape = { type: "string" } satisfies ValueShape;

/** The resource under conversion, with its gaps and the values that it asks for. */
export class DraftContext {
  readonly resource: DraftedResource;
  readonly values: DraftValues;
  readonly gaps: DraftGap[] = [];
  /** The line of the name through which the values are read, which stand elsewhere: maybe in another file. */
  #line: number | undefined;

  constructor(resource: DraftedResource, values: DraftValues) {
    this.resource = resource;
    this.values = values;
  }

  /** Reads values that stand elsewhere. Gaps in them have the line of the name. */
  readBy<Made>(line: number, read: () => Made): Made {
    const before = this.#line;
    this.#line ??= line;
    const made = read();
    this.#line = before;
    return made;
  }

  /** The value of an argument of the resource or of its provider. */
  argument(name: string, use: PlacedUse): Json {
    const { source, scope } = this.resource;
    const own = source.settings.members.find((member) => member.name === name);
    const given =
      own === undefined
        ? settingOfProvider(scope, source.provider, name)
        : { value: own.value, scope: this.resource.settingsFrom ?? scope };
    const inside = { ...use, name, shape: textShape };
    const made = given && this.values.convert(given.value, given.scope, inside);
    if (made?.kind === "value") return made.value;
    if (name === "region" || name === "location") return "${control.target.region}";
    const reason = "The source's provider takes it from its configuration.";
    return this.values.ask(inside, `provider ${source.provider} ${name}`, reason);
  }

  /** Asks for required properties of our type that are missing. */
  requireAll(into: JsonMap, shape: ObjectShape | undefined, path = ""): void {
    const { source, scope, facts } = this.resource;
    const required =
      path === ""
        ? [...(facts?.required ?? []), ...(shape?.required ?? [])]
        : (shape?.required ?? []);
    for (const name of new Set(required)) {
      const own = shape?.properties[name];
      if (Object.hasOwn(into, name) || own?.readOnly === true) continue;
      if (path === "" && name === facts?.regionProperty && facts.regionShape !== "zone") {
        into[name] = "${control.target.region}";
        continue;
      }
      const use: PlacedUse = {
        scope,
        address: `${scope.prefix}${source.address}`,
        name: `${source.name} ${name}`,
        file: source.file,
        line: source.line,
        shape: own,
      };
      into[name] = this.ask(
        use,
        `${path}.${name}`,
        "Our type requires it, and the source does not say it.",
      );
    }
  }

  ask(use: Use, what: string, reason: string, isSecret = false, initial?: Json): string {
    const { scope, source } = this.resource;
    const key = `${scope.prefix}${source.address} ${what}`;
    return this.values.ask(use, key, reason, isSecret, initial);
  }

  use(member: Member, shape: ValueShape | undefined, at: Scope): PlacedUse {
    const { source, scope } = this.resource;
    return {
      scope: at,
      own: this.resource.name,
      facts: this.resource.holds,
      address: `${scope.prefix}${source.address}`,
      name: `${source.name} ${shownName(member.name)}`,
      file: source.file,
      line: this.#line ?? member.line,
      shape,
    };
  }

  /**
   * Whether a member is a secret by its name. The secrets of manifests are marked while reading, by their places: a
   * volume named `secret` has names and modes.
   */
  isSecretMember(name: string, isInSecret: boolean): boolean {
    if (this.resource.scope.module.format === "kubernetes") return false;
    return isSecretMember(name, isInSecret);
  }

  gap(code: GapCode, path: string, line: number, reason: string): void {
    const { source, scope } = this.resource;
    const address = `${scope.prefix}${source.address}`;
    if (this.gaps.length < MAX_GAPS)
      this.gaps.push({
        address,
        file: source.file,
        line: this.#line ?? line,
        path,
        code,
        reason,
      });
  }

  /** Whether a value is a reference to a variable with several values. */
  isCompound(made: Json): boolean {
    const type = isReference(made) ? this.values.variable(made)?.["type"] : undefined;
    return type === "array" || type === "object" || type === "any";
  }

  isRenamed(rule: PropertyRule | undefined, { shape }: PlacedUse): boolean {
    const isSame = this.resource.mapped.naming === "same" && rule === undefined;
    return !isSame && isRestructured(rule, shape);
  }

  apply(made: Json, rule: PropertyRule | undefined, use: PlacedUse, path: string): Converted {
    const words: RuleWords = {
      argument: (name) => this.argument(name, use),
      variable: (reference) => this.values.variable(reference),
      inOurWords: (initial) => {
        const reason = "The provider's API has other words for it than the source's variable.";
        return this.ask(use, `${path} ${rule?.to}`, reason, use.isSecret, initial);
      },
    };
    return applyRule(made, rule, words);
  }
}
