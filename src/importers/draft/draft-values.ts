/** Converts expressions of the source to values of the draft. */
import type { Expression, ReferenceExpression } from "#importers/expression.ts";
import { holdsSecret, isHidden, isSecretSetting } from "#importers/hidden-values.ts";
import type { Place } from "#importers/import-file.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import {
  cannot,
  type Converted,
  escaped,
  joined,
  partOf,
  referenceTo,
  secret,
  value,
} from "./converted.ts";
import type { DraftConfig } from "./draft-config.ts";
import type { DraftedResource } from "./drafted-resource.ts";
import { callOf } from "./functions.ts";
import { outputPath, stepsOf } from "./output-path.ts";
import { holdsSecrets, plainValue } from "./plain-value.ts";
import type { Scope } from "./scopes.ts";

/** What an expression is converted for. */
export interface Use extends Place {
  address: string;
  /** What a config value that stands for it is named after. */
  name: string;
  shape?: ValueShape | undefined;
  /** The value is a secret: what the source writes out of it is asked for. */
  isSecret?: boolean | undefined;
  /** The name of the resource whose property it is: what it reads of itself, it has to say itself. */
  own?: string | undefined;
  /** Of an object that is named by its id or name, the output to read instead. */
  reads?: string | undefined;
}

const computed =
  "Only the source's own tool can compute it: the template language has no conditions, loops or operators.";
const MAX_STEPS = 200_000;
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
  #steps = 0;
  #characters = 0;
  #followed = 0;

  constructor(
    config: DraftConfig,
    resources: ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>,
  ) {
    this.#config = config;
    this.#resources = resources;
  }

  /** The value that the expression has in the draft. What only something outside it knows, it asks for. */
  convert(expression: Expression, scope: Scope, use: Use): Converted {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) return cannot("The module says more than a draft can have.");
    switch (expression.kind) {
      case "literal":
        return this.#literal(expression.value, use);
      case "list":
        return this.#list(expression.items, scope, use);
      case "object":
        return this.#object(expression.members, scope, use);
      case "text":
        return this.#text(expression.parts, scope, use);
      case "reference":
        return this.#known(this.#reference(expression, scope, use), expression, scope, use);
      case "call":
        return this.#call(expression.name, expression.args, scope, use);
      case "opaque":
        if (isHidden(expression)) return secret();
        return cannot(computed, use.isSecret);
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
    return this.#steps <= MAX_STEPS;
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

  #list(items: readonly Expression[], scope: Scope, use: Use): Converted {
    const values: Json[] = [];
    for (const [at, item] of items.entries()) {
      const one = this.convert(item, scope, { ...use, shape: use.shape?.items });
      if (one.kind === "value") values.push(one.value);
      // A list without one of its items would be another list.
      else if (one.kind === "cannot")
        values.push(
          this.ask(
            { ...use, shape: use.shape?.items },
            `${scope.prefix}${use.address} ${use.name}[${at}]`,
            one.reason,
            one.isSecret,
          ),
        );
    }
    return value(values);
  }

  #object(
    members: Extract<Expression, { kind: "object" }>["members"],
    scope: Scope,
    use: Use,
  ): Converted {
    const entries: [string, Json][] = [];
    for (const member of members) {
      const one = this.convert(member.value, scope, {
        ...use,
        shape: use.shape?.items,
        reads: undefined,
        isSecret: isSecretMember(member.name, use.isSecret === true),
      });
      if (one.kind === "cannot") return one;
      if (one.kind === "value") entries.push([escaped(member.name), one.value]);
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

  #call(name: string, args: readonly Expression[], scope: Scope, use: Use): Converted {
    if (name === "pseudo") return this.#pseudo(args, use);
    const values: Json[] = [];
    for (const arg of args) {
      const known = addressFunctions.has(name) ? this.#writtenOut(arg, scope) : arg;
      const one = this.convert(known, scope, { ...use, shape: undefined, reads: undefined });
      if (one.kind === "cannot") return one;
      values.push(one.kind === "absent" ? null : one.value);
    }
    return callOf(name, values);
  }

  /** What a reference stands for in the source, if that is written out there: a block of addresses, of which to compute. */
  #writtenOut(expression: Expression, scope: Scope): Expression {
    let at: Expression | undefined = expression;
    for (let step = 0; step < MAX_FOLLOWED && at?.kind === "reference"; step += 1) {
      const { target, path }: ReferenceExpression = at;
      if (target.kind === "local" && path.length === 0) at = scope.locals.get(target.name)?.value;
      else if (target.kind === "resource" && path.length === 1) {
        const { source } = this.#resources.get(scope)?.get(target.address) ?? {};
        at = source?.settings.members.find(({ name }) => name === path[0])?.value;
      } else return expression;
    }
    return at?.kind === "literal" ? at : expression;
  }

  /** CloudFormation's and ARM's names of where the deployment is. */
  #pseudo(args: readonly Expression[], use: Use): Converted {
    const [named] = args;
    const name = named?.kind === "literal" ? String(named.value) : "";
    if (name === "AWS::Region" || name === "resourceGroup.location")
      return value("${control.target.region}");
    if (name === "AWS::StackName") return value("${control.instance.name}");
    if (name === "AWS::StackId") return value("${control.instance.id}");
    if (name === "AWS::NoValue") return { kind: "absent", reason: "It is `AWS::NoValue`." };
    const reason = `The account of the deployment decides \`${name}\`.`;
    return value(this.ask({ ...use, name, shape: { type: "string" } }, `pseudo ${name}`, reason));
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
          return this.#variable(target.name, path, scope, use);
        case "local": {
          const local = scope.locals.get(target.name);
          if (local === undefined) return cannot("It refers to a local that is not there.");
          return part(
            this.#named(
              { name: target.name, key: `${scope.prefix}local.${target.name}` },
              local.value,
              scope,
              use,
            ),
            path,
          );
        }
        case "module":
          return this.#output(target.name, path, scope, use);
        case "resource":
          return this.#ofResource(target.address, path, scope, use);
        case "each":
        case "count":
          return cannot(computed, use.isSecret);
      }
    } finally {
      this.#followed -= 1;
    }
  }

  /** The value of a name of the source: a secret that it stands for is asked for once, by the key. */
  #named(
    named: { name: string; key: string },
    given: Expression,
    scope: Scope,
    use: Use,
  ): Converted {
    const isSecret = use.isSecret === true || isSecretSetting(named.name);
    const made = this.convert(given, scope, { ...use, isSecret });
    if (made.kind !== "cannot" || made.isSecret !== true) return made;
    const asked = { ...use, name: named.key, shape: undefined };
    return value(this.ask(asked, named.key, made.reason, true));
  }

  #variable(name: string, path: ReferenceExpression["path"], scope: Scope, use: Use): Converted {
    const variable = scope.variables.get(name);
    if (variable === undefined) return elsewhere("The variable is not declared in the import.");
    const { caller } = scope;
    const initial = variable.default;
    const given = caller?.settings.get(name);
    // A parser says so as well of the default of a secret.
    const isNull = initial?.kind === "literal" && initial.value === null && !variable.sensitive;
    if (given === undefined && isNull)
      return { kind: "absent", reason: `The default of the variable ${name} is null.` };
    if (caller === undefined) return this.#ofRoot(variable, path, scope, use);
    const named = { name, key: `${scope.prefix}var.${name}` };
    const isSecret = use.isSecret === true || variable.sensitive;
    if (given !== undefined)
      return part(this.#named(named, given, caller.scope, { ...use, isSecret }), path);
    if (initial !== undefined && !variable.sensitive)
      return part(this.#named(named, initial, scope, use), path);
    const reason = "The module call does not give the variable.";
    return value(this.ask({ ...use, name: named.key }, named.key, reason, isSecret));
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

  #output(name: string, path: ReferenceExpression["path"], scope: Scope, use: Use): Converted {
    const called = scope.calls.get(name);
    if (called?.scope == null) return elsewhere("The module is not part of the draft.");
    const [output, ...rest] = path;
    const found = called.scope.outputs.get(String(output));
    if (found === undefined) return cannot("The module has no such output.");
    return part(this.convert(found.value, called.scope, use), rest);
  }

  #ofResource(
    address: string,
    path: ReferenceExpression["path"],
    scope: Scope,
    use: Use,
  ): Converted {
    if (address.startsWith("data.aws_region.") && /^(?:name|id|region)$/.test(String(path[0])))
      return value("${control.target.region}");
    const made = this.#resources.get(scope)?.get(address);
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

const ofItself = "It reads the object that it belongs to.";
const addressFunctions: ReadonlySet<string> = new Set(["cidr", "cidrsubnet", "cidrhost"]);

const namesOfObjects: ReadonlySet<string> = new Set(["id", "name", "self_link"]);

/** Whether an attribute says which object is meant. */
function namesObject({ mapped }: DraftedResource, attribute: string): boolean {
  return namesOfObjects.has(attribute) || namesOfObjects.has(mapped.outputs.get(attribute) ?? "");
}

/** Beside a secret, what tells what it is for. */
const plainMembers =
  /^(?:name|username|user|engine|host|port|dbname|database|type|version|id|path|region)$/i;

/** What a member of this name is, in an object that is a secret or not. */
export function isSecretMember(name: string, isInSecret: boolean): boolean {
  return isSecretSetting(name) || (isInSecret && !plainMembers.test(name));
}

function part(of: Converted, path: ReferenceExpression["path"]): Converted {
  return of.kind === "value" && path.length > 0 ? partOf(of.value, path) : of;
}

function elsewhere(reason: string): Converted {
  return { kind: "cannot", reason, isKnownElsewhere: true };
}
