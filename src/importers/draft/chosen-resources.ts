/** Chooses the resources of a draft and their names, and assigns parts to their objects. */
import { asTruth } from "#importers/evaluate/decided.ts";
import { conditionOfCount, eachInstance } from "#importers/evaluate/instances.ts";
import type { Loop, Scope } from "#importers/evaluate/scope.ts";
import { itemsOf, type WrittenOut, writtenOut } from "#importers/evaluate/written-out.ts";
import { type Expression, lineIn, type Member, withoutLines } from "#importers/expression.ts";
import { cloudOf } from "#importers/inventory/cloud-of.ts";
import type { BesideMapping } from "#importers/mappings/type-mapping.ts";
import type { ExistingIds } from "#importers/reports/existing-ids.ts";
import type { ModuleCall, SourceResource } from "#importers/source-module.ts";
import type { Catalogue } from "#providers/catalogue/catalogue.ts";
import { type ComponentDrafts, mappedComponent, sourceOfCall } from "./components.ts";
import { existingOf, importIdOf } from "./existing-objects.ts";
import { providerRegions } from "./other-region.ts";
import { whyNotApplied } from "./types/applied-types.ts";
import type { MappedType, MappedTypes } from "./types/mapped-type.ts";
import { whyNoTypeOfStack } from "./values/cloudformation/why-no-type.ts";
import { referenceTo } from "./values/converted.ts";
import type { DraftNames } from "./values/draft-names.ts";
import type { DraftGap, GapCode } from "./values/draft.ts";
import {
  addressOf,
  type DraftedByScope,
  type DraftedResource,
  ownReference,
} from "./values/drafted-resource.ts";
import { nameInDraft, wordsOf } from "./values/name-in-draft.ts";
import { objectNamedBy } from "./values/named-object.ts";
import { stepsOf } from "./values/output-path.ts";

export interface ChosenResources {
  /** In the order of the source. */
  drafted: readonly DraftedResource[];
  /** The drafted resources and their parts, by scope and address. */
  byScope: DraftedByScope;
  /** All managed resources, except those that the files decide not to create. */
  managed: readonly Managed[];
  gaps: readonly DraftGap[];
  /** Resources that the files decide not to create. */
  notMade: readonly DraftGap[];
}

export interface Managed {
  scope: Scope;
  type: string;
  /** With the key of its instance, if it is in the draft. */
  address: string;
}

/** Why a whole resource cannot be in the draft. `line`: of the argument that decides it. */
export interface Refusal {
  message: string;
  line?: number | undefined;
}

export interface Choice {
  scopes: readonly Scope[];
  mappedTypes: MappedTypes;
  catalogue: Catalogue;
  names: DraftNames;
  /** The resources that an earlier attempt refused, by address. */
  leftOut: ReadonlyMap<string, Refusal>;
  /** Existing objects by address. */
  existing: ExistingIds;
  components: ComponentDrafts;
  /** Addresses of loops that lose something, and whose objects the files decide. */
  writtenOut: ReadonlySet<string>;
}

/** The limit of templates. */
const MAX_RESOURCES = 500;
/** The limit on instances of all repeated resources. Resources after it are not written out one by one. */
const MAX_INSTANCES = 20_000;

export function chooseResources(choice: Choice): ChosenResources {
  const { scopes, mappedTypes, catalogue, names, leftOut, existing } = choice;
  const drafted: DraftedResource[] = [];
  const gaps: DraftGap[] = [];
  const repeats = repeatedIn(existing);
  const byScope = new Map<Scope, Map<string, DraftedResource>>();
  const parts: DraftedResource[] = [];
  const refuse: Refuse = (one, reason, line = one.source.line) => {
    const { file } = one.source;
    gaps.push({ address: addressOf(one), file, line, path: one.path ?? null, ...reason });
  };
  /** The number of chosen resources, including those refused in an earlier attempt. Nothing takes their place. */
  let taken = 0;
  const add = (made: DraftedResource, size: number): boolean => {
    const refusal = leftOut.get(keyOf(made));
    const object = existingOf(made, existing);
    const isUnknown =
      object !== undefined &&
      (made.path !== undefined || importIdOf(object, made.mapped) === undefined);
    if (isUnknown) refuse(made, notAdopted);
    else if ((made.loop ?? made.component) !== undefined && repeats.has(addressOf(made)))
      refuse(made, made.component === undefined ? loopAdopted : componentAdopted);
    else if (taken + size > MAX_RESOURCES) refuse(made, tooMany);
    else {
      taken += size;
      if (refusal === undefined) return drafted.push(made) > 0;
      refuse(made, { code: "refused", reason: refusal.message }, refusal.line);
    }
    return false;
  };
  /** Whether a loop must not take the place of objects that the files decide. */
  const isWrittenOut = (of: Pick<DraftedResource, "scope" | "source">): boolean =>
    choice.writtenOut.has(addressOf(of)) || repeats.has(addressOf(of));
  const managed: Managed[] = [];
  const notMade: DraftGap[] = [];
  let instances = 0;
  const choose = (
    { source, scope, label, loop, size = 1 }: Repeated,
    mapped: MappedType,
    own: Map<string, DraftedResource>,
  ): void => {
    if (taken + size > MAX_RESOURCES) {
      refuse({ source, scope }, tooMany);
      return;
    }
    const facts = catalogue.facts(mapped.type);
    const made = unnamed({ source, scope, loop }, mapped, { facts });
    if (mapped.part !== undefined) {
      parts.push(made);
      return;
    }
    if (!add(made, size)) return;
    made.name = names.take(`${nameOf(source, scope)} ${label}`);
    own.set(source.address, made);
    for (const beside of besideOf(made, choice, refuse))
      if (add(beside, size)) made.beside.push(beside);
  };
  const useComponent = (
    call: ModuleCall,
    scope: Scope,
    own: Map<string, DraftedResource>,
  ): boolean => {
    const component = choice.components.get(call.target ?? "");
    const [all] = repeatedOf(sourceOfCall(call), scope, false) ?? [];
    if (component === undefined || all === undefined) return false;
    const made = unnamed(all, mappedComponent(component), { component: call.target ?? "" });
    if (!add(made, 1)) return true;
    made.name = names.take(`${scope.label} ${call.name}`);
    own.set(all.source.address, made);
    return true;
  };
  for (const scope of scopes) {
    const own = new Map<string, DraftedResource>();
    byScope.set(scope, own);
    for (const call of scope.module.moduleCalls) {
      const { chosenBy, target } = call;
      if (chosenBy !== undefined && target !== null) gaps.push(chosenModule(call, chosenBy, scope));
      const reason = target === null ? noModule : whyNotCalled(call, scope);
      if (reason === undefined) continue;
      if (reason === repeated && useComponent(call, scope, own)) continue;
      const { name, file, line, isComponent = false } = call;
      const told = isComponent && reason === repeated ? noComponent : reason;
      const gap = { address: `${scope.prefix}module.${name}`, file, line, path: null, ...told };
      (reason === none ? notMade : gaps).push(gap);
    }
    const { isElsewhere } = providerRegions(scope);
    for (const source of scope.module.resources) {
      const { type, got } = source;
      const mapped = mappedTypes.get(source);
      if (source.mode !== "managed") {
        if (got !== undefined && mapped !== undefined)
          choose({ source, scope, label: "" }, mapped, own);
        continue;
      }
      const all =
        instances < MAX_INSTANCES
          ? repeatedOf(source, scope, isWrittenOut({ source, scope }))
          : undefined;
      instances += all?.length ?? 1;
      if (all?.length === 0) {
        const { file, line } = source;
        notMade.push({ address: addressOf({ source, scope }), file, line, path: null, ...none });
        continue;
      }
      const reason =
        mapped === undefined || all !== undefined
          ? firstOf(all ?? [], (one) => whyNot(one, mapped, isElsewhere))
          : repeated;
      if (mapped === undefined || all === undefined || reason !== undefined) {
        const line = reason === repeated ? lineIn(source.forEach ?? source.count) : undefined;
        refuse({ source, scope }, reason ?? noType(source, scope), line);
        for (const _ of all ?? [source]) managed.push({ scope, type, address: source.address });
        continue;
      }
      for (const one of all) {
        managed.push({ scope, type, address: one.source.address });
        choose(one, mapped, own);
      }
    }
  }
  for (const part of parts) {
    const owner = ownerOf(part, byScope);
    const refusal = leftOut.get(keyOf(part));
    const reason: Reason | undefined =
      refusal === undefined
        ? owner === undefined
          ? partOfNothing
          : isOfSameLoop(part, owner)
            ? undefined
            : partOfLoop
        : { code: "not_expressible", reason: refusal.message };
    if (owner === undefined || reason !== undefined) {
      refuse(part, reason ?? partOfNothing);
      continue;
    }
    part.name = owner.name;
    owner.parts.push(part);
    byScope.get(part.scope.home)?.set(part.source.address, part);
  }
  return { drafted, byScope, managed, gaps, notMade };
}

/** An object of a repeated resource, or all objects of a loop. */
interface Repeated {
  source: SourceResource;
  scope: Scope;
  label: string;
  loop?: Loop;
  /** The number of its objects, if the files decide it. */
  size?: number;
}

/** More objects than these are a loop, though the files decide them. */
const MAX_WRITTEN_OUT = 10;

/** All objects of a resource, each with its own address. Undefined: the draft cannot tell how many there are. */
function repeatedOf(
  given: SourceResource,
  scope: Scope,
  isWrittenOut: boolean,
): Repeated[] | undefined {
  const source = withoutMet(given, scope);
  const instances = scope.decided.instances(source, scope);
  const all = instances && eachInstance(instances, scope);
  if (all !== undefined && (all.length <= MAX_WRITTEN_OUT || isWrittenOut))
    return all.map(({ key, label, scope: own }) => ({
      source: key === "" ? source : { ...source, address: `${source.address}${key}` },
      scope: own,
      label,
    }));
  const { count, forEach } = source;
  const when = count && conditionOfCount(count, scope.home);
  if (when !== undefined && source.when === undefined)
    return [
      { source: { ...source, when }, scope: { ...scope, instance: { index: 0 } }, label: "" },
    ];
  const of = forEach ?? count;
  if (of === undefined) return undefined;
  const loop: Loop = { by: forEach === undefined ? "count" : "each", of };
  const size = Math.max(1, all?.length ?? 1);
  return [{ source, scope: { ...scope, instance: { loop } }, label: "", loop, size }];
}

/** The resource without a condition of Terraform that the files decide to be true. */
function withoutMet(source: SourceResource, { home, decided }: Scope): SourceResource {
  if (source.when === undefined || home.module.format !== "terraform") return source;
  const holds = asTruth(decided.decide(decided.bound(source.when, home)));
  return holds === true ? { ...source, when: undefined } : source;
}

/** The addresses of repeated resources and modules of which an object exists already. */
function repeatedIn(existing: ExistingIds): ReadonlySet<string> {
  return new Set(
    [...existing.keys()].flatMap((address) =>
      [...address.matchAll(/\[/g)].map(({ index }) => address.slice(0, index)),
    ),
  );
}

function unnamed(
  { source, scope, loop }: Pick<DraftedResource, "source" | "scope" | "loop">,
  mapped: MappedType,
  more: Partial<Pick<DraftedResource, "facts" | "component">>,
): DraftedResource {
  return {
    name: "",
    scope,
    source,
    mapped,
    facts: undefined,
    ...more,
    loop,
    parts: [],
    beside: [],
  };
}

/** `line`: of the argument that decides it, if only one does. */
type Refuse = (
  one: Pick<DraftedResource, "source" | "scope" | "path">,
  reason: Reason,
  line?: number,
) => void;

interface Reason {
  code: GapCode;
  reason: string;
}

/** A key that is unique for each object of the draft. */
export function keyOf(made: DraftedResource): string {
  return `${addressOf(made)} ${made.path ?? ""}`;
}

const notAdopted: Reason = {
  code: "not_adopted",
  reason:
    "It exists already, and the state does not tell the id that it has here: it would be made a second time.",
};
const loopAdopted: Reason = {
  code: "not_adopted",
  reason:
    "Its objects exist already, and a loop adopts none: it would make them a second time. Import them as single resources first.",
};
const componentAdopted: Reason = {
  code: "not_adopted",
  reason:
    "Its objects exist already, and a draft adopts none inside a component: it would make them a second time. Import them as single resources first.",
};
const none: Reason = {
  code: "not_made",
  reason: "By what the files give, it stands for no object: `count` is 0, or `for_each` is empty.",
};
const noModule: Reason = {
  code: "no_module",
  reason:
    "The import does not have the module that it calls: send the module's files too, or what it makes is missing.",
};
/** The gap for a call whose module another deployment may choose. */
function chosenModule({ name, file, line }: ModuleCall, variable: string, scope: Scope): DraftGap {
  return {
    address: `${scope.prefix}module.${name}`,
    file,
    line,
    path: "source",
    code: "not_expressible",
    reason: `A variable decides on the module: the draft has the one of the default of \`${variable}\`.`,
  };
}

const noComponent: Reason = {
  code: "not_expressible",
  reason:
    "The template has no room for the content of this stack, and the stack's own draft has nothing that could be a component.",
};
const tooMany: Reason = { code: "too_many", reason: "A template has at most 500 resources." };
const repeated: Reason = {
  code: "repeated",
  reason:
    "It stands for several objects, or for one under a condition (`count`, `for_each`), and the files do not decide for which: a template writes them out one by one.",
};
const elsewhere: Reason = {
  code: "other_region",
  reason:
    "Its provider's region is another than that of the module: deploy it as an instance of its own, at a target of that region.",
};
const moreThanSaid: Reason = {
  code: "not_expressible",
  reason:
    "It has an argument that our type cannot say, and without it the object would do something else.",
};
const partOfNothing: Reason = {
  code: "not_expressible",
  reason: "It belongs to another object, and the draft does not have that one.",
};

const partOfLoop: Reason = {
  code: "not_expressible",
  reason: "It belongs to another object, and the two repeat differently.",
};

/** Whether a part has one object for each of its owner. */
function isOfSameLoop(part: DraftedResource, owner: DraftedResource): boolean {
  if (part.loop === undefined || owner.loop === undefined) return part.loop === owner.loop;
  return (
    part.scope.home === owner.scope.home &&
    withoutLines(part.loop.of) === withoutLines(owner.loop.of)
  );
}

function whyNot(
  { source, scope }: Repeated,
  mapped: MappedType | undefined,
  isElsewhere: (source: SourceResource) => boolean,
): Reason | undefined {
  if (mapped === undefined) return noType(source, scope);
  if (source.undraftable !== undefined)
    return { code: "not_expressible", reason: source.undraftable };
  const isUnsaid = source.settings.members.some(({ name, value }) => {
    if (!mapped.unless.includes(name)) return false;
    const said = scope.decided.decide(scope.decided.bound(value, scope));
    return !(said?.kind === "literal" && (said.value === null || said.value === false));
  });
  if (isUnsaid) return moreThanSaid;
  return isElsewhere(source) ? elsewhere : undefined;
}

function firstOf<One, Found>(all: readonly One[], find: (one: One) => Found | undefined) {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The reason for leaving out the called module; undefined if it is in the draft. */
function whyNotCalled(call: ModuleCall, scope: Scope): Reason | undefined {
  const instances = scope.decided.instances(call, scope);
  if (instances === undefined) return repeated;
  return eachInstance(instances, scope).length === 0 ? none : undefined;
}

function noType({ type }: SourceResource, { module }: Scope): Reason {
  if (module.format === "kubernetes") return { code: "no_type", reason: whyNotApplied(type) };
  if (module.format === "compose") return { code: "no_type", reason: noCloud };
  const cloud = cloudOf(type.split(/[_:]/, 1)[0] ?? "");
  const ofStack = module.format === "cloudformation" ? whyNoTypeOfStack(type) : undefined;
  if (ofStack !== undefined) return { code: "no_type", reason: ofStack };
  const reason =
    cloud === null
      ? "It belongs to no cloud that this service deploys to."
      : `No type of ${cloud} is known for it.`;
  return { code: "no_type", reason };
}

const noCloud =
  "Compose names no cloud, so a draft has no object for it: write it as an object of the cloud that shall run it.";

const computedBlock: Reason = {
  code: "not_expressible",
  reason: "It is computed, and each of its blocks would be an object of its own.",
};
const fixedDefault: Reason = {
  code: "not_expressible",
  reason: "The draft has an object for what the default of its variable says.",
};

/** The object that a part refers to, if its type has such parts. */
function ownerOf(
  { source, scope, mapped }: DraftedResource,
  byScope: ChosenResources["byScope"],
): DraftedResource | undefined {
  const { part } = mapped;
  const named = source.settings.members.find(({ name }) => name === part?.partOf)?.value;
  const owner = named && objectNamedBy(named, scope, byScope);
  return owner?.mapped.type === part?.type && owner?.mapped.part === undefined ? owner : undefined;
}

/** The further objects that a resource implies: one for each item or block of an argument. */
function* besideOf(
  made: DraftedResource,
  { names, catalogue }: Choice,
  refuse: Refuse,
): Iterable<DraftedResource> {
  const { source, mapped, scope } = made;
  for (const beside of mapped.beside) {
    const given = source.settings.members.find(({ name }) => name === beside.each);
    if (given === undefined) continue;
    const found = writtenOut(given.value, scope);
    // A variable with a single value is one item. A variable with a list has to be written out.
    const isFixed = found.variable !== undefined && !isMany(found.expression);
    const items: WrittenOut[] = isFixed ? [{ expression: given.value, scope }] : itemsOf(found);
    for (const [at, { expression: value, scope: inside }] of items.entries()) {
      if (value.kind === "literal" && value.value === null) continue;
      const path = items.length === 1 ? beside.each : `${beside.each}[${at}]`;
      if (beside.to === undefined && value.kind !== "object") {
        refuse({ source, scope, path }, computedBlock);
        continue;
      }
      const member: Member = { name: beside.each, value, line: given.line };
      const isBlock = beside.to === undefined && value.kind === "object";
      const members = isBlock ? value.members : [member];
      if (found.variable !== undefined && isMany(found.expression))
        refuse({ source, scope, path }, fixedDefault);
      yield {
        name: names.take(`${made.name} ${path}`),
        scope,
        settingsFrom: inside,
        path,
        source: { ...source, dependsOn: [], settings: { kind: "object", members } },
        mapped: besideType(made, beside),
        facts: catalogue.facts(beside.type),
        loop: made.loop,
        parts: [],
        beside: [],
      };
    }
  }
}

function besideType(made: DraftedResource, beside: BesideMapping): MappedType {
  const { mapped } = made;
  return {
    ...mapped,
    type: beside.type,
    under: undefined,
    unless: [],
    beside: [],
    rules: new Map([
      ...Object.entries(beside.members ?? {}),
      ...(beside.to === undefined ? [] : [[beside.each, beside.to] as const]),
    ]),
    set: {
      ...beside.set,
      [beside.of]: referenceTo(ownReference(made), stepsOf(mapped.outputs.get("id") ?? "id")),
    },
    defaults: undefined,
    outputs: new Map(),
    constants: new Map(),
    id: "none",
  };
}

function isMany(expression: Expression): boolean {
  return expression.kind === "list" || expression.kind === "object";
}

function nameOf(source: SourceResource, { label: around, module }: Scope): string {
  return module.format === "terraform"
    ? nameInDraft(source, around)
    : wordsOf(`${around}_${source.address}`);
}
