import type { InstanceState, StoredResource } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { Template } from "#engine/template/template.ts";

/**
 * Throws `ResolveError` when a resource is to import an object that another one of the instance has, or is to import
 * as well: what becomes of the one would befall the other, a delete too. `state`: under the template's names.
 */
export function checkImports(template: Template, state: InstanceState): void {
  const taken = new Map<string, string>();
  for (const object of [...state.current.values(), ...state.pendingDeletes])
    if (!letsGo(object, template, state)) taken.set(keyOf(object.type, object.id), object.name);
  for (const [name, { type, options, place }] of Object.entries(template.resources)) {
    if (options.import === undefined || state.current.has(name)) continue;
    const key = keyOf(type, options.import);
    const holder = taken.get(key);
    if (holder !== undefined)
      throw new ResolveError(
        "import_in_use",
        `${name} is to import ${options.import}, which is the object of ${holder} already. If it is the same resource under another name, give ${name} the alias ${holder} in place of \`import\`.`,
        place,
      );
    taken.set(key, name);
  }
}

/** It leaves the instance with the plan, and its object stays at the provider. */
function letsGo(
  { name, retainOnDelete }: StoredResource,
  template: Template,
  state: InstanceState,
) {
  return retainOnDelete && state.current.has(name) && !Object.hasOwn(template.resources, name);
}

function keyOf(type: string, id: string): string {
  return `${type}\n${id}`;
}
