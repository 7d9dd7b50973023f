import type { InstanceState, StoredResource } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { Template } from "#engine/template/template.ts";

/**
 * Throws `ResolveError` when a resource imports an object that another resource of the instance owns or also
 * imports: a change or delete of one would hit the other. `state` uses the template's names (`adoptAliases`).
 */
export function checkImports(template: Template, state: InstanceState): void {
  const taken = new Map<string, string>();
  for (const object of [...state.current.values(), ...state.pendingDeletes])
    if (!isReleased(object, template, state)) taken.set(keyOf(object.type, object.id), object.name);
  for (const [name, { type, options, place }] of Object.entries(template.resources)) {
    if (options.import === undefined || state.current.has(name)) continue;
    const key = keyOf(type, options.import);
    const holder = taken.get(key);
    if (holder !== undefined)
      throw new ResolveError(
        "import_in_use",
        `${name} imports ${options.import}, which already belongs to ${holder}. If ${name} is the new name of ${holder}, remove \`import\` and add the alias ${holder} to ${name}.`,
        place,
      );
    taken.set(key, name);
  }
}

/** The plan removes the resource from the instance, and its object stays at the provider. */
function isReleased(
  { name, retainOnDelete }: StoredResource,
  template: Template,
  state: InstanceState,
) {
  return retainOnDelete && state.current.has(name) && !Object.hasOwn(template.resources, name);
}

function keyOf(type: string, id: string): string {
  return `${type}\n${id}`;
}
