import type { ArmNode } from "#importers/arm/arm-syntax.ts";
import { literal, type Expression, referencesIn } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import { keyOf } from "./arm-names.ts";
import { type DeploymentPlace, placeId } from "./arm-place.ts";
import type { ArmReading } from "./arm-reading.ts";
import type { ArmResources, Indexed } from "./arm-resource-index.ts";
import { stepped } from "./arm-steps.ts";
import type { Turn } from "./arm-turn.ts";
import type { CalledNode } from "./functions/arm-call.ts";
import { call, list, numberIn, textIn as knownText } from "./known-values.ts";
import { keyInLoops } from "./open-loops.ts";
import { untranslated } from "./untranslated.ts";

/** The outputs of a nested deployment, by its address. */
export type NestedOutputs = (address: string, name: string) => Expression | undefined;

/** Reads what a template says of resources: its own by reference, and values that only Azure knows. */
export class ObjectValues {
  /** May be filled later. Until then, references to them are read as calls. */
  readonly resources: ArmResources;
  readonly place: DeploymentPlace;
  readonly #reading: ArmReading;
  readonly #outputs: NestedOutputs;

  constructor(of: {
    resources: ArmResources;
    reading: ArmReading;
    place: DeploymentPlace;
    outputs: NestedOutputs;
  }) {
    this.resources = of.resources;
    this.#reading = of.reading;
    this.place = of.place;
    this.#outputs = of.outputs;
  }

  /** `reference(…)` with its path. `none`: it has no such value. */
  referenced(called: CalledNode): Expression | "none" {
    const { args, steps, line, turn } = called;
    const [first, , full] = args;
    const isFull = knownText(full)?.toLowerCase() === "full";
    const found = first && this.indexed(first, turn);
    if (found === undefined) return this.#inLoop(first, isFull, called) ?? this.asked(called);
    const literals = steps.map(({ value }) => knownText(value) ?? numberIn(value));
    const [outputs, name, value] = literals;
    if (!isFull && outputs === "outputs" && typeof name === "string" && value === "value") {
      const output = this.#outputs(found.address, name);
      if (output !== undefined)
        return stepped(output, { steps: steps.slice(3), line, turn }, this.#reading) ?? "none";
    }
    const base = this.resource(found, isFull ? [] : ["properties"], turn, line);
    return (base && stepped(base, called, this.#reading)) ?? "none";
  }

  /** A reference to one object of an open loop by its symbolic name: `vms[0]`. */
  #inLoop(
    given: Expression | undefined,
    isFull: boolean,
    called: CalledNode,
  ): Expression | undefined {
    const [, name, index] = /^([^[]+)\[(\d{1,6})\]$/.exec(knownText(given) ?? "") ?? [];
    const found = name === undefined ? undefined : this.resources.symbolic(name);
    if (found?.loops !== 1 || found.isMapped) return undefined;
    const target = { kind: "resource", address: found.address } as const;
    const path = [Number(index), ...(isFull ? [] : ["properties"])];
    return stepped({ kind: "reference", target, path, line: called.line }, called, this.#reading);
  }

  /** `listKeys(…)` and its like: secrets of an object. */
  listed(called: CalledNode): Expression | "none" {
    const { node, args, line, turn } = called;
    const [first] = args;
    const found = first && this.indexed(first, turn);
    const outputs = listOutputs.get(`${node.name.toLowerCase()} ${found?.type ?? ""}`);
    if (found !== undefined && outputs !== undefined) {
      const base = this.resource(found, outputs, turn, line);
      const made = base && stepped(base, called, this.#reading);
      if (made !== undefined) return made;
    }
    return this.asked(called, { isSecret: true });
  }

  /** The resource that an id or a name stands for. */
  indexed(given: Expression, turn: Turn): Indexed | undefined {
    if (given.kind === "reference" && given.target.kind === "resource") {
      const isId = given.path.length === 1 && given.path[0] === "id";
      return isId ? this.resources.at(given.target.address) : undefined;
    }
    const [of, , last] = given.kind === "call" && given.name === "[]" ? given.args : [];
    if (of?.kind === "reference" && of.target.kind === "resource" && knownText(last) === "id")
      return this.resources.at(of.target.address);
    return (
      this.resources.named(given) ??
      this.#ofSymbolicLoop(given, turn) ??
      this.#withinPlace(given, turn)
    );
  }

  /** The resource of an id that is written out in the place of the template. */
  #withinPlace(given: Expression, turn: Turn): Indexed | undefined {
    const place = placeId(this.place, 0);
    const start = place.kind === "text" ? place.parts : [place];
    const parts = given.kind === "text" ? given.parts : [given];
    const isWithin = start.every((part, at) => {
      const own = parts[at];
      return own !== undefined && keyOf(own) === keyOf(part);
    });
    const rest = parts.slice(start.length);
    if (!isWithin || rest.length === 0) return undefined;
    const [first] = rest;
    const found = this.resources.named(
      rest.length === 1 && first ? first : { kind: "text", parts: rest },
    );
    return (found?.loops ?? 0) > (turn.depth ?? 0) ? undefined : found;
  }

  /** The resource of `format('vm[{0}]', copyIndex())`, by its symbolic name. */
  #ofSymbolicLoop(given: Expression, { copy }: Turn): Indexed | undefined {
    const [name, index, end] = given.kind === "text" ? given.parts : [];
    const symbolic = /^([^[]+)\[$/.exec(knownText(name) ?? "")?.[1];
    if (symbolic === undefined || knownText(end) !== "]") return undefined;
    const found = this.resources.symbolic(symbolic);
    const isOwn = [...copy.values()].some(({ number }) => number === index);
    return (found?.loops ?? 0) > 0 && isOwn ? found : undefined;
  }

  /** A reference to a resource, or to the one of its loops with the current indexes. */
  resource(
    { address, loops, isMapped }: Indexed,
    path: readonly (string | number)[],
    { depth = 0 }: Turn,
    line: number,
  ): Expression | undefined {
    const target = { kind: "resource", address } as const;
    if (loops === 0) return { kind: "reference", target, path, line };
    const of: Expression = { kind: "reference", target, path: [], line };
    return loops > depth
      ? undefined
      : call("[]", [of, keyInLoops(loops, isMapped, line), ...path.map(literal)], line);
  }

  /** A value that only Azure knows: the draft asks for it once. */
  asked(
    { node, args, steps, line }: CalledNode,
    { isSecret: isKnown = false, initial }: { isSecret?: boolean; initial?: string } = {},
  ): Expression {
    const isSecret = isKnown || steps.some(({ value }) => isSecretSetting(knownText(value) ?? ""));
    // One answer cannot stand for every turn of a loop.
    if (args.some(readsItem)) return untranslated(node, args, line, this.#reading);
    const name = this.#reading.askedName(spelled(node), keyOf(list(args)));
    const given = [literal(name), literal(initial ?? null), literal(isSecret)];
    return call("pseudo", given.slice(0, isSecret ? 3 : initial === undefined ? 1 : 2), line);
  }
}

function readsItem(of: Expression): boolean {
  return referencesIn(of).some(({ target }) => target.kind === "item");
}

/** Our outputs with the keys that `list…` returns. */
const listOutputs: ReadonlyMap<string, readonly string[]> = new Map([
  ["listkeys microsoft.storage/storageaccounts", []],
  ["listcredentials microsoft.containerregistry/registries", ["credentials"]],
]);

/** The names in a call, for a config value: `uniqueString resourceGroup id`. Literals may be secrets. */
function spelled(node: ArmNode, depth = 0): string {
  if (node.kind === "literal") return "";
  const isName = /^(?:parameters|variables|lambdaVariables)$/i.test(node.name);
  const [first] = node.args;
  const own = isName && first?.kind === "literal" ? String(first.value) : node.name;
  const inner = depth > 2 || isName ? [] : node.args.map((arg) => spelled(arg, depth + 1));
  const path = node.path.map(({ node: step }) =>
    step.kind === "literal" ? String(step.value) : spelled(step, depth + 1),
  );
  return [own, ...inner, ...path]
    .filter((word) => word !== "")
    .join(" ")
    .slice(0, MAX_SPELLED);
}

const MAX_SPELLED = 80;
