/**
 * Uses of components: a call of a local module whose instances only the deployment knows. The module has a draft of its
 * own, which the user makes a template of first.
 */
import type { ResolvedComponents } from "#engine/template/checks/check-components.ts";
import { pinName } from "#engine/template/levels/level.ts";
import type { Template } from "#engine/template/template.ts";
import { literal, type Member } from "#importers/expression.ts";
import type { ModuleCall, SourceResource } from "#importers/source-module.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import { fitTo } from "./properties/fit-to.ts";
import type { Repeat } from "./repeats.ts";
import { type MappedType, oneToOne } from "./types/mapped-type.ts";
import { referenceTo } from "./values/converted.ts";
import type { DraftValues } from "./values/draft-values.ts";
import type { Draft, DraftGap } from "./values/draft.ts";
import { addressOf, type DraftedResource } from "./values/drafted-resource.ts";
import type { Use } from "./values/use.ts";

/** The release that a component's template gets, and the range of its uses. */
export const COMPONENT_RELEASE = "1.0.0";
const RANGE = `^${COMPONENT_RELEASE}`;

/** The draft of a module that others use as a component. */
export interface ComponentDraft {
  /** The name of its template. */
  name: string;
  draft: Draft;
  template: Template;
  /** Its config values by the module's variables. */
  inputs: ReadonlyMap<string, string>;
  /** Its config values by CloudFormation's pseudo parameters, which are those of its user. */
  pseudoParameters: ReadonlyMap<string, string>;
  /** The components that it uses itself. */
  below: ResolvedComponents;
}

/** The components of a draft by the paths of their modules. */
export type ComponentDrafts = ReadonlyMap<string, ComponentDraft>;

/** The components as the check of templates takes them. */
export function resolvedComponents(components: Iterable<ComponentDraft>): ResolvedComponents {
  const all = [...components];
  return {
    pins: Object.fromEntries(
      all.map(({ name }) => [pinName({ component: name, version: RANGE }), name]),
    ),
    library: Object.fromEntries(
      all.flatMap(({ name, template, below }) => [
        ...Object.entries(below.library),
        [name, { template, pins: below.pins }] as const,
      ]),
    ),
    problems: {},
  };
}

/** The call as a resource, so that its repetition, dependencies and readers are those of any other. */
export function sourceOfCall(call: ModuleCall): SourceResource {
  const { name, file, line, count, forEach, when, isComponent, settings, dependsOn } = call;
  return {
    address: `module.${name}`,
    mode: "managed",
    type: "module",
    name,
    file,
    line,
    endLine: line,
    provider: "",
    repeated: isComponent !== true,
    count,
    forEach,
    ...(when === undefined ? {} : { when }),
    settings,
    dependsOn,
  };
}

/** A component's members are its outputs, under the module's own names. */
export function mappedComponent({ name, template }: ComponentDraft): MappedType {
  return {
    ...oneToOne(name),
    isMadeFromVendor: false,
    outputs: new Map([
      ["id", null],
      ...Object.keys(template.outputs).map((one) => [one, one] as const),
    ]),
    id: "none",
  };
}

export interface DraftedUse {
  use: JsonMap;
  gaps: DraftGap[];
}

/** The use of a component, whose config values the arguments of the call are. */
export function componentUse(
  made: DraftedResource,
  component: ComponentDraft,
  repeat: Exclude<Repeat, { reason: string }>,
  values: DraftValues,
): DraftedUse {
  const { source, scope, holds } = made;
  const { file, line } = source;
  const address = addressOf(made);
  const { config } = component.template;
  const properties: JsonMap = {};
  const gaps: DraftGap[] = [
    { address, file, line, path: null, code: "component", reason: toMake(component) },
  ];
  const given = new Map(source.settings.members.map((member) => [member.name, member]));
  const variables = new Map([...component.inputs].map(([variable, own]) => [own, variable]));
  const pseudo = new Map([...component.pseudoParameters].map(([of, own]) => [own, of]));
  for (const [name, declared] of Object.entries(config)) {
    const variable = variables.get(name);
    const member = given.get(variable ?? "") ?? pseudoMember(pseudo.get(name), line);
    const shape: ValueShape = { type: declared.type };
    const use: Use = {
      address,
      name: `${source.name} ${variable ?? name}`,
      file,
      line: member?.line ?? line,
      path: variable ?? name,
      shape,
      isSecret: declared.secret,
      facts: holds,
    };
    const converted = member && values.convert(member.value, scope, use);
    if (converted?.kind === "value") {
      properties[name] = fitTo(converted.value, shape, (one) => values.variable(one));
      continue;
    }
    const isLost = converted?.kind === "cannot";
    const isNeeded = declared.default === undefined || (isLost && converted.isSecret === true);
    if (isNeeded) {
      const reason = isLost ? converted.reason : reasonOf(name, component);
      const key = `${address} ${name}`;
      properties[name] = values.ask(use, key, reason, declared.secret);
    } else if (isLost)
      gaps.push({
        address,
        file,
        line: use.line,
        path: use.path ?? null,
        code: "not_expressible",
        reason: converted.reason,
      });
  }
  return { use: { component: component.name, version: RANGE, ...repeat, properties }, gaps };
}

function pseudoMember(name: string | undefined, line: number): Member | undefined {
  if (name === undefined) return undefined;
  return { name, value: { kind: "call", name: "pseudo", args: [literal(name)], line }, line };
}

function toMake({ name, draft }: ComponentDraft): string {
  return `It uses the draft of \`${draft.module}\` as a component: make a template of that one first, with the name \`${name}\`.`;
}

function reasonOf(config: string, { draft }: ComponentDraft): string {
  const asked = draft.unresolved.find((one) => one.config === config);
  return asked?.reason ?? "The module call does not give the variable.";
}

/** The options of a component's use: it takes no others. */
export function componentOptions(waits: readonly string[]): { options?: Json } {
  const names = [...new Set(waits)].map((name) => referenceTo(name, []));
  return names.length === 0 ? {} : { options: { dependsOn: names } };
}
