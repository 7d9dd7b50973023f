/** Drafts the modules that others use as components, each once. */
import { readTemplate } from "#engine/template/parse.ts";
import { Report } from "#engine/template/report.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import { scopesOf } from "#importers/evaluate/scopes.ts";
import type { ImportWork } from "#importers/import-work.ts";
import type { SafeModule } from "#importers/source-module.ts";
import {
  COMPONENT_RELEASE,
  type ComponentDraft,
  type ComponentDrafts,
  resolvedComponents,
} from "./components.ts";
import type { DocumentNames } from "./document-names.ts";
import type { DraftWithInputs } from "./draft-builder.ts";
import type { Draft } from "./values/draft.ts";

/** Of components in components, by the language. */
const MAX_DEPTH = 5;

/** A module with the scopes that its own draft has. */
export interface ComponentScopes {
  path: string;
  root: Scope;
  all: readonly Scope[];
}

/** The modules whose calls are uses of components, with those that they use so before them. */
export function componentScopes(
  scopes: readonly Scope[],
  modules: ReadonlyMap<string, SafeModule>,
  work: ImportWork,
): ComponentScopes[] {
  const found = new Map<string, ComponentScopes>();
  const visit = (all: readonly Scope[], around: readonly string[]): void => {
    for (const scope of all)
      for (const call of scope.module.moduleCalls) {
        const { target, count, forEach, isComponent = false } = call;
        const module = target === null ? undefined : modules.get(target);
        const isOpen =
          (isComponent || (count ?? forEach) !== undefined) &&
          scope.decided.instances(call, scope) === undefined;
        if (module === undefined || target === null || !isOpen || found.has(target)) continue;
        // A module that calls itself has no draft.
        if (around.includes(target) || around.length > MAX_DEPTH || work.isSpent) continue;
        const own = scopesOf(module, modules, work);
        visit(own.all, [...around, target]);
        found.set(target, { path: target, ...own });
      }
  };
  visit(scopes, [scopes[0]?.module.path ?? ""]);
  return [...found.values()];
}

/** The components of an import, each drafted once for all its roots. */
export class ComponentLibrary {
  /** By the paths of their modules. Undefined: the module has no draft that others can use. */
  readonly #known = new Map<string, ComponentDraft | undefined>();
  /** Of all components, also of those that no template can be made of: each says what it leaves out. */
  readonly drafts: Draft[] = [];
  readonly #names: DocumentNames;
  #left: number;

  /** `names`: of all drafts of the import. `limit`: the number of components that it may have. */
  constructor(names: DocumentNames, limit: number) {
    this.#names = names;
    this.#left = limit;
  }

  /** Drafts those that no earlier root uses. `draft`: drafts the scopes of a module. */
  add(
    order: readonly ComponentScopes[],
    draft: (of: ComponentScopes, name: string, components: ComponentDrafts) => DraftWithInputs,
  ): void {
    for (const one of order) {
      if (this.#known.has(one.path) || this.#left === 0) continue;
      this.#left -= 1;
      const name = this.#names.take(one.path);
      const below = this.usedIn(one.all);
      const made = draft(one, name, below);
      const { source } = made.draft;
      const template = source === null ? undefined : readTemplate(source, new Report());
      const component = template && {
        name,
        draft: { ...made.draft, release: COMPONENT_RELEASE },
        template,
        inputs: made.inputs,
        pseudoParameters: made.pseudoParameters,
        below: resolvedComponents(below.values()),
      };
      this.#known.set(one.path, component);
      this.drafts.push(component?.draft ?? made.draft);
    }
  }

  /** The components that calls of these scopes use. */
  usedIn(scopes: readonly Scope[]): ComponentDrafts {
    const targets = scopes.flatMap(({ module }) =>
      module.moduleCalls.map(({ target }) => target ?? ""),
    );
    return new Map(
      targets.flatMap((path): [string, ComponentDraft][] => {
        const component = this.#known.get(path);
        return component === undefined ? [] : [[path, component]];
      }),
    );
  }
}
