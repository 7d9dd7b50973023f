/**
 * Ids that are unique only within what the object belongs to. The engine has them with the parent's id before them,
 * `<cluster>/<name>`, so that no two objects of a target have the same; requests have the object's own.
 */
import type { JsonMap } from "#platform/json.ts";
import type { Outcome } from "#providers/provider.ts";
import type { Failed } from "./definition.ts";
import { type Attempt, failure, knownIdOf, placeholderSources } from "./requests/attempt.ts";
import { fillId, placeholdersIn } from "./requests/fill-path.ts";

type Located = { ok: true; attempt: Attempt; id: string } | { ok: false; failed: Failed };

/** The object's own id, and the properties with the parents that the engine's id names. */
export function located(attempt: Attempt, id: string): Located {
  const { within } = attempt.row.id ?? {};
  if (within === undefined) return { ok: true, attempt, id };
  const names = placeholdersIn(within);
  const segments = id.split("/");
  const own = segments.slice(names.length).join("/");
  const parents = Object.fromEntries(names.map((name, at) => [name, segments[at] ?? ""]));
  const { properties } = attempt;
  const agrees = names.every((name) => {
    const given = Object.hasOwn(properties, name) ? properties[name] : parents[name];
    return (
      given === parents[name] || (typeof given === "number" && String(given) === parents[name])
    );
  });
  if (own !== "" && agrees)
    return {
      ok: true,
      attempt: { ...attempt, properties: { ...parents, ...properties } },
      id: own,
    };
  const form = [...names, "name or id"].map((name) => `<${name}>`).join("/");
  const message = agrees
    ? `The id ${id} is not one of ${attempt.type}: write ${form}.`
    : `The id ${id} is of an object elsewhere than the properties say: write ${form}.`;
  return { ok: false, failed: failure("invalid_id", message) };
}

/** The engine's id of an object. */
export function placedId(attempt: Attempt, id: string): string {
  const parents = parentsOf(attempt);
  return parents === undefined ? id : `${parents}/${id}`;
}

/** The own ids of those that are in the same place. */
export function ownIds(attempt: Attempt, ids: readonly string[]): string[] {
  const parents = parentsOf(attempt);
  if (parents === undefined) return [...ids];
  const start = `${parents}/`;
  return ids.flatMap((id) => (id.startsWith(start) ? [id.slice(start.length)] : []));
}

/** The engine's id that the row knows before the call. */
export function knownPlacedId(attempt: Attempt): string | undefined {
  const id = knownIdOf(attempt);
  return id === undefined ? undefined : placedId(attempt, id);
}

/** The outcome with the engine's id. */
export function placedOutcome(attempt: Attempt, outcome: Outcome): Outcome {
  if (attempt.row.id?.within === undefined || !("id" in outcome) || outcome.id === undefined)
    return outcome;
  const id = placedId(attempt, outcome.id);
  const outputs = "outputs" in outcome ? outcome.outputs : undefined;
  return {
    ...outcome,
    id,
    ...(outputs === undefined ? {} : { outputs: withId(outputs, outcome.id, id) }),
  };
}

/** What was shown as the id without being one of the cloud's own. */
function withId(outputs: JsonMap, own: string, id: string): JsonMap {
  return outputs["id"] === own ? { ...outputs, id } : outputs;
}

function parentsOf(attempt: Attempt): string | undefined {
  const { within } = attempt.row.id ?? {};
  if (within === undefined) return undefined;
  const filled = fillId(within, placeholderSources(attempt));
  return filled.ok ? filled.path : undefined;
}
