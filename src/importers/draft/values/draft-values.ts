import type { DraftWork } from "#importers/draft/draft-work.ts";
import { holdsSecrets, plainValue } from "#importers/draft/scopes/plain-value.ts";
/** Converts expressions of the source to values of the draft. */
import type { Bound, Decided, Scope } from "#importers/draft/scopes/scope.ts";
import { type Expression, literal, type ReferenceExpression } from "#importers/expression.ts";
import { holdsSecret, isHidden, isSecretSetting } from "#importers/hidden-values.ts";
import type { Place } from "#importers/import-file.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import {
  cannot,
  type Converted,
  escaped,
  isCall,
  isReference,
  joined,
  partOf,
  referenceTo,
  secret,
  value,
} from "./converted.ts";
import type { DraftConfig } from "./draft-config.ts";
import { shownName, tooMuch } from "./draft.ts";
import { draftedAt, type DraftedResource } from "./drafted-resource.ts";
import { callOf } from "./functions.ts";
import { outputPath, stepsOf } from "./output-path.ts";
import { policyDocument } from "./policy-document.ts";
import { isSecretMember, namesSecret } from "./secret-members.ts";

/** What an expression is converted for. */
export interface Use extends Place {
  address: string;
  /** What a config value that stands for it is named after. */
  name: string;
  /** Where in the resource it is: what is asked for in two places are two values. */
  path?: string | undefined;
  shape?: ValueShape | undefined;
  /** The value is a secret: what the source writes out of it is asked for. */
  isSecret?: boolean | undefined;
  /** The name of the resource whose property it is: what it reads of itself, it has to say itself. */
  own?: string | undefined;
  /** Of an object that is named by its id or name, the output to read instead. */
  reads?: string | undefined;
}

type CallExpression = Extract<Expression, { kind: "call" }>;

const computed =
  "Only the source's own tool can compute it: the template language has no conditions, loops or operators.";
const MAX_STEPS = 200_000;
/** Far more than a template may nest. */
const MAX_DEPTH = 120;
/** Of the texts that a draft's values are made of, with repetitions; a template has at most 200,000. */
const MAX_CHARACTERS = 4_000_000;
const MAX_LITERAL = 100_000;
/** References through locals, variables and outputs, one after the other. */
const MAX_FOLLOWED = 50;

export class DraftValues {
  readonly #config: DraftConfig;
  readonly #resources: ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>;
  readonly #read = new Set<DraftedResource>();
  readonly #unnamed = new Set<DraftedResource>();
  readonly #work: DraftWork;
  #steps = 0;
  #depth = 0;
  #characters = 0;
  #followed = 0;

  constructor(
    config: DraftConfig,
    resources: ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>,
    work: DraftWork,
  ) {
    this.#config = config;
    this.#resources = resources;
    this.#work = work;
  }

  /** The value that the expression has in the draft. What only something outside it knows, it asks for. */
  convert(expression: Expression, scope: Scope, use: Use): Converted {
    if (!this.follow()) return cannot(tooMuch, use.isSecret);
    return this.deeper(() => this.#converted(expression, scope, use));
  }

  /** One level further into lists, maps and names, each of which may stand for more of them. */
  deeper(read: () => Converted): Converted {
    if (this.#depth === MAX_DEPTH) return cannot("It nests too deep.");
    this.#depth += 1;
    const made = read();
    this.#depth -= 1;
    return made;
  }

  #converted(expression: Expression, scope: Scope, use: Use): Converted {
    switch (expression.kind) {
      case "literal":
        return this.#literal(expression.value, use);
      case "list":
        return this.#list(
          expression.items.map((item) => ({ expression: item, scope })),
          use,
        );
      case "object":
        return this.#object(
          expression.members.map((one) => [one.name, { expression: one.value, scope }]),
          use,
        );
      case "text":
        return this.#text(expression.parts, scope, use);
      case "reference":
        return this.#known(this.#reference(expression, scope, use), expression, scope, use);
      case "call":
        return this.#call(expression, scope, use);
      case "for": {
        const made = scope.decided.decide(scope.decided.bound(expression, scope));
        return made === undefined ? cannot(computed, use.isSecret) : this.#decided(made, use);
      }
      case "opaque":
        if (isHidden(expression)) return secret();
        return cannot(computed, use.isSecret);
    }
  }

  /** The same of an expression with the type that the source's tool converts its value to. */
  convertBound(bound: Bound, use: Use): Converted {
    const { expression, scope, constraint } = bound;
    const made = constraint === undefined ? undefined : scope.decided.decide(bound);
    return made === undefined || made.kind === "error"
      ? this.convert(expression, scope, use)
      : this.#decided(made, use);
  }

  #decided(made: Decided, use: Use): Converted {
    if (!this.follow()) return cannot(tooMuch, use.isSecret);
    switch (made.kind) {
      case "literal":
        return this.#literal(made.value, use);
      case "list":
        return this.#list(made.items, use);
      case "map":
        return this.#object([...made.members], use);
      case "error":
        return cannot(failing, use.isSecret);
    }
  }

  /**
   * The resources that have been read since the last call, and those of them of which a value does not tell it, as it says
   * again what they are given.
   */
  takeRead(): { read: DraftedResource[]; unnamed: DraftedResource[] } {
    const taken = { read: [...this.#read], unnamed: [...this.#unnamed] };
    this.#read.clear();
    this.#unnamed.clear();
    return taken;
  }

  /** Counts what is read a further time under another name; false: it is too much. */
  follow(): boolean {
    this.#steps += 1;
    return this.#steps <= MAX_STEPS && this.#work.takes(1);
  }

  /** The declaration of the source's variable that a reference is to; undefined: it is to something else. */
  variable(reference: string): JsonMap | undefined {
    return this.#config.variable(reference);
  }

  #literal(given: string | number | boolean | null, use: Use): Converted {
    if (given === null) return { kind: "absent", reason: "It is null." };
    const isText = typeof given === "string";
    if (use.isSecret === true && given !== "" && typeof given !== "boolean") {
      const isNumber = use.shape?.type === "integer" || use.shape?.type === "number";
      if (isText || !isNumber) return secret();
    }
    if (!isText) return value(given);
    this.#characters += given.length;
    if (given.length > MAX_LITERAL || this.#characters > MAX_CHARACTERS)
      return cannot("It is too long.");
    return holdsSecret(given) ? secret() : value(escaped(given));
  }

  /** A config value in place of what the draft cannot say. */
  ask(use: Use, key: string, reason: string, isSecret = false, initial?: Json): string {
    const { address, name, file, line, shape } = use;
    const asked = { key, name, reason, isSecret, shape, address, file, line, default: initial };
    return referenceTo(this.#config.ask(asked), []);
  }

  #list(items: readonly Bound[], use: Use): Converted {
    const values: Json[] = [];
    for (const [at, item] of items.entries()) {
      const path = `${use.path ?? use.name}[${at}]`;
      const one = this.convertBound(item, { ...use, path, shape: use.shape?.items });
      if (one.kind === "value") values.push(one.value);
      // A list without one of its items would be another list.
      else if (one.kind === "cannot")
        values.push(
          this.ask(
            { ...use, shape: use.shape?.items },
            `${item.scope.prefix}${use.address} ${path}`,
            one.reason,
            one.isSecret,
          ),
        );
    }
    return value(values);
  }

  #object(members: readonly (readonly [string, Bound])[], use: Use): Converted {
    const entries: [string, Json][] = [];
    const hasSecret = namesSecret(
      members.map(([name, { expression, scope }]) => ({ name, value: expression, scope })),
    );
    for (const [name, member] of members) {
      const isInSecret = use.isSecret === true || (hasSecret && /^value$/i.test(name));
      const one = this.convertBound(member, {
        ...use,
        path: `${use.path ?? use.name}.${shownName(name)}`,
        shape: use.shape?.items,
        reads: undefined,
        isSecret: isSecretMember(name, isInSecret),
      });
      if (one.kind === "cannot") return one;
      if (one.kind === "value") entries.push([escaped(name), one.value]);
    }
    return value(Object.fromEntries(entries));
  }

  #text(parts: readonly Expression[], scope: Scope, use: Use): Converted {
    const values: Json[] = [];
    for (const part of parts) {
      const one = this.convert(part, scope, {
        ...use,
        shape: { type: "string" },
        reads: undefined,
      });
      if (one.kind === "cannot") return one;
      if (one.kind === "absent") return cannot("A part of the text may be null.");
      values.push(one.value);
    }
    return joined(values);
  }

  #call(call: CallExpression, scope: Scope, use: Use): Converted {
    const { name, args } = call;
    if (name === "pseudo") return this.#pseudo(args, use);
    if (scope.module.format === "terraform") {
      const known = this.#chosen(call, scope, use);
      if (known !== undefined) return known;
    }
    const values: Json[] = [];
    for (const arg of args) {
      const known = addressFunctions.has(name) ? this.#writtenOut(arg, scope) : arg;
      const one = this.convert(known, scope, { ...use, shape: undefined, reads: undefined });
      if (one.kind === "cannot") return one;
      values.push(one.kind === "absent" ? null : one.value);
    }
    return callOf(name, values);
  }

  /** What the files decide of a call of Terraform; undefined: nothing. */
  #chosen(call: CallExpression, scope: Scope, use: Use): Converted | undefined {
    const { decided } = scope;
    const bound = decided.bound(call, scope);
    const made = decided.decide(bound);
    if (made !== undefined) return this.#decided(made, use);
    const next = decided.next(bound);
    if (next === "failed") return cannot(failing, use.isSecret);
    if (next !== undefined) return this.convertBound(next, use);
    if (call.name === "coalesce") return this.#firstPresent(call.args, scope, use);
    if (call.name === "[]") return this.#part(call.args, scope, use);
    return isOperator(call.name) ? cannot(computed, use.isSecret) : undefined;
  }

  /** The first argument that stands for a value. */
  #firstPresent(args: readonly Expression[], scope: Scope, use: Use): Converted {
    for (const arg of args) {
      const one = this.convert(arg, scope, use);
      if (one.kind === "absent" || (one.kind === "value" && one.value === "")) continue;
      const initial =
        one.kind === "value" && typeof one.value === "string" && isReference(one.value)
          ? this.variable(one.value)?.["default"]
          : undefined;
      return initial === "" ? cannot(computed, use.isSecret) : one;
    }
    return { kind: "absent", reason: "None of its values is there." };
  }

  /** The part of a value that only the deployment knows. */
  #part([of, ...steps]: readonly Expression[], scope: Scope, use: Use): Converted {
    const path: (string | number)[] = [];
    for (const step of steps) {
      const one = scope.decided.decide(scope.decided.bound(step, scope));
      if (one?.kind !== "literal" || one.value === null || typeof one.value === "boolean")
        return cannot(computed, use.isSecret);
      path.push(one.value);
    }
    if (of === undefined) return cannot(computed, use.isSecret);
    const isSecret = use.isSecret === true || path.some((step) => isSecretSetting(String(step)));
    const made = this.convert(of, scope, { ...use, shape: undefined, reads: undefined, isSecret });
    const [step] = path;
    if (
      made.kind === "value" &&
      isCall(made.value) &&
      path.length === 1 &&
      typeof step === "number"
    )
      return callOf("select", [step, made.value]);
    return part(made, path);
  }

  /** What a reference stands for in the source, if that is written out there: a block of addresses, of which to compute. */
  #writtenOut(expression: Expression, scope: Scope): Expression {
    let at: Bound | undefined = { expression, scope };
    for (let step = 0; step < MAX_FOLLOWED && at?.expression.kind === "reference"; step += 1) {
      const { target, path }: ReferenceExpression = at.expression;
      if (target.kind === "resource") {
        const found = draftedAt(this.#resources, target.address, path, at.scope);
        if (found === "failed" || found.made === undefined || found.rest.length !== 1) break;
        const { source, scope: own } = found.made;
        const given = source.settings.members.find(({ name }) => name === found.rest[0])?.value;
        at = given && { expression: given, scope: own };
      } else {
        const next = at.scope.decided.next(at);
        if (next === undefined || next === "failed") break;
        at = next;
      }
    }
    const made = at?.scope.decided.decide(at);
    return made?.kind === "literal" ? literal(made.value) : expression;
  }

  /** CloudFormation's and ARM's names of where the deployment is. */
  #pseudo(args: readonly Expression[], use: Use): Converted {
    const [named] = args;
    const name = named?.kind === "literal" ? String(named.value) : "";
    if (name === "AWS::Region" || name === "resourceGroup.location")
      return value("${control.target.region}");
    if (name === "AWS::StackName") return value("${control.instance.name}");
    if (name === "AWS::StackId") return value("${control.instance.id}");
    if (name === "Kubernetes::Cluster") return value(this.#cluster(use));
    if (name === "AWS::NoValue") return { kind: "absent", reason: "It is `AWS::NoValue`." };
    const reason = `The account of the deployment decides \`${name}\`.`;
    return value(this.ask({ ...use, name, shape: { type: "string" } }, `pseudo ${name}`, reason));
  }

  #cluster(use: Use): string {
    const reason = "Manifests name no cluster: give the id of the one that they are applied to.";
    return this.ask({ ...use, name: "clusterId", shape: { type: "string" } }, "cluster", reason);
  }

  /** A value of something outside the draft becomes a config value, one for all its uses. */
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
    const name = [what.replace(/^data\./, ""), ...read].join(" ");
    const isSecret =
      use.isSecret === true ||
      found.isSecret === true ||
      isSecretSetting(String(path.at(-1) ?? ""));
    return value(this.ask({ ...use, name }, key, found.reason, isSecret));
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
            elsewhere("The module is not part of the draft.")
          );
        case "item":
        case "each":
        case "count":
          return this.#located(reference, scope, use) ?? cannot(computed, use.isSecret);
        case "resource":
          return this.#ofResource(target.address, path, scope, use);
      }
    } finally {
      this.#followed -= 1;
    }
  }

  /** What a name stands for, or the part of it that a path reads; undefined: it is not known here. */
  #located(reference: ReferenceExpression, scope: Scope, use: Use): Converted | undefined {
    const { target, path } = reference;
    const found = scope.decided.locate(reference, scope);
    if (found === undefined) return undefined;
    if (found === "failed") return cannot(failing, use.isSecret);
    if (target.kind === "resource") return undefined;
    const isSecret =
      use.isSecret === true || [target.name, ...path].some((name) => isSecretSetting(String(name)));
    const made = this.convertBound(found, { ...use, isSecret });
    // Of what a `for` takes one by one, each asks for itself.
    if (made.kind !== "cannot" || made.isSecret !== true || target.kind === "item") return made;
    const kind = target.kind === "variable" ? "var" : target.kind;
    const key = `${scope.prefix}${[kind, target.name, ...path].join(".")}`;
    // What an instance has of its own is another one's under the same name.
    const own = kind === "each" || kind === "count" ? `${use.address} ${key}` : key;
    return value(this.#askFor(own, use, made.reason));
  }

  /** A secret that a name stands for is asked for once, by the name. */
  #askFor(key: string, use: Use, reason: string): string {
    return this.ask({ ...use, name: key, shape: undefined }, key, reason, true);
  }

  #variable(reference: ReferenceExpression, name: string, scope: Scope, use: Use): Converted {
    const variable = scope.variables.get(name);
    if (variable === undefined) return elsewhere("The variable is not declared in the import.");
    const { caller } = scope;
    const initial = variable.default;
    const given = caller?.settings.get(name);
    // A parser says so as well of the default of a secret.
    const isNull = initial?.kind === "literal" && initial.value === null && !variable.sensitive;
    if (given === undefined && isNull)
      return { kind: "absent", reason: `The default of the variable ${name} is null.` };
    if (caller === undefined) return this.#ofRoot(variable, reference.path, scope, use);
    const found = this.#located(reference, scope, use);
    if (found !== undefined) return found;
    const isSecret = use.isSecret === true || variable.sensitive;
    if (given !== undefined) {
      const made = this.convert(given, caller.scope, { ...use, isSecret });
      return made.kind === "cannot" && made.isSecret === true
        ? value(this.#askFor(`${scope.prefix}var.${name}`, use, made.reason))
        : part(made, reference.path);
    }
    const reason = "The module call does not give the variable.";
    const key = `${scope.prefix}var.${name}`;
    return value(this.ask({ ...use, name: key }, key, reason, isSecret));
  }

  /** A config value; what the source computes by default has no config value, whose default has to be written out. */
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
    const made = isComputed ? this.convert(initial, scope, use) : undefined;
    if (made?.kind === "value") return part(made, path);
    return value(referenceTo(this.#config.ofVariable(variable, use.isSecret), path));
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
      return part(callOf("getAzs", []), whole.slice(1));
    const document = this.#policyDocument(address, whole, scope, use);
    if (document !== undefined) return document;
    const found = draftedAt(this.#resources, address, whole, scope);
    if (found === "failed") return cannot(notMade);
    const { made, rest: path } = found;
    if (made === undefined)
      return elsewhere("It is read from something that the draft does not have.");
    this.#read.add(made);
    const [attribute] = path;
    if (made.name === use.own) return this.#given(made, path, use) ?? cannot(ofItself);
    if (use.reads !== undefined && path.length === 1 && namesObject(made, String(attribute)))
      return value(referenceTo(made.name, stepsOf(use.reads)));
    const constant = path.length === 1 ? made.mapped.constants.get(String(attribute)) : undefined;
    if (constant !== undefined) return value(constant);
    const output = outputPath(made, path);
    if (output !== undefined) return value(referenceTo(made.name, output));
    return (
      this.#given(made, path, use) ??
      elsewhere("The provider's API does not show this attribute under a name known here.")
    );
  }

  #policyDocument(
    address: string,
    [attribute, ...rest]: ReferenceExpression["path"],
    scope: Scope,
    use: Use,
  ): Converted | undefined {
    if (!address.startsWith("data.aws_iam_policy_document.")) return undefined;
    const source = scope.resources.get(address);
    if (source === undefined || attribute !== "json" || rest.length > 0 || source.repeated)
      return undefined;
    const document = policyDocument(source.settings);
    const made =
      document && this.convert(document, scope, { ...use, shape: undefined, reads: undefined });
    return made?.kind === "value" ? value({ "fn::toJSON": made.value }) : undefined;
  }

  /** What the source itself gives to the resource can be said here as well. */
  #given(
    made: DraftedResource,
    path: ReferenceExpression["path"],
    use: Use,
  ): Converted | undefined {
    const given = made.source.settings.members.find(({ name }) => name === path[0]);
    if (given === undefined) return undefined;
    this.#unnamed.add(made);
    const isSecret = isSecretMember(given.name, use.isSecret === true);
    return part(this.convert(given.value, made.scope, { ...use, isSecret }), path.slice(1));
  }
}

const failing = "With what the files give, the source's own tool refuses it.";
const notMade = "It reads an object that the files decide not to make.";
const ofItself = "It reads the object that it belongs to.";
const addressFunctions: ReadonlySet<string> = new Set(["cidr", "cidrsubnet", "cidrhost"]);

const namesOfObjects: ReadonlySet<string> = new Set(["id", "name", "self_link"]);

/** Whether an attribute says which object is meant. */
function namesObject({ mapped }: DraftedResource, attribute: string): boolean {
  return namesOfObjects.has(attribute) || namesOfObjects.has(mapped.outputs.get(attribute) ?? "");
}

/** Operators have signs for names. */
function isOperator(name: string): boolean {
  return !/^[A-Za-z_]/.test(name);
}

function part(of: Converted, path: ReferenceExpression["path"]): Converted {
  return of.kind === "value" && path.length > 0 ? partOf(of.value, path) : of;
}

function elsewhere(reason: string): Converted {
  return { kind: "cannot", reason, isKnownElsewhere: true };
}
