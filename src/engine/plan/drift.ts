/**
 * Compares objects at the provider with their last applied properties. Only properties that this service sent count,
 * since providers add properties of their own and normalize some of those sent. So a property has drifted when it
 * equals neither the value sent nor the value returned right after it was sent, unless that returned value was already
 * known to differ.
 */
import {
  type Likeness,
  isSet,
  likenessAt,
  meaningOf,
  shownLikeness,
  sideBySide,
} from "#engine/likeness.ts";
import { factPath } from "#engine/path-set.ts";
import {
  type Drift,
  driftOf,
  type InstanceState,
  knownObject,
  type KnownResource,
  type StoredResource,
} from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import { asSent, sealAt } from "#engine/value-paths.ts";
import {
  hasSecret,
  isMap,
  reveal,
  Secret,
  secretLike,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import { canonicalJson } from "#platform/json.ts";
import { extendsText } from "#platform/text/extends-text.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { applyIgnored, diffInputs } from "./diff.ts";
import type { Plan, ResourceChange, Step } from "./steps.ts";

/** The facts of a type and the ignored paths of a resource that a drift check needs. */
export type DriftRules = Partial<
  Pick<
    TypeFacts,
    "writeOnly" | "readOnly" | "secretOutputs" | "shownAt" | "caseInsensitive" | "floating" | "sets"
  >
> & { ignoreChanges: readonly string[] };

/**
 * The drift of an object that the provider returns as `shown`, or that is gone; undefined when there is none. Ignores
 * write-only and read-only properties, the paths in `ignoreChanges`, meaningless letter case, and the order of sets. If
 * the type names no sets, it ignores the order of all lists, since some providers store lists as sets.
 */
export function findDrift(
  stored: Pick<KnownResource, "inputs" | "outputs" | "drift">,
  shown: ValueMap | "gone",
  rules: DriftRules,
): Drift | undefined {
  if (shown === "gone") return { kind: "missing" };
  const likeness = shownLikeness(rules);
  const before = asSent(stored.outputs, rules.shownAt);
  const now = asSent(sealAt(shown, rules.secretOutputs), rules.shownAt);
  const known = stored.drift?.kind === "changed" ? stored.drift.observed : undefined;
  const seen = observe(stored.inputs, before, now, likeness, known);
  const found = withoutAbsent(isMap(seen) ? seen : {}, shown, rules.shownAt);
  const observed = applyIgnored(stored.inputs, found, rules.ignoreChanges);
  return alike(observed, stored.inputs, likeness) ? undefined : { kind: "changed", observed };
}

/** True when two drift checks found the same. */
export function sameDrift(a: Drift | undefined, b: Drift | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "missing" || b.kind === "missing") return a.kind === b.kind;
  return canonicalJson(reveal(a.observed)) === canonicalJson(reveal(b.observed));
}

/** The properties as last observed by a drift check, else as last sent. */
export function lastSeenInputs(stored: StoredResource): ValueMap {
  const drift = driftOf(stored);
  return drift?.kind === "changed" ? drift.observed : stored.inputs;
}

/** The plan of a drift check: one read for each object that is known to exist. */
export function driftPlan(state: InstanceState): Plan {
  const known = [...state.current.values()].flatMap((object) => knownObject(object) ?? []);
  const steps = known.map(({ name, type, id }): Step => ({
    id: `read:${name}`,
    kind: "read",
    resource: name,
    type,
    action: "read",
    dependsOn: [],
    objectId: id,
  }));
  return { operation: "drift_check", stateSerial: state.serial, ...driftReport(state), steps };
}

/** The effect of a deploy of the applied inputs on a drifted object. */
type Correction = Pick<ResourceChange, "action" | "reason">;

/**
 * The found drift, as the plan that would correct it: `before` is the observed value, `after` the applied one.
 * `correction`: the action of the next deploy; `unchanged` if it can restore nothing. Default: an update.
 */
export function driftReport(
  state: InstanceState,
  correction: (stored: StoredResource) => Correction = () => ({ action: "update" }),
): Pick<Plan, "changes" | "summary"> {
  const changes = [...state.current.values()].map((stored) => changeOf(stored, correction));
  const summary = { create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
  for (const { action } of changes) if (action !== "read") summary[action] += 1;
  return { changes, summary };
}

function changeOf(
  stored: StoredResource,
  correction: (stored: StoredResource) => Correction,
): ResourceChange {
  const { name, type } = stored;
  const known = knownObject(stored);
  const about = {
    resource: name,
    type,
    tentative: false,
    ...(known === undefined ? {} : { id: known.id }),
  };
  const drift = known?.drift;
  if (drift === undefined) return { ...about, action: "unchanged", changes: [] };
  if (drift.kind === "missing")
    return { ...about, action: "create", changes: [], reason: "missing at the provider" };
  const { changes } = diffInputs(
    drift.observed,
    stored.inputs,
    { immutable: [] },
    { ignoreChanges: [], replaceOnChanges: [] },
  );
  const { action, reason = "changed at the provider" } = correction(stored);
  return { ...about, action, changes, reason };
}

/** Without the properties that the cloud would show in an object that is null. */
function withoutAbsent(found: ValueMap, shown: ValueMap, shownAt: TypeFacts["shownAt"]): ValueMap {
  const isAbsent = (property: string): boolean => {
    const place = own(shownAt ?? {}, property);
    const [first, ...rest] = place === undefined ? [] : factPath(place);
    return rest.length > 0 && own(shown, String(first)) === null;
  };
  return Object.fromEntries(
    Object.entries(found).filter(([property, value]) => value === null || !isAbsent(property)),
  );
}

/** Whether `shown` is this value, by likeness, perhaps with additional members from the cloud. */
export function isShownAs(value: Value, shown: Value, likeness: Likeness): boolean {
  const real = observe(value, undefined, shown, likeness);
  return real !== undefined && alike(real, value, likeness);
}

/**
 * The observed value of `sent`; undefined when it no longer exists. `known`: an earlier observation that is no form of
 * the sent value.
 */
function observe(
  sent: Value,
  lastShown: Value | undefined,
  shown: Value | undefined,
  likeness: Likeness,
  known?: Value,
): Value | undefined {
  if (likeness.hidden.here) return sent;
  if (likeness.floating.here && extendsText(sent, shown)) return sent;
  if (sent instanceof Secret || shown instanceof Secret) {
    const real = observe(plain(sent), lastShown, plain(shown), likeness, plain(known));
    if (real === undefined) return undefined;
    return alike(real, sent, likeness) ? sent : secretLike(real, sent, shown ?? null);
  }
  const before = plain(lastShown);
  if (shown === undefined) return before === undefined ? sent : undefined;
  if (alike(shown, sent, likeness)) return sent;
  const differed = plain(known);
  const unlike = differed !== undefined && !alike(differed, sent, likeness);
  const isNested = isMap(sent) && isMap(shown);
  const stillDiffers = unlike && (isNested || isShownAs(differed, shown, likeness));
  if (before !== undefined && alike(shown, before, likeness) && !stillDiffers) return sent;
  if (isMap(sent) && isMap(shown)) {
    const old = isMap(before) ? before : {};
    const was = isMap(differed) ? differed : {};
    return Object.fromEntries(
      Object.entries(sent).flatMap(([key, item]): [string, Value][] => {
        const of = [own(old, key), own(shown, key), likenessAt(likeness, key)] as const;
        const real = observe(item, ...of, own(was, key));
        return real === undefined ? [] : [[key, real]];
      }),
    );
  }
  if (Array.isArray(sent) && Array.isArray(shown)) {
    const old = Array.isArray(before) && !stillDiffers ? before : [];
    const real = observeItems(sent, old, shown, likeness);
    if (!hasSecret(sent) || alike(real, sent, likeness)) return real;
  }
  // Secret items of a list are known only by index, and a change to the list may have moved them.
  return secretLike(shown, sent);
}

function observeItems(
  sent: readonly Value[],
  before: readonly Value[],
  shown: readonly Value[],
  likeness: Likeness,
): Value[] {
  if (sent.length !== shown.length) return [...shown];
  const ofItem = likenessAt(likeness, 0);
  if (likeness.sets === "all" || !isSet(likeness))
    return sent.map((item, at) => observe(item, before[at], shown[at], ofItem) ?? null);
  const keys = new Set(sent.flatMap((item) => (isMap(item) ? Object.keys(item) : [])));
  const sentPart = (item: Value): Value =>
    isMap(item) ? Object.fromEntries(Object.entries(item).filter(([key]) => keys.has(key))) : item;
  const keyOf = (item: Value): string => meaningOf(reveal(sentPart(item)), ofItem);
  const { left, right } = sideBySide(sent, shown, keyOf);
  return left.map((item, at) => observe(item, undefined, right[at], ofItem) ?? null);
}

function plain(value: Value): Value;
function plain(value: Value | undefined): Value | undefined;
function plain(value: Value | undefined): Value | undefined {
  return value instanceof Secret ? plain(value.value) : value;
}

/** Whether two values mean the same to the cloud. */
export function alike(a: Value, b: Value, likeness: Likeness): boolean {
  return meaningOf(reveal(a), likeness) === meaningOf(reveal(b), likeness);
}
