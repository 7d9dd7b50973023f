/** Reads a template, with the templates nested in it, to one module. */
import { withoutEnvironmentSecrets } from "#importers/environment-secrets.ts";
import { type Expression, literal, type Member } from "#importers/expression.ts";
import { hidden } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { workOf } from "#importers/import-work.ts";
import { withoutNamedSecrets } from "#importers/named-secrets.ts";
import type { LeftOutPart, ModuleCall, SourceModule } from "#importers/source-module.ts";
import { lineOf, memberOf, membersOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { ArmDeclarations, type ArmDeclaration, type Nested } from "./arm-declarations.ts";
import { outputsOf } from "./arm-outputs.ts";
import { armParameter } from "./arm-parameters.ts";
import { ArmResourceReader } from "./arm-resources.ts";
import type { ArmNode } from "./arm-syntax.ts";
import { levelOf, literalEnd } from "./template-links.ts";
import { localsOf, type NamedValue, namedIn, type Template } from "./template-names.ts";
import {
  armNamesOf,
  copiesIn,
  isSecureType,
  keyOf,
  readableName,
  sectionOf,
} from "./values/arm-names.ts";
import { type DeploymentPlace, groupName, subscriptionId } from "./values/arm-place.ts";
import { ArmReading } from "./values/arm-reading.ts";
import { ArmResources } from "./values/arm-resource-index.ts";
import { outsideResources, start, withoutNames } from "./values/arm-turn.ts";
import { ArmValues } from "./values/arm-values.ts";
import { HiddenParts } from "./values/hidden-parts.ts";
import { call } from "./values/known-values.ts";
import { type Argument, type Given, localOf } from "./values/named-values.ts";
import { nodeSize } from "./values/node-size.ts";
import { asSecret } from "./values/secret-values.ts";

/** Finds the template that a deployment links to, from the literal end of its address. */
export type Linked = (from: string, end: string) => { path: string; root: DataNode } | undefined;

export interface ReadTemplate {
  module: SourceModule;
  /** The paths of the linked templates in it. */
  linked: ReadonlySet<string>;
}

/** A deployment is nested at most so deep. */
const MAX_DEPTH = 10;
/** The maximum number of nested templates of one file, and of the resources in them. */
const MAX_OPENED = 2_000;
const MAX_NESTED = 2_000;
/** The steps for a value of a template that is opened again: its variables are kept again too. */
const STEPS_OF_OPENING = 4;

/** Reads the template twice: first to find the secrets among the values of its names, then without them. */
export function readTemplate(
  root: DataNode,
  file: string,
  log: ImportLog,
  linked: Linked,
): ReadTemplate {
  const sources = { log, linked, parsed: new Map<string, ArmNode | undefined>() };
  const finding = { ...sources, told: { add: () => {} }, secrets: undefined };
  const secrets = new TemplateReader(root, file, finding).secrets();
  return new TemplateReader(root, file, { ...sources, told: log, secrets }).read();
}

interface Sources {
  log: ImportLog;
  told: Pick<ImportLog, "add">;
  linked: Linked;
  /** The secrets among the values of names; undefined: this reading finds them. */
  secrets: HiddenParts | undefined;
  /** The expressions of texts that were parsed before. */
  parsed: Map<string, ArmNode | undefined>;
}

interface NestedTemplate extends Template {
  root: DataNode;
  number: number;
}

class TemplateReader {
  readonly #root: DataNode;
  readonly #file: string;
  readonly #sources: Sources;
  readonly #reading: ArmReading;
  readonly #declarations: ArmDeclarations;
  readonly #templates: Template[] = [];
  readonly #nested = new Map<string, NestedTemplate>();
  /** Templates that were opened. Each further time takes as long again. */
  readonly #opened = new Set<DataNode>();
  readonly #outputs = new Map<string, Expression | null>();
  readonly #calls: ModuleCall[] = [];
  readonly #leftOut: LeftOutPart[] = [];
  readonly #linked = new Set<string>();

  constructor(root: DataNode, file: string, sources: Sources) {
    this.#root = root;
    this.#file = file;
    this.#sources = sources;
    const { secrets, parsed, log } = sources;
    this.#reading = new ArmReading(armNamesOf(root), workOf(log), parsed, secrets);
    this.#declarations = new ArmDeclarations(sources.told as ImportLog, (one) => this.#open(one));
  }

  read(): ReadTemplate {
    const values = this.#declare();
    const module = this.#module(values);
    if (module.resources.length === 0 && this.#calls.length === 0) {
      const message = "The template has no resources.";
      this.#sources.told.add("warning", "no_resources", message, { file: this.#file });
    }
    return { module, linked: this.#linked };
  }

  /** The secrets among the values of the template's names. */
  secrets(): HiddenParts {
    const values = this.#declare();
    this.#reading.keepNames();
    const module = this.#module(values);
    const named = [...this.#templates.flatMap(namedIn), ...this.#namedOutputs()];
    const locals = named.map(({ local }) => local);
    const moduleCalls = this.#callsWithSettings();
    const found = new HiddenParts();
    const [left] = withoutEnvironmentSecrets(
      withoutNamedSecrets([{ ...module, locals, moduleCalls }]),
    );
    for (const [at, { declaration, local }] of named.entries()) {
      const value = left?.locals[at]?.value;
      if (value !== undefined) found.add(declaration, { before: local.value, left: value });
    }
    for (const [at, { name, default: before }] of module.variables.entries()) {
      const declaration = values.names.parameters.get(name.toLowerCase())?.node;
      const value = left?.variables[at]?.default;
      if (declaration !== undefined && before !== undefined && value !== undefined)
        found.add(declaration, { before, left: value });
    }
    found.isComplete = !this.#reading.isCut;
    return found;
  }

  /** Finds all resources. */
  #declare(): ArmValues {
    const root = this.#root;
    const values = this.#values(root, this.#file, { level: levelOf(root, "resourceGroup") });
    this.#declarations.find(sectionOf(root, "resources"), values, start, this.#file);
    // Names were read before all resources were known.
    for (const one of this.#templates) one.values.named.forget();
    this.#outputs.clear();
    return values;
  }

  #module(values: ArmValues): SourceModule {
    const file = this.#file;
    const root = this.#root;
    const reader = new ArmResourceReader(this.#declarations);
    const parameters = [...values.names.parameters.values()].map(({ name, node }) =>
      armParameter(name, node, values, file),
    );
    const secrets = new Set(
      parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name),
    );
    return {
      format: "arm",
      path: file,
      isRoot: true,
      requiredVersion: null,
      backend: null,
      resources: this.#declarations.all.map((declaration) => reader.read(declaration)),
      variables: parameters,
      outputs: outputsOf(sectionOf(root, "outputs"), values, secrets, file),
      locals: this.#reading.keepsNames ? [] : this.#templates.flatMap(localsOf),
      moduleCalls: this.#calls,
      leftOut: this.#leftOut,
      providers: [],
    };
  }

  /** The outputs of nested templates. */
  #namedOutputs(): NamedValue[] {
    return [...this.#nested].flatMap(([address, nested]) =>
      [...membersOf(sectionOf(nested.root, "outputs"))].map(([name, declaration]): NamedValue => {
        const { line } = declaration;
        const value = this.#outputValue(address, name) ?? hidden(line);
        return {
          declaration,
          local: { name: outputLocal(nested, name), value, file: nested.file, line },
        };
      }),
    );
  }

  /** Deployments with their arguments, and declarations that cannot be read, as calls. */
  #callsWithSettings(): ModuleCall[] {
    const deployments = [...this.#declarations.deployments.values()].map((declaration) => {
      const properties = sectionOf(declaration.node, "properties");
      const given = this.#argumentsOf(properties, declaration);
      const members = [...given.values()].map(({ name, line, read }) => ({
        name,
        line,
        value: read(),
      }));
      return callWith(declaration, members);
    });
    const unread = this.#declarations.unread.map((site) => {
      const { node, values, turn } = site;
      const value = values.read(node, turn);
      return callWith(site, [{ name: "resource", value, line: lineOf(node) }]);
    });
    return [...deployments, ...unread];
  }

  #values(
    root: DataNode,
    file: string,
    place: DeploymentPlace,
    given?: Given,
    shared?: ArmResources,
  ): ArmValues {
    const values = new ArmValues({
      names: armNamesOf(root),
      resources: new ArmResources(shared),
      reading: this.#reading,
      place,
      ...(given === undefined ? {} : { given }),
      outputs: (address, name) => this.#output(address, name),
    });
    this.#templates.push({ values, file });
    return values;
  }

  #open(declaration: ArmDeclaration): Nested | undefined {
    const { node, values, turn, address, file, around } = declaration;
    const properties = sectionOf(node, "properties");
    const line = lineOf(node);
    let depth = 0;
    for (let at = around; at !== undefined; at = at.around) depth += 1;
    const inline = sectionOf(properties, "template");
    const found = inline === undefined ? this.#linkedBy(properties, declaration) : undefined;
    const root = inline ?? found?.root;
    if (root?.kind === "map" && (depth >= MAX_DEPTH || !this.#mayOpen(root))) {
      this.#reading.cut();
      const reason = `A file has at most ${MAX_OPENED} nested templates with ${MAX_NESTED} resources, ${MAX_DEPTH} inside each other.`;
      this.#leftOut.push({ address, path: null, reason, file, line });
      const message = `The template of this deployment was left out. ${reason}`;
      this.#sources.told.add("warning", "too_many_nested", message, { file, line });
      return undefined;
    }
    if (root?.kind !== "map") {
      const message =
        "The template that this deployment links to is not read: send its file with this one.";
      this.#sources.told.add("warning", "nested_template", message, { file, line });
      this.#calls.push(this.#callOf(declaration));
      return undefined;
    }
    if (found !== undefined) this.#linked.add(found.path);
    const others = memberOf(properties, "parametersLink");
    if (others !== undefined) {
      const reason = "The values of its parameters are in a file, which an import does not read.";
      const place = { file, line: lineOf(others) };
      this.#leftOut.push({ address, path: "parametersLink", reason, ...place });
    }
    const scope = textIn(memberOf(memberOf(properties, "expressionEvaluationOptions"), "scope"));
    const isInner = found !== undefined || /^inner$/i.test(scope ?? "");
    const path = found?.path ?? file;
    const section = sectionOf(root, "resources");
    const { place, group } = this.#placeOf(declaration, root);
    if (!isInner) {
      this.#nested.set(address, { root, values, file: path, number: this.#nested.size });
      return { section, file: path, values, turn, group };
    }
    const given: Given = {
      arguments: this.#argumentsOf(properties, declaration),
      // The name of the deployment may be about secrets, and says nothing of its variables.
      prefix: `${this.#templates.length}.`,
      hasFile: others !== undefined,
    };
    const inner = this.#values(root, path, place, given, values.resources);
    this.#nested.set(address, { root, values: inner, file: path, number: this.#nested.size });
    // The names of the loops around are not known inside.
    const own = new Map([...turn.copy].filter(([name]) => name === ""));
    const inTurn = { ...withoutNames(turn), copy: own };
    return { section, file: path, values: inner, turn: inTurn, group };
  }

  /** The place of a nested template's deployment. `group`: its resources' own, where it differs from the file's. */
  #placeOf(
    { node, values, turn, around }: ArmDeclaration,
    root: DataNode,
  ): { place: DeploymentPlace; group: Expression | undefined } {
    const line = lineOf(node);
    const group = memberOf(node, "resourceGroup");
    const named = group && values.read(group, turn);
    const isHere = named === undefined || keyOf(named) === keyOf(groupName(values.place, line));
    const subscription = memberOf(node, "subscriptionId");
    const other = subscription && values.read(subscription, turn);
    const isOwn = other === undefined || keyOf(other) === keyOf(subscriptionId(values.place, line));
    const own = isHere ? undefined : this.#groupOf(named, values);
    return {
      place: {
        level: levelOf(root, group === undefined ? values.place.level : "resourceGroup"),
        group: isHere ? values.place.group : own,
        subscription: isOwn ? values.place.subscription : other,
      },
      group: own ?? (named === undefined ? around?.group : undefined),
    };
  }

  /** Whether one more nested template may be opened. */
  #mayOpen(root: DataNode): boolean {
    if (this.#nested.size >= MAX_OPENED || this.#declarations.nested >= MAX_NESTED) return false;
    if (this.#opened.has(root)) return this.#reading.spend(STEPS_OF_OPENING * nodeSize(root));
    this.#opened.add(root);
    return true;
  }

  /** The name of a resource group, by reference if the template makes it. */
  #groupOf(named: Expression, values: ArmValues): Expression {
    const found = values.resources.find("Microsoft.Resources/resourceGroups", named);
    if (found === undefined || found.loops > 0) return named;
    return {
      kind: "reference",
      target: { kind: "resource", address: found.address },
      path: ["name"],
      line: 0,
    };
  }

  #argumentsOf(
    properties: DataNode | undefined,
    { values, turn }: ArmDeclaration,
  ): ReadonlyMap<string, Argument> {
    const given = new Map<string, Argument>();
    for (const [name, node] of membersOf(sectionOf(properties, "parameters"))) {
      const value = memberOf(node, "value");
      const vault = memberOf(node, "reference");
      const copied = copiesIn(memberOf(node, "copy")).find((one) => one.name === "value");
      const line = lineOf(node);
      if (value !== undefined)
        given.set(name.toLowerCase(), { name, line, read: () => values.read(value, turn, name) });
      else if (copied !== undefined)
        given.set(name.toLowerCase(), {
          name,
          line,
          read: () => values.copies(copied.item, "value", turn),
        });
      else if (vault !== undefined)
        given.set(name.toLowerCase(), { name, line, read: () => this.#ofVault(name, vault) });
    }
    return given;
  }

  /** A secret of a key vault, which the deployment reads. */
  #ofVault(name: string, vault: DataNode): Expression {
    const line = lineOf(vault);
    const asked = this.#reading.askedName(name, `${name} ${line}`);
    return call("pseudo", [literal(asked), literal(null), literal(true)], line);
  }

  /** The linked template, if the import has it. */
  #linkedBy(properties: DataNode | undefined, { values, turn, file, around }: ArmDeclaration) {
    const link = sectionOf(properties, "templateLink");
    const given = memberOf(link, "relativePath") ?? memberOf(link, "uri");
    if (given === undefined) return undefined;
    const read = values.read(given, turn);
    const end = literalEnd(read);
    const found = end === undefined ? undefined : this.#sources.linked(file, end);
    if (found === undefined || found.path === file) return undefined;
    for (let at = around; at !== undefined; at = at.around)
      if (at.file === found.path) return undefined;
    return found;
  }

  /** A deployment whose template the import does not have. */
  #callOf(declaration: ArmDeclaration): ModuleCall {
    const { node, values, turn, name, loops, address, when } = declaration;
    const link = sectionOf(sectionOf(node, "properties"), "templateLink");
    const given = memberOf(link, "relativePath") ?? memberOf(link, "uri") ?? memberOf(link, "id");
    const source = given && literalEnd(values.read(given, turn));
    return {
      ...callWith(declaration, []),
      name: readableName(name) || address,
      source: source ?? null,
      repeated: loops.length > 0 || when.length > 0,
    };
  }

  /** The value of a nested deployment's output. */
  #output(address: string, name: string): Expression | undefined {
    const nested = this.#nested.get(address);
    if (nested === undefined) return undefined;
    if (this.#reading.keepsNames) {
      const isDeclared = sectionOf(sectionOf(nested.root, "outputs"), name) !== undefined;
      return isDeclared ? localOf(outputLocal(nested, name), 0) : undefined;
    }
    const key = `${address} ${name.toLowerCase()}`;
    const known = this.#outputs.get(key);
    if (known !== undefined) return known ?? undefined;
    this.#outputs.set(key, null);
    const made = this.#outputValue(address, name);
    const value = made !== undefined && this.#reading.writesOut(made) ? made : undefined;
    if (value === undefined) this.#outputs.delete(key);
    else this.#outputs.set(key, value);
    return value;
  }

  #outputValue(address: string, name: string): Expression | undefined {
    const nested = this.#nested.get(address);
    const output = sectionOf(sectionOf(nested?.root, "outputs"), name);
    if (nested === undefined || output === undefined) return undefined;
    const value = memberOf(output, "value");
    const copied = memberOf(output, "copy");
    const own = withoutNames(this.#declarations.deployments.get(address)?.turn ?? start);
    const made =
      value !== undefined
        ? nested.values.read(value, own, name)
        : copied !== undefined
          ? nested.values.copies(copied, name, outsideResources(own))
          : undefined;
    const left = made && this.#reading.withoutSecrets(output, made);
    return left && isSecureType(output) ? asSecret(left, lineOf(output)) : left;
  }
}

function callWith(
  { node, file }: Pick<ArmDeclaration, "node" | "file">,
  members: readonly Member[],
): ModuleCall {
  return {
    name: "",
    source: null,
    version: null,
    target: null,
    repeated: false,
    settings: { kind: "object", members },
    dependsOn: [],
    file,
    line: lineOf(node),
  };
}

/** The name of a nested template's output among the locals of its module. */
function outputLocal({ number }: NestedTemplate, name: string): string {
  return `${number}.output ${name.toLowerCase()}`;
}
