/** Reads a template, with the templates nested in it, to one module. */
import { withoutEnvironmentSecrets } from "#importers/environment-secrets.ts";
import { type Expression, literal, referencesIn } from "#importers/expression.ts";
import { isSecretSetting, withoutMarked } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { workOf } from "#importers/import-work.ts";
import { withoutNamedSecrets } from "#importers/named-secrets.ts";
import type {
  ModuleCall,
  SourceLocal,
  SourceModule,
  SourceOutput,
} from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { ArmDeclarations, type ArmDeclaration, type Nested } from "./arm-declarations.ts";
import { armNamesOf, keyOf, membersOf, readableName, sectionOf } from "./arm-names.ts";
import { armParameter, isSecureType } from "./arm-parameters.ts";
import { type DeploymentPlace, groupName, subscriptionId } from "./arm-place.ts";
import { ArmReading } from "./arm-reading.ts";
import { ArmResources } from "./arm-resource-index.ts";
import { ArmResourceReader } from "./arm-resources.ts";
import type { ArmNode } from "./arm-syntax.ts";
import { start } from "./arm-turn.ts";
import { ArmValues, type Given } from "./arm-values.ts";
import { call, truthIn } from "./known-values.ts";

/** Finds the template that a deployment links to, from the literal end of its address. */
export type Linked = (from: string, end: string) => { path: string; root: DataNode } | undefined;

export interface ReadTemplate {
  module: SourceModule;
  /** The paths of the linked templates in it. */
  linked: ReadonlySet<string>;
}

/** A deployment is nested at most so deep. */
const MAX_DEPTH = 10;

/** Reads the template twice: names of variables stay first, to find the secrets among their values. */
export function readTemplate(
  root: DataNode,
  file: string,
  log: ImportLog,
  linked: Linked,
): ReadTemplate {
  const quiet = { add: () => {} };
  const names = armNamesOf(root);
  const hidden = new Map<string, Expression>();
  const parsed = new Map<string, ArmNode | undefined>();
  if (names.variables.size > 0) {
    const { module } = new TemplateReader(root, file, {
      log,
      told: quiet,
      linked,
      hidden,
      parsed,
      keepsNames: true,
    }).read();
    const [left] = withoutEnvironmentSecrets(withoutNamedSecrets([module]));
    const before = new Map(module.locals.map((one) => [one.name, one.value]));
    for (const { name, value } of left?.locals ?? [])
      if (before.get(name) !== value) hidden.set(name, value);
  }
  return new TemplateReader(root, file, {
    log,
    told: log,
    linked,
    hidden,
    parsed,
    keepsNames: false,
  }).read();
}

interface Sources {
  log: ImportLog;
  told: Pick<ImportLog, "add">;
  linked: Linked;
  hidden: ReadonlyMap<string, Expression>;
  /** The expressions of texts that were parsed before. */
  parsed: Map<string, ArmNode | undefined>;
  keepsNames: boolean;
}

class TemplateReader {
  readonly #root: DataNode;
  readonly #file: string;
  readonly #sources: Sources;
  readonly #reading: ArmReading;
  readonly #declarations: ArmDeclarations;
  readonly #templates: { values: ArmValues; root: DataNode; prefix: string; file: string }[] = [];
  readonly #nested = new Map<string, { root: DataNode; values: ArmValues; address: string }>();
  readonly #outputs = new Map<string, Expression | null>();
  readonly #calls: ModuleCall[] = [];
  readonly #linked = new Set<string>();

  constructor(root: DataNode, file: string, sources: Sources) {
    this.#root = root;
    this.#file = file;
    this.#sources = sources;
    const { hidden, keepsNames, parsed, log } = sources;
    this.#reading = new ArmReading(armNamesOf(root), workOf(log), { hidden, keepsNames, parsed });
    this.#declarations = new ArmDeclarations(sources.told as ImportLog, (one) => this.#open(one));
  }

  read(): ReadTemplate {
    const file = this.#file;
    const root = this.#root;
    const values = this.#values(root, file, { level: levelOf(root, "resourceGroup") });
    this.#declarations.find(sectionOf(root, "resources"), values, start, file);
    // Names were read before all resources were known.
    for (const one of this.#templates) one.values.forget();
    this.#outputs.clear();
    const reader = new ArmResourceReader(this.#declarations);
    const parameters = [...values.names.parameters.values()].map(({ name, node }) =>
      armParameter(name, node, values, file),
    );
    const secrets = new Set(
      parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name),
    );
    if (this.#declarations.all.length === 0 && this.#calls.length === 0)
      this.#sources.told.add("warning", "no_resources", "The template has no resources.", { file });
    const module: SourceModule = {
      format: "arm",
      path: file,
      isRoot: true,
      requiredVersion: null,
      backend: null,
      resources: this.#declarations.all.map((declaration) => reader.read(declaration)),
      variables: parameters,
      outputs: outputsOf(sectionOf(root, "outputs"), values, secrets, file),
      locals: this.#templates.flatMap((one) => localsOf(one)),
      moduleCalls: this.#calls,
      providers: [],
    };
    return { module, linked: this.#linked };
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
    this.#templates.push({ values, root, prefix: given?.prefix ?? "", file });
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
    if (root?.kind !== "map" || depth >= MAX_DEPTH) {
      this.#calls.push(this.#callOf(declaration));
      return undefined;
    }
    if (found !== undefined) this.#linked.add(found.path);
    const group = memberOf(node, "resourceGroup");
    const named = group && values.read(group, turn);
    const isHere = named === undefined || keyOf(named) === keyOf(groupName(values.place, line));
    const subscription = memberOf(node, "subscriptionId");
    const otherSubscription = subscription && values.read(subscription, turn);
    const isOwn =
      otherSubscription === undefined ||
      keyOf(otherSubscription) === keyOf(subscriptionId(values.place, line));
    const ownGroup = isHere ? undefined : this.#groupOf(named, values);
    const scope = textIn(memberOf(memberOf(properties, "expressionEvaluationOptions"), "scope"));
    const isInner = found !== undefined || /^inner$/i.test(scope ?? "");
    const path = found?.path ?? file;
    const section = sectionOf(root, "resources");
    const groupAround = ownGroup ?? (named === undefined ? around?.group : undefined);
    const level = levelOf(root, group === undefined ? values.place.level : "resourceGroup");
    if (!isInner) {
      this.#nested.set(address, { root, values, address });
      return { section, file: path, values, turn, group: groupAround };
    }
    const given: Given = {
      arguments: this.#argumentsOf(properties, declaration),
      prefix: `${address}.`,
    };
    const place: DeploymentPlace = {
      level,
      group: named === undefined || isHere ? values.place.group : (ownGroup ?? named),
      subscription: isOwn ? values.place.subscription : otherSubscription,
    };
    const inner = this.#values(root, path, place, given, values.resources);
    this.#nested.set(address, { root, values: inner, address });
    const { copy, holds, depth: open = 0 } = turn;
    const own = {
      copy: new Map([...copy].filter(([name]) => name === "")),
      depth: open,
      ...(holds && { holds }),
    };
    return { section, file: path, values: inner, turn: own, group: groupAround };
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
  ): ReadonlyMap<string, () => Expression> {
    const given = new Map<string, () => Expression>();
    for (const [name, node] of membersOf(sectionOf(properties, "parameters"))) {
      const value = memberOf(node, "value");
      const vault = memberOf(node, "reference");
      if (value !== undefined) given.set(name.toLowerCase(), () => values.read(value, turn, name));
      else if (vault !== undefined)
        // A secret of a key vault, which the deployment reads.
        given.set(name.toLowerCase(), () => {
          const asked = this.#reading.askedName(name, `${name} ${lineOf(vault)}`);
          return call("pseudo", [literal(asked), literal(null), literal(true)], lineOf(vault));
        });
    }
    return given;
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
  #callOf({ node, values, turn, file, name, loops, address, when }: ArmDeclaration): ModuleCall {
    const link = sectionOf(sectionOf(node, "properties"), "templateLink");
    const given = memberOf(link, "relativePath") ?? memberOf(link, "uri") ?? memberOf(link, "id");
    const source = given && literalEnd(values.read(given, turn));
    const message =
      "The template that this deployment links to is not read: send its file with this one.";
    this.#sources.told.add("warning", "nested_template", message, { file, line: lineOf(node) });
    return {
      name: readableName(name) || address,
      source: source ?? null,
      version: null,
      target: null,
      repeated: loops.length > 0 || when.length > 0,
      settings: { kind: "object", members: [] },
      dependsOn: [],
      file,
      line: lineOf(node),
    };
  }

  /** The value of a nested deployment's output. */
  #output(address: string, name: string): Expression | undefined {
    const nested = this.#nested.get(address);
    if (nested === undefined) return undefined;
    const key = `${address} ${name.toLowerCase()}`;
    const known = this.#outputs.get(key);
    if (known !== undefined) return known ?? undefined;
    this.#outputs.set(key, null);
    const output = sectionOf(sectionOf(nested.root, "outputs"), name);
    const value = memberOf(output, "value");
    const copied = memberOf(output, "copy");
    const turn = this.#declarations.deployments.get(address)?.turn ?? start;
    const own = {
      copy: turn.copy,
      depth: turn.depth ?? 0,
      ...(turn.holds && { holds: turn.holds }),
    };
    const made =
      value !== undefined
        ? nested.values.read(value, own, name)
        : copied !== undefined
          ? nested.values.copies(copied, name, own)
          : undefined;
    if (made === undefined || !this.#reading.isSmall(made)) {
      this.#outputs.delete(key);
      return undefined;
    }
    const isSecure = isSecureType(textIn(memberOf(output, "type")) ?? null);
    const left = isSecure ? withoutMarked(made, lineOf(output ?? nested.root)) : made;
    this.#outputs.set(key, left);
    return left;
  }
}

/** The level of a template by its schema. */
function levelOf(root: DataNode, otherwise: DeploymentPlace["level"]): DeploymentPlace["level"] {
  const schema = textIn(sectionOf(root, "$schema")) ?? "";
  if (/subscriptionDeploymentTemplate/i.test(schema)) return "subscription";
  if (/managementGroupDeploymentTemplate/i.test(schema)) return "managementGroup";
  if (/tenantDeploymentTemplate/i.test(schema)) return "tenant";
  return schema === "" ? otherwise : "resourceGroup";
}

/** The literal end of an address: `nested/vnet.json` of `[uri(parameters('base'), 'nested/vnet.json')]`. */
function literalEnd(of: Expression): string | undefined {
  if (of.kind === "literal") return typeof of.value === "string" ? of.value : undefined;
  if (of.kind === "text") {
    // A signature may follow the path.
    for (const part of of.parts.toReversed()) {
      const text = part.kind === "literal" ? String(part.value) : "";
      if (/\.jsonc?(?:$|\?)/.test(text)) return text.replace(/\?.*$/, "");
    }
    return undefined;
  }
  if (of.kind === "call" && /^(?:arm:uri|ARM uri|concat)$/.test(of.name))
    return (
      literalEnd(of.args.at(-1) ?? literal(null)) ?? literalEnd(of.args.at(-2) ?? literal(null))
    );
  return undefined;
}

function localsOf({
  values,
  prefix,
  file,
}: {
  values: ArmValues;
  prefix: string;
  file: string;
}): SourceLocal[] {
  return [...values.names.variables].map(([key, declared]): SourceLocal => {
    const name = `${prefix}${declared.name}`;
    const { line } = declared.node;
    const value = values.valueOf(key, declared, name) ?? {
      kind: "opaque",
      text: "variables",
      references: [],
      line,
    };
    return { name, value, file, line: lineOf(declared.node) };
  });
}

function outputsOf(
  section: DataNode | undefined,
  values: ArmValues,
  secrets: ReadonlySet<string>,
  file: string,
): SourceOutput[] {
  const outputs: SourceOutput[] = [];
  for (const [name, node] of membersOf(section)) {
    const given = memberOf(node, "value");
    const copied = memberOf(node, "copy");
    const source = given ?? copied;
    if (source === undefined) continue;
    const isSecure = isSecureType(textIn(memberOf(node, "type")) ?? null);
    const condition = memberOf(node, "condition");
    const holds = condition && values.read(condition, start);
    if (holds !== undefined && truthIn(holds) === false) continue;
    const key = holds && keyOf(holds);
    const turn = key === undefined ? start : { ...start, holds: new Set([key]) };
    const written =
      given === undefined ? values.copies(source, name, turn) : values.read(source, turn, name);
    const read = isSecure ? withoutMarked(written, source.line) : written;
    const isOpen = holds !== undefined && truthIn(holds) === undefined;
    outputs.push({
      name,
      value: isOpen ? call("?:", [holds, read, literal(null)], source.line) : read,
      sensitive:
        isSecure ||
        isSecretSetting(name) ||
        referencesIn(read).some(
          ({ target }) => target.kind === "variable" && secrets.has(target.name),
        ),
      description: textIn(memberOf(memberOf(node, "metadata"), "description")) ?? null,
      file,
      line: lineOf(node),
    });
  }
  return outputs;
}
