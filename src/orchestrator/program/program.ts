/** A run's template with its values, parsed and decrypted once per life of the runner. */
import type { Diagnostic } from "#engine/diagnostics.ts";
import { managedDependencies, topologicalOrder } from "#engine/graph.ts";
import { idOfGet, requireNotManaged } from "#engine/plan/check-gets.ts";
import { decideChange } from "#engine/plan/decide-change.ts";
import type { ObjectToRead, PlanInput } from "#engine/plan/plan.ts";
import { markSecret, storedOutputs } from "#engine/plan/planned-outputs.ts";
import { requireSpelled } from "#engine/plan/require-spelled.ts";
import { requireUnsealed } from "#engine/plan/require-unsealed.ts";
import { requireWritable } from "#engine/plan/require-writable.ts";
import { namesNoRegion } from "#engine/resource-region.ts";
import { markRepeatedSecrets, secretStrings } from "#engine/secret-strings.ts";
import { type AliasUsers, aliasUsers, spendAliases } from "#engine/state/spend-aliases.ts";
import { type InstanceState, knownObject, type StoredResource } from "#engine/state/state.ts";
import { type TargetDefaults, withDefaults } from "#engine/target-defaults.ts";
import { own } from "#engine/template/own.ts";
import { inWords } from "#engine/template/place-in-words.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import {
  configValues,
  type ControlNames,
  createResolver,
  type Resolver,
} from "#engine/template/resolve.ts";
import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import { sealAt } from "#engine/value-paths.ts";
import { hasUnknown, reveal, unknown, type Value, type ValueMap } from "#engine/value.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run, RunSpec, TargetLimits } from "#orchestrator/storage/run.ts";
import { openMap, sealedNames } from "#platform/crypto/sealed-map.ts";
import type { JsonMap } from "#platform/json.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import { providerFor } from "#providers/registry.ts";
import { isSameType, isWellFormed, parseTypeName } from "#providers/type-name.ts";
import { describedProvider } from "./described-provider.ts";
import { requireOutputsFit } from "./output-size.ts";
import { ProgramError } from "./program-error.ts";
import { contextWith, credentialOf } from "./provider-context.ts";
import { redactingProvider } from "./redacting-provider.ts";
import { limitsOf, requireAllowedRegion, requireRegionStays } from "./require-allowed-region.ts";
import { requireShareable } from "./require-shareable.ts";
import { sealFound } from "./seal-found.ts";
import {
  dependenciesIn,
  noSource,
  parsedSource,
  type WrittenTemplate,
  writtenTemplate,
} from "./written-template.ts";

/** Stands in for a name that the engine has not chosen yet. No object has it. */
const NO_NAME = "control-not-named-yet";
const nowhere = { path: "/resources", line: 0, column: 0 };

export class Program {
  /** Written out. */
  #template: Template;
  readonly #written: WrittenTemplate;
  readonly provider: Provider;
  readonly context: ProviderContext;
  /**
   * The credential is unavailable. Then no plan is made. A run that is applying continues: its calls fail one by one,
   * and objects that they may have created stay in the state.
   */
  readonly credentialProblem: ProgramError | undefined;
  readonly #target: TargetDefaults & { name: string };
  /** The limits of the target. All of them apply. */
  readonly #limits: readonly TargetLimits[];
  readonly #operation: "deploy" | "destroy";
  readonly #config: ValueMap;
  readonly #control: ControlNames;
  readonly #dependencies: ReadonlyMap<string, readonly string[]>;
  readonly #order: readonly string[];
  /** The dependencies, including those on reads. */
  readonly #allDependencies: ReadonlyMap<string, readonly string[]>;
  /** The results of `get`, by resource. */
  readonly #read = new Map<string, { id: string; outputs: ValueMap }>();
  #aliasUsers: AliasUsers;
  /** The secret texts in all values seen so far; removed from the provider's messages. */
  readonly #secrets = new Set<string>();

  private constructor(parts: {
    template: Template;
    written: WrittenTemplate;
    provider: Provider;
    context: ProviderContext;
    credentialProblem: ProgramError | undefined;
    target: TargetDefaults & { name: string };
    limits: readonly TargetLimits[];
    operation: "deploy" | "destroy";
    config: ValueMap;
    control: ControlNames;
  }) {
    this.#template = parts.template;
    this.#written = parts.written;
    this.provider = redactingProvider(parts.provider, () => [...this.#secrets]);
    this.context = parts.context;
    this.credentialProblem = parts.credentialProblem;
    this.#target = parts.target;
    this.#limits = parts.limits;
    this.#operation = parts.operation;
    this.#config = parts.config;
    this.#control = parts.control;
    this.#addSecrets(parts.config);
    this.#allDependencies = dependenciesIn(parts.template, parts.written);
    this.#dependencies = managedDependencies(this.#allDependencies, (name) => this.#isRead(name));
    this.#order = topologicalOrder(this.#allDependencies);
    this.#aliasUsers = aliasUsers(parts.template);
  }

  /**
   * Throws `ProgramError` if the frozen inputs cannot be executed, and `CredentialUnreachable` if the credential cannot
   * be read now.
   */
  static async load(parts: RunnerParts, run: Run, spec: RunSpec): Promise<Program> {
    const { target, instance, tenantSlug } = spec.inputs;
    const registered = providerFor(target.provider);
    if (registered === undefined)
      throw new ProgramError(
        "unknown_provider",
        `This installation cannot deploy to ${target.provider}. GET /cloud/providers says which providers are available.`,
      );
    const limits = limitsOf(spec);
    for (const { config } of [target, ...limits]) {
      const shared = { ...target, config };
      requireShareable(shared, { tenantId: run.tenantId, operation: spec.operation });
    }
    requireRegionStays(target, spec.limits ?? []);
    const destroy = spec.operation === "destroy";
    const checks = spec.operation === "drift_check";
    // A drift check only reads objects. It needs the template's options, but no values.
    const source = destroy || (checks && spec.source === null) ? noSource : parsedSource(spec);
    const place = {
      table: "instances",
      tenantId: run.tenantId,
      row: run.instanceId,
      column: "variables",
    };
    const { variables } = spec.inputs;
    const given = destroy || checks ? {} : await openMap(variables, parts.sealer, place);
    const { values, problems } = configValues(source.template, given, sealedNames(variables));
    const errors = problems.filter(({ severity }) => severity === "error");
    if (errors.length > 0 && !checks)
      throw new ProgramError("invalid_variables", messageOf(errors));
    const control: ControlNames = {
      instance: { id: run.instanceId, name: instance.name },
      tenant: { id: run.tenantId, slug: tenantSlug },
      target: { name: target.name, region: target.region, environment: target.environment },
    };
    const written = writtenTemplate(source, checks ? undefined : { config: values, control });
    const template = withSpelledIds(written.template, registered);
    const types = Object.values(template.resources).map(({ type }) => type);
    const provider = await describedProvider(registered, types, parts);
    requireTypes(template, provider);
    const { credential, problem } = await credentialOf({ provider, target }, parts);
    const program = new Program({
      template,
      written,
      provider,
      context: contextWith(parts, {
        provider,
        target,
        credential,
        ownerId: run.tenantId,
        calledFor: {
          id: run.deploymentId,
          operation: spec.operation,
          deploymentId: run.deploymentId,
          instanceId: run.instanceId,
        },
        trace: spec.inputs.trace,
      }),
      credentialProblem: problem,
      target,
      limits,
      operation: destroy ? "destroy" : "deploy",
      config: values,
      control,
    });
    program.assumeAliases(spec.impliedRenames ?? {});
    return program;
  }

  get template(): Template {
    return this.#template;
  }

  /** Reads the template as if it had these aliases: former names by resource name. */
  assumeAliases(formerNames: { readonly [resource: string]: string }): void {
    const resources = Object.entries(this.#template.resources).map(([name, resource]) => {
      const alias = Object.hasOwn(formerNames, name) ? formerNames[name] : undefined;
      if (alias === undefined) return [name, resource] as const;
      const aliases = [...resource.options.aliases, alias];
      return [name, { ...resource, options: { ...resource.options, aliases } }] as const;
    });
    this.#template = { ...this.#template, resources: Object.fromEntries(resources) };
    this.#aliasUsers = aliasUsers(this.#template);
  }

  /** As `planInput`, but the plan fails if an output must fail whatever the cloud returns. */
  checkedPlanInput(state: InstanceState): PlanInput {
    return {
      ...this.planInput(state),
      // A separate resolver, as at the end of the run, so that the size limit covers the outputs alone.
      outputs: (outputsOf) => {
        const outputs = withPlace(() => this.#resolver(outputsOf).outputs());
        if (!hasUnknown(outputs)) requireOutputsFit(reveal(outputs) as JsonMap);
        return outputs;
      },
    };
  }

  planInput(state: InstanceState): PlanInput {
    this.noteSecrets(state);
    // One resolver for the whole plan: it computes each value once, and its size limit covers all resources.
    let resolver: Resolver | undefined;
    return {
      operation: this.#operation,
      template: this.template,
      leftOut: this.#written.leftOut,
      unmet: this.#written.unmet,
      dependencies: this.#dependencies,
      order: this.#order,
      state,
      facts: (type) => this.provider.facts(type),
      resolve: (resource, outputsOf, stored) => {
        const one = (resolver ??= this.#resolver(outputsOf));
        return withPlace(
          () => this.#complete(resource, one.properties(resource), stored),
          resource,
        );
      },
      idToRead: (resource, outputsOf) =>
        withPlace(() => (resolver ??= this.#resolver(outputsOf)).idToRead(resource)),
      knownId: (type, inputs) => this.knownId(type, inputs),
      spelledId: (type, id) => this.#spelledId(type, id),
      found: ({ resource, id }) => {
        const read = this.#read.get(resource);
        return read?.id === id ? read.outputs : undefined;
      },
      requireAllowed: (resource, inputs) => this.requireAllowed(resource, inputs),
    };
  }

  /** Keeps the secrets of the state out of the provider's messages. */
  noteSecrets({ current, pendingDeletes }: InstanceState): void {
    for (const object of [...current.values(), ...pendingDeletes]) {
      this.#addSecrets(object.inputs);
      const { outputs = {} } = knownObject(object) ?? {};
      this.#addSecrets(sealAt(outputs, this.provider.facts(object.type)?.secretOutputs));
    }
  }

  /**
   * The resources that the resource reads with `get`, directly or through other reads, in dependency order. Without a
   * resource: all reads of the template.
   */
  readsOf(resource: string | undefined): string[] {
    const needed = new Set(
      resource === undefined ? this.#order : this.#allDependencies.get(resource),
    );
    for (const one of needed)
      if (this.#isRead(one))
        for (const more of this.#allDependencies.get(one) ?? []) needed.add(more);
    return this.#order.filter((name) => needed.has(name) && this.#isRead(name));
  }

  /**
   * The object that a resource reads; undefined: it was read. The dependencies of its id are in the state or were read.
   * Throws `ResolveError`.
   */
  objectToRead(name: string, state: InstanceState): ObjectToRead | undefined {
    const declaration = this.declaration(name);
    if (declaration === undefined) return undefined;
    const { type } = declaration;
    return withPlace(() => {
      const value = this.#resolver(this.#outputsIn(state)).idToRead(name);
      const written = idOfGet(name, declaration, value);
      if (written === undefined)
        throw new ResolveError(
          "missing_value",
          `The id that ${name} reads has no value.`,
          declaration.place,
        );
      const id = this.#spelledId(type, written);
      requireNotManaged(name, { type, id }, this.template, state);
      return this.#read.get(name)?.id === id ? undefined : { resource: name, type, id, written };
    });
  }

  /** Keeps the result of a read. Nothing tells which of its properties were given as secrets, so they are sealed. */
  keepRead({ resource, type, id }: ObjectToRead, shown: JsonMap): void {
    const facts = this.provider.facts(type);
    const found = sealFound(shown, { id, inputs: {}, facts });
    const outputs = storedOutputs({ id, outputs: sealAt(found, facts?.secretOutputs) });
    this.#addSecrets(outputs);
    this.#read.set(resource, { id, outputs: markRepeatedSecrets(outputs, {}, this.#config) });
  }

  /** The id that an object will get, if the cloud derives it from properties that are all given and known. */
  knownId(type: string, inputs: ValueMap): string | undefined {
    if (hasUnknown(inputs)) return undefined;
    const properties = reveal(inputs) as JsonMap;
    return this.provider.knownId?.(this.context, { type, name: NO_NAME, properties });
  }

  #spelledId(type: string, id: string): string {
    return this.provider.spelledId?.(type, id) ?? id;
  }

  #isRead(name: string): boolean {
    return this.declaration(name)?.get !== undefined;
  }

  declaration(name: string): ResourceDeclaration | undefined {
    return own(this.template.resources, name) ?? this.#written.declarationAt(name);
  }

  /** The ids of the objects of this type that the template imports. */
  importedIds(type: string): string[] {
    return Object.values(this.template.resources).flatMap((one) =>
      isSameType(one.type, type) && one.options.import !== undefined ? [one.options.import] : [],
    );
  }

  dependenciesOf(name: string): readonly string[] {
    return this.#dependencies.get(name) ?? [];
  }

  /** A resource's properties, with outputs from the state. Throws `ResolveError`. */
  properties(name: string, state: InstanceState): ValueMap {
    const stored = state.current.get(name);
    return withPlace(
      () => this.#complete(name, this.#resolver(this.#outputsIn(state)).properties(name), stored),
      name,
    );
  }

  outputs(state: InstanceState): ValueMap {
    return withPlace(() => this.#resolver(this.#outputsIn(state)).outputs());
  }

  /**
   * The resource to store. If its drift is exactly the template's present value, the drift is removed, and the desired
   * inputs count as applied although they were never sent.
   */
  withoutDesiredDrift(stored: StoredResource, state: InstanceState): StoredResource {
    const declaration = this.declaration(stored.name);
    if (stored.state === "lost" || stored.drift?.kind !== "changed") return stored;
    if (declaration === undefined) return stored;
    // Then the template's values cannot be determined.
    if (this.readsOf(stored.name).some((name) => !this.#read.has(name))) return stored;
    const facts = this.provider.facts(stored.type);
    const { action, inputs, keptDrift } = decideChange(
      declaration,
      stored,
      this.properties(stored.name, state),
      facts,
    );
    if (action !== "unchanged" || keptDrift !== undefined) return stored;
    const { drift: _, ...resource } = stored;
    return { ...resource, inputs };
  }

  /**
   * The resource as stored after a step. Aliases of the template do not mean an object that was created under this
   * name.
   */
  withSpentAliases(stored: StoredResource): StoredResource {
    return spendAliases(stored, this.#aliasUsers);
  }

  /** The options of a resource that are kept in the state. */
  keptOptions(name: string) {
    const declaration = this.declaration(name);
    if (declaration === undefined) return undefined;
    const { protect, retainOnDelete, customTimeouts } = declaration.options;
    return {
      protect,
      retainOnDelete,
      deleteSeconds: customTimeouts.deleteSeconds ?? null,
      dependsOn: [...this.dependenciesOf(name)],
    };
  }

  /**
   * The properties with the target's defaults. Throws the errors of `requireAllowed`, and one for a property that only
   * the cloud sets.
   */
  #complete(name: string, properties: ValueMap, stored: StoredResource | undefined): ValueMap {
    const declaration = this.declaration(name);
    if (declaration === undefined) return properties;
    const facts = this.provider.facts(declaration.type);
    requireWritable(name, declaration, properties, facts);
    const complete = withDefaults(properties, declaration.type, facts, this.#target, stored);
    this.#addSecrets(complete);
    const isMade =
      stored?.type === declaration.type &&
      facts !== undefined &&
      namesNoRegion(stored.inputs, facts);
    this.#requireAllowed(name, declaration, complete, { isMade });
    return complete;
  }

  /**
   * Throws `ResolveError` for a sealed value that the cloud would show, and for a region that the target forbids.
   * `inputs`: of a create; `ignoreChanges` may have taken them from an earlier object.
   */
  requireAllowed(name: string, inputs: ValueMap): void {
    const declaration = this.declaration(name);
    if (declaration !== undefined) withPlace(() => this.#requireAllowed(name, declaration, inputs));
  }

  /** `isMade`: the object exists, and was created without a region. */
  #requireAllowed(
    name: string,
    declaration: ResourceDeclaration,
    inputs: ValueMap,
    { isMade = false } = {},
  ): void {
    const facts = this.provider.facts(declaration.type);
    requireUnsealed(name, declaration, inputs, facts);
    requireSpelled(name, declaration, inputs, facts);
    if (facts === undefined) return;
    for (const limits of this.#limits)
      requireAllowedRegion(
        { name, place: declaration.place, inputs, isMade },
        { target: this.#target.name, limits, facts },
      );
  }

  #outputsIn(state: InstanceState): (name: string) => Value {
    return (name) => {
      const { get, options, place = nowhere } = this.declaration(name) ?? {};
      const secrets = options?.additionalSecretOutputs ?? [];
      if (get !== undefined) {
        const read = this.#read.get(name);
        if (read !== undefined) return markSecret(read.outputs, secrets);
        throw new ResolveError("object_unread", `${name} was not read.`, place);
      }
      const stored = knownObject(state.current.get(name));
      if (stored === undefined) return unknown;
      const { secretOutputs } = this.provider.facts(stored.type) ?? {};
      return markRepeatedSecrets(
        markSecret(sealAt(storedOutputs(stored), secretOutputs), secrets),
        stored.inputs,
        this.#config,
      );
    };
  }

  #addSecrets(values: ValueMap): void {
    for (const text of secretStrings(values)) this.#secrets.add(text);
  }

  #resolver(outputsOf: (name: string) => Value) {
    return createResolver(
      this.template,
      { config: this.#config, control: this.#control, outputsOf },
      this.#written.levels,
    );
  }
}

/** Adds the hint and the template line to a `ResolveError`, since the log's readers have no editor that shows them. */
function withPlace<T>(compute: () => T, resource?: string): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error;
    const { code, message, hint, place, output } = error;
    const which = output === undefined ? "" : `The output ${output} cannot be computed: `;
    const where = place.line > 0 ? `See ${inWords(place, resource)}.` : undefined;
    const full = [`${which}${message}`, hint, where].filter((part) => part !== undefined).join(" ");
    throw new ResolveError(code, full, place, undefined, output);
  }
}

const MAX_PROBLEMS_SHOWN = 20;
function messageOf(problems: readonly Diagnostic[]): string {
  const shown = problems
    .slice(0, MAX_PROBLEMS_SHOWN)
    .map(({ message, hint }) => (hint === undefined ? message : `${message} ${hint}`));
  const more = problems.length - shown.length;
  return [...new Set(shown), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}

/** The template with the ids of imported objects in their known spelling. */
function withSpelledIds(template: Template, provider: Provider): Template {
  if (provider.spelledId === undefined) return template;
  const resources = Object.entries(template.resources).map(([name, resource]) => {
    const { type, options } = resource;
    if (options.import === undefined) return [name, resource] as const;
    const id = provider.spelledId?.(type, options.import) ?? options.import;
    return [name, { ...resource, options: { ...options, import: id } }] as const;
  });
  return { ...template, resources: Object.fromEntries(resources) };
}

function requireTypes({ resources }: Template, provider: Provider): void {
  for (const [name, { type }] of Object.entries(resources)) {
    if (provider.facts(type) !== undefined) continue;
    const named = parseTypeName(type);
    if (provider.openTypes && named?.provider === provider.name && isWellFormed(named)) continue;
    throw new ProgramError(
      "unknown_type",
      catalogue().unavailableProviders.has(named?.provider ?? "")
        ? `This installation cannot deploy to ${named?.provider} (resource ${name} of type ${type}). GET /cloud/providers says which providers are available.`
        : `The target's provider, ${provider.name}, has no type ${type} (resource ${name}).`,
    );
  }
}
