import { type InstanceState, knownObject } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import { hasUnknown, Secret, type Value } from "#engine/value.ts";
import { isSameType } from "#providers/type-name.ts";
import { isReleased } from "./check-imports.ts";

const MAX_ID = 2_000;

/**
 * Throws `ResolveError` when the instance manages a resource that the template only reads: the plan would delete its
 * object. `state` uses the template's names (`adoptAliases`).
 */
export function checkGets(template: Template, { current }: InstanceState): void {
  for (const [name, { get, place }] of Object.entries(template.resources)) {
    const stored = current.get(name);
    if (get === undefined || stored === undefined || stored.retainOnDelete) continue;
    throw new ResolveError(
      "get_of_managed",
      `${name} is to be read with \`get\`, but this instance manages an object of that name, which would be deleted. To keep the object, set \`retainOnDelete: true\` on ${name} and deploy; then write \`get\`. To delete it, remove ${name} and deploy; then add it with \`get\`.`,
      place,
    );
  }
}

/** The id of the object to read; undefined: not known yet. Throws `ResolveError`. */
export function idOfGet(
  name: string,
  { place, places }: Pick<ResourceDeclaration, "place" | "places">,
  value: Value,
): string | undefined {
  const at = places?.get("/get") ?? place;
  if (value instanceof Secret)
    throw new ResolveError(
      "sealed_value",
      `The id that ${name} reads is secret, and ids are shown in plans and logs. Use an id that is not secret.`,
      at,
    );
  if (hasUnknown(value)) return undefined;
  const id = typeof value === "number" ? String(value) : value;
  if (typeof id === "string" && id !== "" && id.length <= MAX_ID) return id;
  throw new ResolveError("not_a_text", `The id that ${name} reads is not a text.`, at);
}

/**
 * Throws `ResolveError` when the instance manages or imports the object to read, since the same run may change or
 * delete it. `state` uses the template's names.
 */
export function requireNotManaged(
  name: string,
  { type, id }: { type: string; id: string },
  template: Template,
  state: InstanceState,
): void {
  const imported = Object.entries(template.resources).find(
    ([, one]) => isSameType(one.type, type) && one.options.import === id,
  );
  const objects = [...state.current.values(), ...state.pendingDeletes];
  const managed = objects.find(
    (one) =>
      isSameType(one.type, type) &&
      knownObject(one)?.id === id &&
      !isReleased(one, template, state),
  );
  const owner = managed?.name ?? imported?.[0];
  if (owner === undefined) return;
  const declaration = Object.hasOwn(template.resources, name)
    ? template.resources[name]
    : undefined;
  throw new ResolveError(
    "get_in_use",
    `${name} reads ${id}, which this instance manages as ${owner}. Refer to \`\${${owner}}\` instead. To only read the object from now on, set \`retainOnDelete: true\` on ${owner}, deploy, and then replace ${owner} by ${name}.`,
    declaration?.place ?? { path: "/resources", line: 0, column: 0 },
  );
}
