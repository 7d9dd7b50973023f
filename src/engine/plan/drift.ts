/**
 * Compares objects at the provider with what was last applied. Only properties that we set count: providers add
 * properties of their own and normalize some of ours. So a property has drifted when it equals neither the value
 * sent nor the value the provider returned right after it was sent.
 */
import type { InstanceState, StoredResource, Drift } from "#engine/state/state.ts";
import { own } from "#engine/template/own.ts";
import {
  hasSecret,
  isMap,
  reveal,
  Secret,
  secretLike,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import { canonicalJson, type Json, type JsonMap } from "#platform/json.ts";
import { applyIgnored, diffInputs } from "./diff.ts";
import type { Plan, ResourceChange, Step } from "./steps.ts";

/**
 * The drift of an object that the provider returns as `shown`, or that is gone; undefined when there is none.
 * Ignores `writeOnly` properties, the paths in `ignoreChanges`, and the order of lists: some providers store
 * lists as sets.
 */
export function findDrift(
  stored: Pick<StoredResource, "inputs" | "outputs">,
  shown: JsonMap | "gone",
  rules: { writeOnly: readonly string[]; ignoreChanges: readonly string[] },
): Drift | undefined {
  if (shown === "gone") return { kind: "missing" };
  const entries = Object.entries(stored.inputs).flatMap(([key, value]): [string, Value][] => {
    if (rules.writeOnly.includes(key)) return [[key, value]];
    const real = observe(value, own(stored.outputs, key), own(shown, key));
    return real === undefined ? [] : [[key, real]];
  });
  const observed = applyIgnored(stored.inputs, Object.fromEntries(entries), rules.ignoreChanges);
  return same(observed, stored.inputs) ? undefined : { kind: "changed", observed };
}

/** True when two drift checks found the same. */
export function sameDrift(a: Drift | undefined, b: Drift | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "missing" || b.kind === "missing") return a.kind === b.kind;
  return same(a.observed, b.observed);
}

/** The properties as last observed by a drift check, else as last sent. */
export function lastSeenInputs({ inputs, drift }: StoredResource): ValueMap {
  return drift?.kind === "changed" ? drift.observed : inputs;
}

/** The plan of a drift check: one read for each object that is known to exist. */
export function driftPlan(state: InstanceState): Plan {
  const known = [...state.current.values()].filter(({ lostToken }) => lostToken === undefined);
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

/** The drift found, as the plan that would correct it: `before` is the observed value, `after` the applied one. */
export function driftReport(state: InstanceState): Pick<Plan, "changes" | "summary"> {
  const changes = [...state.current.values()].map(changeOf);
  const summary = { create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
  for (const { action } of changes) summary[action] += 1;
  return { changes, summary };
}

function changeOf(stored: StoredResource): ResourceChange {
  const { name, type, id, drift, lostToken } = stored;
  const about = {
    resource: name,
    type,
    tentative: false,
    ...(lostToken === undefined ? { id } : {}),
  };
  if (drift === undefined) return { ...about, action: "unchanged", changes: [] };
  if (drift.kind === "missing")
    return { ...about, action: "create", changes: [], reason: "missing at the provider" };
  const { changes } = diffInputs(
    drift.observed,
    stored.inputs,
    { immutable: [] },
    { ignoreChanges: [], replaceOnChanges: [] },
  );
  return { ...about, action: "update", changes, reason: "changed at the provider" };
}

/** The observed value of `sent`; undefined when it no longer exists. */
function observe(
  sent: Value,
  lastShown: Value | undefined,
  shown: Json | undefined,
): Value | undefined {
  if (sent instanceof Secret) {
    const real = observe(sent.value, lastShown, shown);
    if (real === undefined) return undefined;
    return same(real, sent.value) ? sent : new Secret(real, sent);
  }
  const before = lastShown instanceof Secret ? lastShown.value : lastShown;
  if (shown === undefined) return before === undefined ? sent : undefined;
  if (same(shown, sent) || (before !== undefined && same(shown, before))) return sent;
  // A list's secret items are known by index only, and a change to the list may have moved them.
  if (hasSecret(sent) && !(isMap(sent) && isMap(shown))) return secretLike(shown, sent);
  if (isMap(sent) && isMap(shown)) {
    const old = isMap(before) ? before : {};
    return Object.fromEntries(
      Object.entries(sent).flatMap(([key, item]): [string, Value][] => {
        const real = observe(item, own(old, key), own(shown, key));
        return real === undefined ? [] : [[key, real]];
      }),
    );
  }
  if (Array.isArray(sent) && Array.isArray(shown) && sent.length === shown.length) {
    const old = Array.isArray(before) ? before : [];
    return sent.map((item, i) => observe(item, old[i], shown[i]) ?? null);
  }
  return shown;
}

function same(a: Value, b: Value): boolean {
  return unordered(reveal(a)) === unordered(reveal(b));
}

/** Canonical JSON with every list sorted. */
function unordered(value: Json): string {
  return canonicalJson(sorted(value));
}

function sorted(value: Json): Json {
  if (Array.isArray(value))
    return value
      .map(sorted)
      .map((item) => ({ item, key: canonicalJson(item) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ item }) => item);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sorted(item)]));
}
