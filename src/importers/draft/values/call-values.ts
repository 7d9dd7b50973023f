/** Converts calls of functions: statically where the files decide them, else to functions of the template language. */
import { stepsOfText } from "#importers/evaluate/deciding.ts";
import type { Bound, Scope } from "#importers/evaluate/scope.ts";
import {
  type Expression,
  literal,
  partsOf,
  type ReferenceExpression,
} from "#importers/expression.ts";
import { whyUnread, whyUnreadIn } from "#importers/hcl/files/unread-file.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { Json } from "#platform/json.ts";
import { cannot, type Converted, isCall, isReference, partAt, value } from "./converted.ts";
import { tooMuch } from "./draft.ts";
import { draftedAt, type DraftedByScope } from "./drafted-resource.ts";
import { isFolder } from "./formulas/formulas.ts";
import { operandShape } from "./formulas/operand-shapes.ts";
import { callOf } from "./functions.ts";
import { asJoined, computed, type Converting, failing, type Use } from "./use.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;

/** The maximum number of names followed from one. */
const MAX_FOLLOWED = 50;

export class CallValues {
  readonly #values: Converting;
  readonly #resources: DraftedByScope;

  constructor(values: Converting, resources: DraftedByScope) {
    this.#values = values;
    this.#resources = resources;
  }

  convert(call: CallExpression, scope: Scope, use: Use): Converted {
    if (call.name === "pseudo") return this.#pseudo(call.args, use);
    const unread = whyUnread(call);
    if (unread !== undefined) return cannot(unread, use.isSecret);
    const { format } = scope.module;
    if (format === "arm") return this.#ofArm(call, scope, use);
    if (format !== "terraform") return this.#called(call, scope, use);
    const known = this.#chosen(call, scope, use) ?? this.#folderName(call, use);
    const isFormula = known === undefined && saysMore(call);
    const formula = isFormula ? this.#values.formulas.convert(call, scope, use) : undefined;
    const made = known ?? formula ?? this.#called(call, scope, use);
    if (made.kind !== "cannot" || made.isSecret === true || made.reason === failing) return made;
    return this.#values.formulas.convert(call, scope, use) ?? made;
  }

  /** Converts a call of ARM's, whose reader has computed what the files decide. */
  #ofArm(call: CallExpression, scope: Scope, use: Use): Converted {
    const [only] = call.args;
    if (call.name === "sensitive" && only !== undefined)
      return this.#values.convert(only, scope, { ...use, isSecret: true });
    const made = this.#values.formulas.convert(call, scope, use);
    if (made !== undefined) return made;
    const unknown = untranslated(call);
    return unknown === undefined ? cannot(computed, use.isSecret) : callOf(unknown, []);
  }

  /** Converts by functions of the template language in their form as maps, or computes from literals. */
  #called({ name, args }: CallExpression, scope: Scope, use: Use): Converted {
    const values: Json[] = [];
    for (const [nth, arg] of args.entries()) {
      const known = addressFunctions.has(name) ? this.#writtenOut(arg, scope) : arg;
      const one = this.#values.convert(known, scope, {
        ...asJoined(use, name),
        shape: operandShape(name, args, nth),
        reads: undefined,
        isPart: true,
      });
      if (one.kind === "cannot") return one;
      values.push(one.kind === "absent" ? null : one.value);
    }
    const steps = values.reduce((sum: number, one) => sum + stepsOfJson(one), 0);
    if (!this.#values.spend(steps)) return cannot(tooMuch, use.isSecret);
    return callOf(name, values);
  }

  /** `basename(path.cwd)`: no file contains the name of its folder, so it is asked for once. */
  #folderName({ name, args: [of] }: CallExpression, use: Use): Converted | undefined {
    if (name !== "basename" || !isFolder(of)) return undefined;
    const reason = "The name of the folder that Terraform is run in, which no file tells.";
    const asked = { ...use, name: "folderName", shape: { type: "string" } } as const;
    return value(this.#values.ask(asked, "folder name", reason));
  }

  /** Converts a Terraform call that the files decide; undefined for others. */
  #chosen(call: CallExpression, scope: Scope, use: Use): Converted | undefined {
    const { decided } = scope;
    const bound = decided.bound(call, scope);
    const made = decided.decide(bound);
    if (made !== undefined) return this.#values.decided(made, use);
    const next = decided.next(bound);
    if (next === "failed") return cannot(failing, use.isSecret);
    if (next !== undefined) return this.#values.convertBound(next, use);
    if (call.name === "coalesce") return this.#firstPresent(call.args, scope, use);
    if (call.name === "[]") return this.#part(call, scope, use);
    return isOperator(call.name) ? cannot(whyUnreadIn(call) ?? computed, use.isSecret) : undefined;
  }

  /** Converts to the first argument with a value. */
  #firstPresent(args: readonly Expression[], scope: Scope, use: Use): Converted {
    for (const arg of args) {
      const one = this.#values.convert(arg, scope, use);
      if (one.kind === "absent" || (one.kind === "value" && one.value === "")) continue;
      return one.kind === "value" && mayBeEmpty(one.value, this.#values)
        ? cannot(computed, use.isSecret)
        : one;
    }
    return { kind: "absent", reason: "None of its values is there." };
  }

  /** Converts a part of a value that only the deployment knows. */
  #part(call: CallExpression, scope: Scope, use: Use): Converted {
    const [of, ...steps] = call.args;
    const path: (string | number)[] = [];
    for (const step of steps) {
      const one = scope.decided.decide(scope.decided.bound(step, scope));
      if (one?.kind !== "literal" || one.value === null || typeof one.value === "boolean")
        return cannot(computed, use.isSecret);
      path.push(one.value);
    }
    if (of === undefined) return cannot(computed, use.isSecret);
    const isSecret = use.isSecret === true || path.some((step) => isSecretSetting(String(step)));
    const isOfObject = of.kind === "reference" && of.target.kind === "resource";
    const formula =
      isSecret || isOfObject ? undefined : this.#values.formulas.convert(call, scope, use);
    if (formula !== undefined) return formula;
    const made = this.#values.convert(of, scope, {
      ...use,
      shape: undefined,
      reads: undefined,
      isSecret,
    });
    const [step] = path;
    if (
      made.kind === "value" &&
      isCall(made.value) &&
      path.length === 1 &&
      typeof step === "number"
    )
      return callOf("select", [step, made.value]);
    return partAt(made, path);
  }

  /** Follows a reference to a literal in the source, such as an address block to compute with. */
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

  /** Converts ARM's names for the place of the deployment, and the cluster of manifests. */
  #pseudo(args: readonly Expression[], use: Use): Converted {
    const [named] = args;
    const name = named?.kind === "literal" ? String(named.value) : "";
    if (name === "resourceGroup.location") return value("${control.target.region}");
    if (name === "deployment.name") return value("${control.instance.name}");
    if (name === "Kubernetes::Cluster") return value(this.#cluster(use));
    const reason = `The account of the deployment decides \`${name}\`.`;
    const [, initial, secret] = args;
    const given = initial?.kind === "literal" && initial.value !== null ? initial.value : undefined;
    const isSecret = use.isSecret === true || (secret?.kind === "literal" && secret.value === true);
    const asked = { ...use, name, shape: { type: "string" } } as const;
    return value(this.#values.ask(asked, `pseudo ${name}`, reason, isSecret, given));
  }

  #cluster(use: Use): string {
    const reason = "Manifests name no cluster: give the id of the one that they are applied to.";
    return this.#values.ask(
      { ...use, name: "clusterId", shape: { type: "string" } },
      "cluster",
      reason,
    );
  }
}

/** Functions whose form as a map, if there is one, says less. */
const formulas: ReadonlySet<string> = new Set(["one", "tostring", "tonumber", "tobool", "toset"]);

/** The objects of a repeated resource have a length only in a formula. */
function saysMore({ name, args: [of] }: CallExpression): boolean {
  const isOfObjects = of?.kind === "reference" && of.target.kind === "resource";
  return formulas.has(name) || (name === "length" && isOfObjects);
}

/** The name of the first function in a call of ARM's that has no form. */
function untranslated(call: CallExpression): string | undefined {
  const waiting: Expression[] = [call];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "call" && at.name.startsWith("ARM ")) return at.name.slice("ARM ".length);
    waiting.push(...partsOf(at).slice(0, 50).toReversed());
  }
  return undefined;
}

const addressFunctions: ReadonlySet<string> = new Set(["cidr", "cidrsubnet", "cidrhost"]);

/** The steps for reading an argument. */
function stepsOfJson(of: Json): number {
  if (typeof of === "string") return stepsOfText(of.length);
  return typeof of === "object" && of !== null ? Object.keys(of).length : 1;
}

/** Whether a value may be an empty text, or be omitted. */
function mayBeEmpty(of: Json, values: Converting): boolean {
  if (typeof of !== "string") return false;
  return of.includes("omit()") || (isReference(of) && values.variable(of)?.["default"] === "");
}

/** The names of operators are signs. */
function isOperator(name: string): boolean {
  return !/^[A-Za-z_]/.test(name);
}
