/** Converts references to variables, to other names, and to attributes of resources. */
import { isSameFact } from "#engine/expressions/reads.ts";
import { constraintOf } from "#importers/evaluate/constraint.ts";
import { eachInstance, instanceAt } from "#importers/evaluate/instances.ts";
import { parsedText } from "#importers/evaluate/json-text.ts";
import { holdsSecrets, plainValue } from "#importers/evaluate/plain-value.ts";
import type { Bound, Path, Scope } from "#importers/evaluate/scope.ts";
import { isSecretMember } from "#importers/evaluate/secret-members.ts";
import type { ReferenceExpression } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { SourceResource, SourceVariable } from "#importers/source-module.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import type { ConditionsInForce } from "./cloudformation/conditions-in-force.ts";
import { cannot, type Converted, isCall, partAt, referenceTo, value } from "./converted.ts";
import type { DraftConfig } from "./draft-config.ts";
import {
  draftedAt,
  type DraftedByScope,
  type DraftedResource,
  ownReference,
} from "./drafted-resource.ts";
import { stepText } from "./formulas/formula.ts";
import { callOf } from "./functions.ts";
import { outputPath, stepsOf } from "./output-path.ts";
import { policyDocument } from "./policy-document.ts";
import { computed, type Converting, failing, type Use } from "./use.ts";

/** The maximum depth of references through locals, variables and outputs. */
const MAX_FOLLOWED = 50;
/** The documents of policies that one includes, at any depth: two of each would take exponential time. */
const MAX_INCLUDED = 100;

export class ReferenceValues {
  readonly #values: Converting;
  readonly #config: DraftConfig;
  readonly #resources: DraftedByScope;
  readonly #inForce: ConditionsInForce;
  readonly #read = new Set<DraftedResource>();
  readonly #unnamed = new Set<DraftedResource>();
  #followed = 0;
  /** The documents that the outermost one has included so far. */
  #included = 0;

  constructor(
    values: Converting,
    config: DraftConfig,
    resources: DraftedByScope,
    inForce: ConditionsInForce,
  ) {
    this.#inForce = inForce;
    this.#values = values;
    this.#config = config;
    this.#resources = resources;
  }

  /** Converts a reference. Values from outside the draft are asked for. */
  convert(reference: ReferenceExpression, scope: Scope, use: Use): Converted {
    return this.#known(this.#reference(reference, scope, use), reference, scope, use);
  }

  takeRead(): { read: DraftedResource[]; unnamed: DraftedResource[] } {
    const taken = { read: [...this.#read], unnamed: [...this.#unnamed] };
    this.#read.clear();
    this.#unnamed.clear();
    return taken;
  }

  /** Replaces a value from outside the draft by one config value for all its uses. */
  #known(
    found: Converted,
    { target, path }: ReferenceExpression,
    scope: Scope,
    use: Use,
  ): Converted {
    if (found.kind !== "cannot" || found.isKnownElsewhere !== true) return found;
    const what = target.kind === "resource" ? target.address : target.name;
    const isNamed = path.length === 1 && namesOfObjects.has(String(path[0]));
    const read =
      target.kind === "resource" && isNamed && use.reads !== undefined ? stepsOf(use.reads) : path;
    const key = `${scope.prefix}${target.kind} ${what} ${JSON.stringify(read)}`;
    const name = [what.replace(/^(?:data|ephemeral)\./, ""), ...read].join(" ");
    const isSecret =
      use.isSecret === true ||
      found.isSecret === true ||
      what.startsWith("ephemeral.") ||
      isSecretSetting(String(path.at(-1) ?? ""));
    return value(this.#values.ask({ ...use, name }, key, found.reason, isSecret));
  }

  #reference(reference: ReferenceExpression, scope: Scope, use: Use): Converted {
    const { target, path } = reference;
    if (this.#followed >= MAX_FOLLOWED)
      return cannot("It refers to itself, or through too many other values.");
    this.#followed += 1;
    try {
      switch (target.kind) {
        case "variable":
          return this.#variable(reference, target.name, scope, use);
        case "local":
          if (!scope.locals.has(target.name))
            return cannot("It refers to a local that is not there.");
          return this.#located(reference, scope, use) ?? cannot(computed, use.isSecret);
        case "module":
          return (
            this.#located(reference, scope, use) ??
            this.#ofComponent(reference, scope, use) ??
            elsewhere("The module is not part of the draft.")
          );
        case "item":
        case "each":
        case "count":
          return (
            this.#located(reference, scope, use) ??
            this.#values.open(reference, scope, use) ??
            cannot(computed, use.isSecret)
          );
        case "resource":
          return this.#ofResource(target.address, path, scope, use);
      }
    } finally {
      this.#followed -= 1;
    }
  }

  /** Converts the value of a name, or a part of it; undefined if it is not known here. */
  #located(reference: ReferenceExpression, scope: Scope, use: Use): Converted | undefined {
    const { target, path } = reference;
    const found = scope.decided.locate(reference, scope);
    if (found === undefined) return undefined;
    if (found === "failed") return cannot(failing, use.isSecret);
    if (target.kind === "resource") return undefined;
    const isSecret =
      use.isSecret === true || [target.name, ...path].some((name) => isSecretSetting(String(name)));
    const made = this.#values.convertBound(found, { ...use, isSecret });
    // Items of a `for` are asked for one by one.
    if (made.kind !== "cannot" || made.isSecret !== true || target.kind === "item") return made;
    const kind = target.kind === "variable" ? "var" : target.kind;
    const key = `${scope.prefix}${[kind, target.name, ...path].join(".")}`;
    // A value of one instance is not shared with others of the same name.
    const own = kind === "each" || kind === "count" ? `${use.address} ${key}` : key;
    const whole = scope.decided.decide(found)?.kind;
    const shape: ValueShape | undefined =
      whole === "map" ? { type: "object" } : whole === "list" ? { type: "array" } : undefined;
    return value(this.#askFor(own, use, made.reason, shape));
  }

  /** Asks once for a secret value of a name. */
  #askFor(key: string, use: Use, reason: string, shape?: ValueShape): string {
    return this.#values.ask({ ...use, name: key, shape }, key, reason, true);
  }

  #variable(reference: ReferenceExpression, name: string, scope: Scope, use: Use): Converted {
    const variable = scope.variables.get(name);
    if (variable === undefined) return elsewhere("The variable is not declared in the import.");
    const { caller } = scope;
    const initial = variable.default;
    const given = caller?.settings.get(name);
    // A parser also uses null for the hidden default of a secret.
    const isNull = initial?.kind === "literal" && initial.value === null && !variable.sensitive;
    const isRoot = caller === undefined;
    if (given === undefined && isNull && !(isRoot && this.#config.emptyOf(variable) !== undefined))
      return { kind: "absent", reason: `The default of the variable ${name} is null.` };
    if (isRoot) return this.#ofRoot(variable, reference.path, scope, use);
    const found = this.#located(reference, scope, use);
    if (found !== undefined) return found;
    const isSecret = use.isSecret === true || variable.sensitive;
    if (given !== undefined) {
      const made = this.#values.convert(given, caller.scope, { ...use, isSecret });
      const key = `${scope.prefix}${["var", name, ...reference.path].join(".")}`;
      return made.kind === "cannot" && made.isSecret === true
        ? value(this.#askFor(key, use, made.reason))
        : partAt(made, reference.path);
    }
    const reason = "The module call does not give the variable.";
    const key = `${scope.prefix}var.${name}`;
    return value(this.#values.ask({ ...use, name: key }, key, reason, isSecret));
  }

  /**
   * The config value of a root variable. A computed default is converted instead, because a config value's default has
   * to be written out.
   */
  #ofRoot(
    variable: SourceVariable,
    path: ReferenceExpression["path"],
    scope: Scope,
    use: Use,
  ): Converted {
    const { default: initial, sensitive } = variable;
    const isComputed =
      initial !== undefined &&
      !sensitive &&
      plainValue(initial) === undefined &&
      !holdsSecrets(initial);
    const made = isComputed ? this.#values.convert(initial, scope, use) : undefined;
    if (made?.kind === "value") return partAt(made, path);
    const own = this.#config.ofVariable(variable, secretOf(use));
    const empty =
      use.isPart === true || path.length > 0 ? undefined : this.#config.emptyOf(variable);
    // A secret that is compared would be told.
    const isSecret = this.#config.declarations.get(own)?.["secret"] === true;
    if (empty !== undefined && !isSecret)
      return value(`\${(${own} != ${empty} ? ${own} : omit())}`);
    const whole = { text: own, type: constraintOf(variable.constraint) };
    const below =
      path.length > 0 ? this.#values.formulas.below(whole, path, scope, use) : undefined;
    return value(below === undefined ? referenceTo(own, path) : `\${${below.text}}`);
  }

  /** The output of a module that the draft uses as a component. */
  #ofComponent(
    { target, path }: ReferenceExpression,
    scope: Scope,
    use: Use,
  ): Converted | undefined {
    const address = target.kind === "module" ? `module.${target.name}` : "";
    const isUsed = this.#resources.get(scope.home)?.has(address) === true;
    return isUsed ? this.#ofResource(address, path, scope, use) : undefined;
  }

  #ofResource(
    address: string,
    whole: ReferenceExpression["path"],
    scope: Scope,
    use: Use,
  ): Converted {
    if (address.startsWith("data.aws_region.") && /^(?:name|id|region)$/.test(String(whole.at(-1))))
      return value("${control.target.region}");
    if (address.startsWith("data.aws_availability_zones.") && whole[0] === "names")
      return partAt(callOf("getAzs", []), whole.slice(1));
    const document = this.#policyDocument(address, whole, scope, use);
    if (document !== undefined) return document;
    const found = draftedAt(this.#resources, address, whole, scope);
    if (found === "failed") return cannot(notMade);
    const { made, key, rest: path } = found;
    if (made === undefined) return elsewhere(`It reads \`${address}\`, which the draft lacks.`);
    if (made.loop !== undefined && key === undefined) return cannot(computed, use.isSecret);
    const isInTurn = isOfLoop(made, scope);
    if (made.name === use.own && isInTurn) {
      this.#read.add(made);
      return this.#given(made, path, use) ?? cannot(ofItself);
    }
    const base = key === undefined ? made.name : `${made.name}[${JSON.stringify(key)}]`;
    return this.attributeOf(made, base, path, use);
  }

  /** An attribute of a resource. `base`: the resource in the template language, one of its objects if there are several. */
  attributeOf(made: DraftedResource, base: string, path: Path, use: Use): Converted {
    this.#read.add(made);
    const [attribute] = path;
    const read = (steps: Path) => value(referenceTo(...guarded(made, base, steps, use)));
    if (use.reads !== undefined && path.length === 1 && namesObject(made, String(attribute)))
      return read(stepsOf(use.reads));
    const constant = path.length === 1 ? made.mapped.constants.get(String(attribute)) : undefined;
    if (constant !== undefined) return value(constant);
    const output = outputPath(made, path);
    if (output !== undefined)
      return this.#inForce.has(made)
        ? read(output)
        : value(optionalReference(base, output, this.#inForce.otherwise));
    const isAnother = made.loop !== undefined && base !== ownReference(made);
    const given = isAnother ? undefined : this.#given(made, path, use);
    // The provider decides an argument that is null.
    return given === undefined || given.kind === "absent"
      ? elsewhere("The provider's API does not show this attribute under a name known here.")
      : given;
  }

  /** Notes that a value reads a resource. */
  read(made: DraftedResource): void {
    this.#read.add(made);
  }

  #policyDocument(address: string, whole: Path, scope: Scope, use: Use): Converted | undefined {
    if (!address.startsWith("data.aws_iam_policy_document.")) return undefined;
    const source = scope.home.resources.get(address);
    const own = source && instanceOf(source, whole, scope);
    const [attribute, ...rest] = own?.rest ?? [];
    const isText = attribute === "json" || attribute === "minified_json";
    if (source === undefined || own === undefined || !isText || rest.length > 0) return undefined;
    // Documents include each other, and a faulty one itself.
    if (this.#followed >= MAX_FOLLOWED) return undefined;
    this.#followed += 1;
    const isOutermost = this.#included === 0;
    const inside: Use = { ...use, shape: undefined, reads: undefined };
    const document = policyDocument(source.settings, own.scope, {
      convert: (given, at) => {
        const made = this.#values.convert(given, at, inside);
        return made.kind === "value" ? made.value : made.kind === "absent" ? null : undefined;
      },
      included: (of) => this.#includedDocument(of, inside),
    });
    this.#followed -= 1;
    if (isOutermost) this.#included = 0;
    return document && value({ "fn::toJSON": document });
  }

  /** A document that another one includes: of a data source, or written out. */
  #includedDocument(of: Bound, use: Use): JsonMap | undefined {
    if (this.#included >= MAX_INCLUDED) return undefined;
    this.#included += 1;
    const found = of.scope.decided.follow(of);
    if (found === "failed") return undefined;
    const { expression, scope } = found;
    if (expression.kind === "reference" && expression.target.kind === "resource") {
      const { target, path } = expression;
      const made = this.#policyDocument(target.address, path, scope, use);
      const text =
        made?.kind === "value" && isJsonMap(made.value) ? made.value["fn::toJSON"] : null;
      return isJsonMap(text) ? text : undefined;
    }
    const isEncoded = expression.kind === "call" && expression.name === "jsonencode";
    const inner = isEncoded ? expression.args[0] : parsedText(expression, use.line);
    const made = inner && this.#values.convert(inner, scope, use);
    return made?.kind === "value" && isJsonMap(made.value) && !isCall(made.value)
      ? made.value
      : undefined;
  }

  /** Repeats the value that the source gives to an argument of the resource. */
  #given(
    made: DraftedResource,
    path: ReferenceExpression["path"],
    use: Use,
  ): Converted | undefined {
    const given = made.source.settings.members.find(({ name }) => name === path[0]);
    if (given === undefined) return undefined;
    this.#unnamed.add(made);
    const isSecret = isSecretMember(given.name, use.isSecret === true);
    return partAt(
      this.#values.convert(given.value, made.scope, { ...use, isSecret }),
      path.slice(1),
    );
  }
}

/** The reference to an output, which fails where the object is left out. */
function guarded(made: DraftedResource, base: string, steps: Path, use: Use): [string, Path] {
  const { holds } = made;
  const [first, ...rest] = steps;
  const isSure =
    holds === undefined ||
    made.scope.module.format !== "terraform" ||
    use.present?.includes(made) === true ||
    holds.every((fact) => use.facts?.some((one) => isSameFact(one, fact)) === true);
  if (isSure || first === undefined) return [base, steps];
  const mark = typeof first === "string" && /^[A-Za-z_]\w*$/.test(first);
  return [`${base}${mark ? `.?${first}` : `[?${JSON.stringify(first)}]`}.value()`, rest];
}

/** Whether names of a turn of the resource's own loop mean the same in the scope. */
function isOfLoop({ loop }: DraftedResource, { instance }: Scope): boolean {
  return (
    loop === undefined || (instance !== undefined && "loop" in instance && instance.loop === loop)
  );
}

/** The instance of a data source that a path reads. One under an open condition is there where it is read. */
function instanceOf(
  source: SourceResource,
  path: Path,
  scope: Scope,
): { scope: Scope; rest: Path } | undefined {
  const { home, decided } = scope;
  const instances = decided.instances(source, home);
  const [first, ...rest] = path;
  if (instances === undefined)
    return source.count !== undefined && first === 0
      ? { scope: { ...home, instance: { index: 0 } }, rest }
      : undefined;
  const found = instanceAt(instances, path);
  const one = found && eachInstance(instances, home).find(({ key }) => key === found.key);
  return found && one && { scope: one.scope, rest: found.rest };
}

/** A reference to an object that may be left out. */
function optionalReference(
  name: string,
  path: readonly (string | number)[],
  otherwise: string,
): string {
  return `\${${name}${path.map((step) => stepText(step, true)).join("")}${otherwise}}`;
}

const notMade = "It reads an object that the files decide not to make.";
const ofItself = "It reads the object that it belongs to.";

const namesOfObjects: ReadonlySet<string> = new Set(["id", "name", "self_link"]);

/** Whether an attribute identifies the object. */
function namesObject({ mapped }: DraftedResource, attribute: string): boolean {
  return namesOfObjects.has(attribute) || namesOfObjects.has(mapped.outputs.get(attribute) ?? "");
}

function elsewhere(reason: string): Converted {
  return { kind: "cannot", reason, isKnownElsewhere: true };
}

/** How much of a secret a use asks for. */
function secretOf({ isSecret, isJoined }: Use): "whole" | "part" | undefined {
  if (isSecret !== true) return undefined;
  return isJoined === true ? "part" : "whole";
}
