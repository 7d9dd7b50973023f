/** A run's template with its values, parsed and decrypted once per life of the runner. */
import { allowsRegion } from "#engine/allows-region.ts";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { dependenciesOf, topologicalOrder } from "#engine/graph.ts";
import { decideChange } from "#engine/plan/decide-change.ts";
import type { PlanInput } from "#engine/plan/plan.ts";
import { markSecret, storedOutputs } from "#engine/plan/planned-outputs.ts";
import { requireUnsealed } from "#engine/plan/require-unsealed.ts";
import { markRepeatedSecrets, secretStrings } from "#engine/secret-strings.ts";
import { type AliasUsers, aliasUsers, settleAliases } from "#engine/state/settle-aliases.ts";
import type { InstanceState, StoredResource } from "#engine/state/state.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import {
  configValues,
  type ControlNames,
  createResolver,
  type Resolver,
} from "#engine/template/resolve.ts";
import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import {
  hasUnknown,
  REDACTED,
  reveal,
  Secret,
  unknown,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run, RunSpec } from "#orchestrator/storage/run.ts";
import { openMap, sealedNames } from "#platform/crypto/sealed-map.ts";
import type { JsonMap } from "#platform/json.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import { providerFor } from "#providers/registry.ts";
import { isWellFormed, parseTypeName } from "#providers/type-name.ts";
import { describedProvider } from "./described-provider.ts";
import { requireOutputsFit } from "./output-size.ts";
import { ProgramError } from "./program-error.ts";
import { contextWith, credentialOf } from "./provider-context.ts";
import { redactingProvider } from "./redacting-provider.ts";

const empty: Template = {
  name: "",
  description: "",
  config: {},
  variables: {},
  resources: {},
  outputs: {},
};

export class Program {
  readonly template: Template;
  readonly provider: Provider;
  readonly context: ProviderContext;
  /**
   * The credential is unavailable. No plan is made then. A run that is applying continues: its calls fail one by one,
   * and what they may have created stays in the state.
   */
  readonly credentialProblem: ProgramError | undefined;
  readonly #allowedRegions: readonly string[] | undefined;
  readonly #operation: "deploy" | "destroy";
  readonly #config: ValueMap;
  readonly #control: ControlNames;
  readonly #dependencies: ReadonlyMap<string, readonly string[]>;
  readonly #order: readonly string[];
  readonly #aliasUsers: AliasUsers;
  /** The secret texts in all values seen so far; removed from the provider's messages. */
  readonly #secrets = new Set<string>();

  private constructor(parts: {
    template: Template;
    provider: Provider;
    context: ProviderContext;
    credentialProblem: ProgramError | undefined;
    allowedRegions: readonly string[] | undefined;
    operation: "deploy" | "destroy";
    config: ValueMap;
    control: ControlNames;
  }) {
    this.template = parts.template;
    this.provider = redactingProvider(parts.provider, () => [...this.#secrets]);
    this.context = parts.context;
    this.credentialProblem = parts.credentialProblem;
    this.#allowedRegions = parts.allowedRegions;
    this.#operation = parts.operation;
    this.#config = parts.config;
    this.#control = parts.control;
    this.#addSecrets(parts.config);
    this.#dependencies = dependenciesOf(parts.template);
    this.#order = topologicalOrder(this.#dependencies);
    this.#aliasUsers = aliasUsers(parts.template);
  }

  /** Throws `ProgramError` if the frozen inputs cannot be executed. */
  static async load(parts: RunnerParts, run: Run, spec: RunSpec): Promise<Program> {
    const { target, instance, tenantSlug } = spec.inputs;
    const registered = await providerFor(target.provider);
    if (registered === undefined)
      throw new ProgramError(
        "unknown_provider",
        `This installation cannot deploy to ${target.provider}. GET /cloud/providers says which providers are available.`,
      );
    const destroy = spec.operation === "destroy";
    const checks = spec.operation === "drift_check";
    // A drift check only reads objects: it needs the template's options and no values.
    const template = destroy || (checks && spec.source === null) ? empty : parsed(spec.source);
    const types = Object.values(template.resources).map(({ type }) => type);
    const provider = await describedProvider(registered, types, parts);
    requireTypes(template, provider);
    const place = {
      table: "instances",
      tenantId: run.tenantId,
      row: run.instanceId,
      column: "variables",
    };
    const { variables } = spec.inputs;
    const given = destroy || checks ? {} : await openMap(variables, parts.sealer, place);
    const { values, problems } = configValues(template, given, sealedNames(variables));
    const errors = problems.filter(({ severity }) => severity === "error");
    if (errors.length > 0 && !checks)
      throw new ProgramError("invalid_variables", messageOf(errors));
    const { credential, problem } = credentialOf(target, parts.env);
    return new Program({
      template,
      provider,
      context: contextWith(parts, { provider, target, credential, trace: spec.inputs.trace }),
      credentialProblem: problem,
      allowedRegions: target.allowedRegions,
      operation: destroy ? "destroy" : "deploy",
      config: values,
      control: {
        instance: { id: run.instanceId, name: instance.name },
        tenant: { id: run.tenantId, slug: tenantSlug },
        target: { name: target.name, region: target.region, environment: target.environment },
      },
    });
  }

  /** As `planInput`, and a plan fails with an output that must fail, whatever the cloud returns. */
  checkedPlanInput(state: InstanceState): PlanInput {
    return {
      ...this.planInput(state),
      // A resolver of its own, as at the end of the run: the size limit then covers the outputs alone.
      outputs: (outputsOf) => {
        const outputs = withPlace(() => this.#resolver(outputsOf).outputs());
        if (!hasUnknown(outputs)) requireOutputsFit(reveal(outputs) as JsonMap);
        return outputs;
      },
    };
  }

  planInput(state: InstanceState): PlanInput {
    for (const { inputs } of [...state.current.values(), ...state.pendingDeletes])
      this.#addSecrets(inputs);
    // One resolver for the whole plan: it computes each value once, and its size limit covers all resources.
    let resolver: Resolver | undefined;
    return {
      operation: this.#operation,
      template: this.template,
      dependencies: this.#dependencies,
      order: this.#order,
      state,
      facts: (type) => this.provider.facts(type),
      resolve: (resource, outputsOf) => {
        const one = (resolver ??= this.#resolver(outputsOf));
        return withPlace(() => this.#requireAllowed(resource, one.properties(resource)));
      },
    };
  }

  declaration(name: string): ResourceDeclaration | undefined {
    return Object.hasOwn(this.template.resources, name) ? this.template.resources[name] : undefined;
  }

  dependenciesOf(name: string): readonly string[] {
    return this.#dependencies.get(name) ?? [];
  }

  /** A resource's properties, with outputs from the state. Throws `ResolveError`. */
  properties(name: string, state: InstanceState): ValueMap {
    return withPlace(() =>
      this.#requireAllowed(name, this.#resolver(this.#outputsIn(state)).properties(name)),
    );
  }

  outputs(state: InstanceState): ValueMap {
    return withPlace(() => this.#resolver(this.#outputsIn(state)).outputs());
  }

  /**
   * The resource to store. If its drift is exactly what the template now asks for, the drift is removed and the
   * desired inputs count as applied, although they were never sent.
   */
  withoutDesiredDrift(stored: StoredResource, state: InstanceState): StoredResource {
    const declaration = this.declaration(stored.name);
    if (stored.drift?.kind !== "changed" || declaration === undefined) return stored;
    const facts = this.provider.facts(stored.type);
    const { action, inputs } = decideChange(
      declaration,
      stored,
      this.properties(stored.name, state),
      facts,
    );
    if (action !== "unchanged") return stored;
    const { drift: _, ...resource } = stored;
    return { ...resource, inputs };
  }

  /** The resource as it is stored after a step: the template's aliases do not mean an object that it has made. */
  settled(stored: StoredResource): StoredResource {
    return settleAliases(stored, this.#aliasUsers);
  }

  /** The options of a resource that the state keeps. */
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
   * Throws `ResolveError` for a sealed value where the cloud shows it, and for a region that the target does not
   * allow.
   */
  #requireAllowed(name: string, properties: ValueMap): ValueMap {
    this.#addSecrets(properties);
    const declaration = this.declaration(name);
    if (declaration === undefined) return properties;
    const facts = this.provider.facts(declaration.type);
    requireUnsealed(name, declaration, properties, facts);
    if (this.#allowedRegions === undefined) return properties;
    const property = facts?.regionProperty;
    const given =
      property !== undefined && Object.hasOwn(properties, property)
        ? properties[property]
        : undefined;
    const region = given instanceof Secret ? given.value : given;
    if (typeof region !== "string" || allowsRegion(this.#allowedRegions, region)) return properties;
    throw new ResolveError(
      "region_not_allowed",
      `${name} is in the region ${given instanceof Secret ? REDACTED : region.slice(0, 80)}, which the target does not allow.`,
      declaration.place,
    );
  }

  #outputsIn(state: InstanceState): (name: string) => Value {
    return (name) => {
      const stored = state.current.get(name);
      if (stored === undefined) return unknown;
      const secrets = this.declaration(name)?.options.additionalSecretOutputs ?? [];
      return markRepeatedSecrets(
        markSecret(storedOutputs(stored), secrets),
        stored.inputs,
        this.#config,
      );
    };
  }

  #addSecrets(values: ValueMap): void {
    for (const text of secretStrings(values)) this.#secrets.add(text);
  }

  #resolver(outputsOf: (name: string) => Value) {
    return createResolver(this.template, {
      config: this.#config,
      control: this.#control,
      outputsOf,
    });
  }
}

/** Adds the hint and the template line to a `ResolveError`: the log's readers have no editor that shows them. */
function withPlace<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error;
    const { code, message, hint, place, output } = error;
    const which = output === undefined ? "" : `The output ${output} cannot be computed: `;
    const where = place.line > 0 ? `See line ${place.line} of the template.` : undefined;
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

function parsed(source: string | null): Template {
  if (source === null)
    throw new ProgramError("template_invalid", "The template version no longer exists.");
  const { template, diagnostics } = parseTemplate(source);
  const problem = diagnostics.find(({ severity }) => severity === "error");
  if (template === undefined || problem !== undefined)
    throw new ProgramError(
      "template_invalid",
      problem?.message ?? "The template cannot be parsed.",
    );
  return template;
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
