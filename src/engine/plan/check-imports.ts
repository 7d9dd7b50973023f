import { type InstanceState, knownObject, type StoredResource } from "#engine/state/state.ts";
import { aliasFor } from "#engine/template/levels/address.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { Template } from "#engine/template/template.ts";
import { withoutVersion } from "#providers/type-name.ts";

/** An object that a resource of the template imports. */
interface ImportedObject {
  type: string;
  id: string;
}

/** The objects that the plan would import. `state` uses the template's names (`adoptAliases`). */
export function importedObjects(template: Template, state: InstanceState): ImportedObject[] {
  return Object.entries(template.resources).flatMap(([name, { type, options }]) =>
    options.import === undefined || hasObject(state, name) ? [] : [{ type, id: options.import }],
  );
}

/**
 * Throws `ResolveError` when a resource imports an object that another resource of the instance owns or also imports,
 * or that another instance manages. A change or delete of one would affect the other. `state` uses the template's names
 * (`adoptAliases`). `claimed`: the sentence about another instance's object.
 */
export function checkImports(
  template: Template,
  state: InstanceState,
  claimed: (object: ImportedObject) => string | undefined,
): void {
  const taken = new Map<string, string>();
  for (const object of [...state.current.values(), ...state.pendingDeletes])
    if (object.state !== "lost" && !isReleased(object, template, state))
      taken.set(keyOf(object.type, object.id), object.name);
  for (const [name, { type, options, place }] of Object.entries(template.resources)) {
    if (options.import === undefined || hasObject(state, name)) continue;
    const key = keyOf(type, options.import);
    const holder = taken.get(key);
    if (holder !== undefined) {
      const { alias, on } = aliasFor(holder, name);
      throw new ResolveError(
        "import_in_use",
        `${name} imports ${options.import}, which already belongs to ${holder}. If ${name} is the new name of ${holder}, remove \`import\` and add the alias \`${alias}\` to ${on}.`,
        place,
      );
    }
    const refusal = claimed({ type, id: options.import });
    if (refusal !== undefined)
      throw new ResolveError("claimed", `${name} cannot be imported. ${refusal}.`, place);
    taken.set(key, name);
  }
}

/** A resource whose create was never answered has no object, so it may import one that was found. */
function hasObject({ current }: InstanceState, name: string): boolean {
  return knownObject(current.get(name)) !== undefined;
}

/** The plan removes the resource from the instance and leaves its object at the provider. */
export function isReleased(
  { name, retainOnDelete }: StoredResource,
  template: Template,
  state: InstanceState,
) {
  return retainOnDelete && state.current.has(name) && !manages(template, name);
}

function manages({ resources }: Template, name: string): boolean {
  return Object.hasOwn(resources, name) && resources[name]?.get === undefined;
}

function keyOf(type: string, id: string): string {
  return `${withoutVersion(type)}\n${id}`;
}
