import { type Expression, literal } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { keyOf, readableName, sectionOf } from "./values/arm-names.ts";
import { groupName } from "./values/arm-place.ts";
import { joinedNames } from "./values/arm-resource-index.ts";
import { ofNumber, type Turn, withCopy } from "./values/arm-turn.ts";
import { type ArmValues } from "./values/arm-values.ts";
import { type Conditions, keysOf, withCondition, withKeys } from "./values/conditions.ts";
import { numberIn, truthIn } from "./values/known-values.ts";
import { nodeSize } from "./values/node-size.ts";
import { loopIndex, MAX_LOOPS, type OpenLoops, readsLoop } from "./values/open-loops.ts";

/** A resource of a template before its settings are read. Each written-out copy of a loop is one. */
export interface ArmDeclaration {
  address: string;
  /** The full type without the version. */
  type: string;
  /** The full name: `parent/child`. */
  name: Expression;
  node: DataNode;
  file: string;
  values: ArmValues;
  turn: Turn;
  /** The loops whose turns are not written out, outermost first. */
  loops: OpenLoops;
  /** The conditions under which it is made. */
  when: Conditions;
  /** Whether the number of its objects cannot be read. */
  isUncounted: boolean;
  /** The address of an earlier declaration of the same object. */
  again: string | undefined;
  /** The address of the surrounding resource. */
  parent: string | undefined;
  /** The deployment that the resource is nested in. */
  around: Around | undefined;
}

/** A nested deployment, as its resources see it. */
export interface Around {
  node: DataNode;
  file: string;
  address: string;
  values: ArmValues;
  turn: Turn;
  /** Its resource group, if it names another one. */
  group: Expression | undefined;
  around: Around | undefined;
}

/** Opens the template of a nested deployment; undefined: the import does not have it. */
export type OpenNested = (declaration: ArmDeclaration) => Nested | undefined;

export interface Nested {
  section: DataNode | undefined;
  file: string;
  values: ArmValues;
  turn: Turn;
  group: Expression | undefined;
}

/** The maximum number of written-out copies of one resource. */
const MAX_COPIES = 10;
/** The maximum length of a type with its parents, in characters: each child repeats it. */
const MAX_TYPE = 1_000;
/** The maximum number of values in all copies of a template. */
const MAX_COPIED_VALUES = 20_000;

const DEPLOYMENT = "microsoft.resources/deployments";

interface Site {
  values: ArmValues;
  turn: Turn;
  file: string;
  parent: ArmDeclaration | undefined;
  around: Around | undefined;
  loops: OpenLoops;
  when: Conditions;
  isUncounted: boolean;
}

/** The resources of a template, of the resources inside them, and of nested templates. */
export class ArmDeclarations {
  readonly all: ArmDeclaration[] = [];
  readonly deployments = new Map<string, ArmDeclaration>();
  /** Resources that are left out, because they have no type or no name. */
  readonly unread: Pick<ArmDeclaration, "node" | "file" | "values" | "turn">[] = [];
  readonly #loops = new Map<ArmValues, Map<string, string[]>>();
  readonly #contents = new Map<string, string[]>();
  readonly #log: ImportLog;
  readonly #open: OpenNested;
  readonly #taken = new Map<string, number>();
  #copied = 0;
  #nested = 0;

  constructor(log: ImportLog, open: OpenNested) {
    this.#log = log;
    this.#open = open;
  }

  /** The number of resources in nested templates. */
  get nested(): number {
    return this.#nested;
  }

  /** The addresses of the copies of a loop. */
  loop(values: ArmValues, name: string): readonly string[] | undefined {
    return this.#loops.get(values)?.get(name.toLowerCase());
  }

  /** The addresses of a nested deployment's resources; undefined for the address of another resource. */
  contents(address: string): readonly string[] | undefined {
    return this.#contents.get(address);
  }

  find(section: DataNode | undefined, values: ArmValues, turn: Turn, file: string): void {
    const site = { parent: undefined, around: undefined, loops: [], when: [] };
    this.#section(section, { ...site, values, turn, file, isUncounted: false });
  }

  /** Finds the resources of a list, or of a map by symbolic names. */
  #section(section: DataNode | undefined, site: Site): void {
    if (section?.kind === "list")
      for (const node of section.items) this.#resource(node, undefined, site);
    if (section?.kind === "map")
      for (const [name, node] of section.members) this.#resource(node, name, site);
  }

  #resource(node: DataNode, symbolic: string | undefined, site: Site): void {
    const { values, parent, file } = site;
    const type = this.#typeOf(node, site);
    const name = sectionOf(node, "name");
    const isNamed = name !== undefined || symbolic !== undefined;
    const length = (type?.length ?? 0) + (parent?.type.length ?? 0);
    if (type === undefined || !isNamed || length > MAX_TYPE) {
      const message = "The resource has no type or no name: it was left out.";
      this.#log.add("warning", "invalid_resource", message, { file, line: lineOf(node) });
      this.unread.push({ node, file, values, turn: site.turn });
      return;
    }
    const loop = memberOf(node, "copy");
    const given = { node, symbolic, type, name };
    if (loop === undefined) {
      this.#declare(given, site, undefined);
      return;
    }
    const loopName = textIn(memberOf(loop, "name")) ?? "";
    const counted = memberOf(loop, "count");
    const count = counted && values.read(counted, site.turn);
    const written = this.#writtenOut(count, node, values);
    const known = written === 0 && values.reading.findsSecrets ? 1 : written;
    const addresses: string[] = [];
    if (known !== undefined)
      for (let at = 0; at < known; at += 1) {
        const turn = withCopy(site.turn, loopName, ofNumber(at));
        for (const one of this.#declare(given, { ...site, turn }, at)) addresses.push(one);
      }
    else {
      const depth = site.loops.length;
      const isUncounted = site.isUncounted || count === undefined || depth === MAX_LOOPS;
      const loops = isUncounted ? site.loops : [...site.loops, count];
      const index = withCopy(site.turn, loopName, { number: loopIndex(depth) });
      const turn = { ...index, depth: loops.length };
      const own = this.#declare(given, { ...site, turn, loops, isUncounted }, undefined);
      for (const one of own) addresses.push(one);
    }
    const own = this.#loops.get(values) ?? new Map<string, string[]>();
    this.#loops.set(values, own);
    own.set(loopName.toLowerCase(), addresses);
  }

  /** The type, which may be an expression. */
  #typeOf(node: DataNode, { values, turn }: Site): string | undefined {
    const given = sectionOf(node, "type");
    const written = textIn(given);
    if (given === undefined || written === undefined || !written.startsWith("[")) return written;
    const read = values.read(given, turn);
    return read.kind === "literal" ? String(read.value) : undefined;
  }

  /** The number of copies to write out; undefined: the loop stays one resource. */
  #writtenOut(count: Expression | undefined, of: DataNode, values: ArmValues): number | undefined {
    const known = count && numberIn(count);
    if (known === undefined || !Number.isInteger(known) || known < 0 || known > MAX_COPIES)
      return undefined;
    const size = nodeSize(of) * known;
    if (this.#copied + size > MAX_COPIED_VALUES || !values.reading.spend(size)) return undefined;
    this.#copied += size;
    return known;
  }

  /** Returns the addresses of the declared resource, or of what its nested template makes. */
  #declare(given: Given, site: Site, at: number | undefined): readonly string[] {
    const { node, symbolic } = given;
    const { values, turn, file, parent, around } = site;
    const written = memberOf(node, "condition");
    const condition = written && values.read(written, turn);
    const holds = condition && truthIn(condition);
    const { findsSecrets } = values.reading;
    if (holds === false && !findsSecrets) {
      const message = "The condition of the resource is never true: it was left out.";
      this.#log.add("info", "condition_false", message, { file, line: lineOf(node) });
      return [];
    }
    const isOpen = condition !== undefined && holds === undefined;
    const when = isOpen ? withCondition(site.when, condition) : site.when;
    const { type: fullType, name } = this.#fullName(given, site);
    const wanted =
      symbolic ?? `${fullType.slice(fullType.lastIndexOf("/") + 1)}/${readableName(name)}`;
    const address = this.#unique(at === undefined ? wanted : `${wanted}[${at}]`);
    const own = isOpen ? { ...turn, holds: withKeys(turn.holds, when) } : turn;
    const group = keyOf(around?.group ?? groupName(values.place, 0));
    const before = values.resources.find(fullType, name);
    // Others may be each the other's alternative.
    const areTogether = before?.when.every((key) => keysOf(when).includes(key)) === true;
    const isAgain = areTogether && before.group === group;
    const declaration: ArmDeclaration = {
      address,
      type: fullType,
      name,
      node,
      file,
      values,
      turn: own,
      loops: site.loops,
      when,
      isUncounted: site.isUncounted,
      again: isAgain ? before.address : undefined,
      parent: parent?.address,
      around,
    };
    const indexed = {
      address,
      type: fullType.toLowerCase(),
      group,
      loops: site.loops.length,
      isMapped: site.loops.length > 1 || when.some(readsLoop),
      when: keysOf(when),
    };
    const bySymbol = at === undefined || symbolic === undefined ? symbolic : `${symbolic}[${at}]`;
    if (holds !== false) values.resources.add(bySymbol, name, indexed);
    if (fullType.toLowerCase() === DEPLOYMENT) {
      this.deployments.set(address, declaration);
      return this.#deploy(declaration, site);
    }
    this.all.push(declaration);
    if (around !== undefined) this.#nested += 1;
    this.#section(memberOf(node, "resources"), {
      ...site,
      parent: declaration,
      turn: declaration.turn,
      when,
    });
    return [address];
  }

  /** Declares what a nested template makes. */
  #deploy(declaration: ArmDeclaration, site: Site): readonly string[] {
    const { address, node, turn, when, isUncounted, file, values } = declaration;
    const nested = this.#open(declaration);
    if (nested === undefined) {
      this.#contents.set(address, []);
      return [];
    }
    const before = this.all.length;
    this.#section(nested.section, {
      values: nested.values,
      turn: nested.turn,
      file: nested.file,
      parent: undefined,
      around: {
        node,
        file,
        address,
        values,
        turn,
        group: nested.group,
        around: site.around,
      },
      loops: site.loops,
      when,
      isUncounted,
    });
    const made = this.all.slice(before).map((one) => one.address);
    this.#contents.set(address, made);
    return made;
  }

  /** The full type and name. A type without a namespace, and its name, continue those of the parent. */
  #fullName(
    { type, name, symbolic }: Given,
    { parent, values, turn }: Site,
  ): { type: string; name: Expression } {
    const own: Expression = name === undefined ? literal(symbolic ?? "") : values.read(name, turn);
    const isWhole = (type.split("/", 1)[0] ?? "").includes(".");
    if (parent === undefined || isWhole) return { type, name: own };
    const inner = `${parent.type}/${type}`;
    // Each child repeats the name of its parent.
    if (keyOf(parent.name) === undefined) return { type: inner, name: own };
    return { type: inner, name: joinedNames([parent.name, own]) };
  }

  #unique(wanted: string): string {
    let count = (this.#taken.get(wanted) ?? 0) + 1;
    let address = count === 1 ? wanted : `${wanted}#${count}`;
    while (this.#taken.has(address)) {
      count += 1;
      address = `${wanted}#${count}`;
    }
    this.#taken.set(wanted, count);
    if (address !== wanted) this.#taken.set(address, 1);
    return address;
  }
}

interface Given {
  node: DataNode;
  symbolic: string | undefined;
  type: string;
  name: DataNode | undefined;
}
