/** Converts the settings of a source resource to our properties. */
import { PathSet } from "#engine/path-set.ts";
import { propertyIn } from "#importers/draft/types/name-of-property.ts";
import type { DraftValues } from "#importers/draft/values/draft-values.ts";
import type { DraftGap } from "#importers/draft/values/draft.ts";
import type { DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import { isSecretEntry, isValueOfPair, namesSecret } from "#importers/evaluate/secret-members.ts";
import type { Member } from "#importers/expression.ts";
import type { JsonMap } from "#platform/json.ts";
import type { ObjectShape } from "#providers/provider.ts";
import { DraftContext, type Target } from "./draft-context.ts";
import { MemberDraft, withoutWriteOnly } from "./draft-members.ts";
import { fill, mergeInto, removeAt, shapeAt, writeAt } from "./property-paths.ts";
import { weakLast } from "./weak-rules.ts";

export interface DraftedProperties {
  properties: JsonMap;
  gaps: DraftGap[];
  /** Dependencies that no value refers to. */
  waitsFor: DraftedResource[];
  /** The resources that each part refers to. */
  parts: readonly DraftedPart[];
  /** The lines of the arguments by the paths of the properties that they wrote first. */
  lines: ReadonlyMap<string, number>;
}

export interface DraftedPart {
  part: DraftedResource;
  /** The paths that it wrote in the properties of its object. */
  paths: readonly string[];
  read: readonly DraftedResource[];
}

export class PropertyDraft {
  readonly #context: DraftContext;
  readonly #members: MemberDraft;
  readonly #lines = new Map<string, number>();

  constructor(resource: DraftedResource, values: DraftValues) {
    this.#context = new DraftContext(resource, values);
    this.#members = new MemberDraft(this.#context);
  }

  draft(): DraftedProperties {
    const { mapped, parts, scope, facts } = this.#context.resource;
    const properties: JsonMap = {};
    const shape = shapeOf(this.#context.resource);
    const values = this.#context.values;
    values.takeRead();
    this.#write(properties, shape);
    const waitsFor = waitedFor(values.takeRead());
    const drafted = parts.map((part): DraftedPart => {
      const own = new PropertyDraft(part, values);
      const paths = mergeInto(properties, own.#partOf(shape));
      for (const gap of own.#context.gaps) this.#context.gaps.push(gap);
      const taken = values.takeRead();
      waitsFor.push(...waitedFor(taken));
      return { part, paths, read: taken.read };
    });
    fill(properties, mapped.defaults);
    for (const [path, fixed] of Object.entries(mapped.set ?? {}))
      writeAt(properties, path, structuredClone(fixed));
    this.#context.requireAll(properties, shape);
    // ARM ignores them where a source sets them, as an exported template does.
    if (scope.module.format === "arm" || mapped.body !== undefined)
      removeAt(properties, PathSet.of(facts?.readOnly));
    return { properties, gaps: this.#context.gaps, waitsFor, parts: drafted, lines: this.#lines };
  }

  /** Writes the resource's settings into our properties. */
  #write(properties: JsonMap, shape: ObjectShape | undefined): void {
    const { source, mapped, path } = this.#context.resource;
    const scope = this.#context.resource.settingsFrom ?? this.#context.resource.scope;
    const top: Target = {
      into: properties,
      shape,
      scope,
      path: path === undefined ? "" : `${path}.`,
      rules: mapped.rules,
    };
    const under: Target | undefined =
      mapped.under === undefined
        ? undefined
        : { ...top, into: {}, shape: shapeAt(shape, mapped.under)?.object };
    // Written first, so that rules write into the same object.
    if (mapped.under !== undefined && under !== undefined)
      writeAt(properties, mapped.under, under.into);
    const members = this.#membersOf(source.settings.members);
    const hasSecret = isSecretEntry(source.type) || namesSecret(members, scope);
    for (const member of weakLast(members, mapped.rules)) {
      const target = under !== undefined && !this.#belongsToTop(member, top, under) ? under : top;
      this.#members.write(member, target, hasSecret && isValueOfPair(member.name));
      const start = target === under ? `${mapped.under}.` : "";
      for (const name of Object.keys(target.into))
        if (!this.#lines.has(`${start}${name}`)) this.#lines.set(`${start}${name}`, member.line);
    }
    if (mapped.under !== undefined && under !== undefined && Object.keys(under.into).length === 0)
      delete properties[mapped.under];
  }

  /** The properties that a part adds to its object: at the top, or as a further item of a list. */
  #partOf(shape: ObjectShape | undefined): JsonMap {
    const { item, defaults } = this.#context.resource.mapped.part ?? {};
    const own: JsonMap = {};
    if (item === undefined) {
      this.#write(own, shape);
      return own;
    }
    const inside = shapeAt(shape, item)?.items?.object;
    this.#write(own, inside);
    fill(own, defaults);
    this.#context.requireAll(own, inside, item);
    const whole: JsonMap = {};
    writeAt(whole, item, [own]);
    return whole;
  }

  /**
   * Whether a member goes to the top. A member with a rule does; another one only if the top of the type has its name
   * and `under` lacks it.
   */
  #belongsToTop(given: Member, top: Target, under: Target): boolean {
    const { mapped } = this.#context.resource;
    const member = withoutWriteOnly(given, top.scope) ?? given;
    const mapping = mapped.rules.get(member.name);
    if (mapping !== undefined && mapping !== true) return true;
    if (
      under.shape !== undefined &&
      propertyIn(under.shape, member.name, mapped.naming) !== undefined
    )
      return false;
    return (
      top.shape !== undefined && propertyIn(top.shape, member.name, mapped.naming) !== undefined
    );
  }

  /** The members, with the properties in azapi's `body`, an object or a JSON text, in its place. */
  #membersOf(members: readonly Member[]): Member[] {
    const { body } = this.#context.resource.mapped;
    return members.flatMap((member) => {
      if (member.name !== body) return [member];
      const { value: given } = member;
      const inside = given.kind === "call" && given.name === "jsonencode" ? given.args[0] : given;
      return inside?.kind === "object" ? inside.members : [member];
    });
  }
}

/** The shape of the type. If the nested shape is unknown, it has only the names at the top. */
export function shapeOf({ facts }: DraftedResource): ObjectShape | undefined {
  if (facts?.shape !== undefined) return facts.shape;
  if (facts?.properties === undefined) return undefined;
  return { properties: facts.properties, required: facts.required };
}

/** A dependency on an object includes the objects beside it: a gateway is of no use before it is attached. */
function waitedFor({ read, unnamed }: ReturnType<DraftValues["takeRead"]>): DraftedResource[] {
  return [...unnamed, ...read.flatMap(({ beside }) => beside)];
}

/** The line of the argument that wrote the property at a path, or the one around it. */
export function lineAt(
  path: string | null,
  lines: ReadonlyMap<string, number> | undefined,
): number | undefined {
  const steps = path?.split(/\.|(?=\[)/) ?? [];
  for (let length = steps.length; length > 0; length -= 1) {
    const found = lines?.get(steps.slice(0, length).join("."));
    if (found !== undefined) return found;
  }
  return undefined;
}
