/**
 * Nested stacks, and applications of AWS SAM, whose template is a file of the import, as calls of that file's module.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-stack.html
 * https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-application.html
 */
import { type Expression, literal, type Member } from "#importers/expression.ts";
import { withoutLiterals } from "#importers/hidden-values.ts";
import { folderOf } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { joinedPath } from "#importers/joined-path.ts";
import { rootsOf } from "#importers/root-modules.ts";
import type { ModuleCall, SourceModule, SourceVariable } from "#importers/source-module.ts";
import { type DataNode, memberOf, membersOf, textIn } from "#importers/text/data-node.ts";
import { argumentsIn, intrinsicOf } from "./intrinsic.ts";
import { isListType, listIn } from "./list-in.ts";
import { isNoValue } from "./no-value.ts";
import type { TemplateFiles } from "./template-files.ts";

/** The property with the address of the template, by type. */
export const addressesOfTemplates: ReadonlyMap<string | undefined, string> = new Map([
  ["AWS::CloudFormation::Stack", "TemplateURL"],
  ["AWS::Serverless::Application", "Location"],
]);

/** The files of nested stacks, by the logical id of the stack. */
export function nestedFiles(
  resources: DataNode | undefined,
  from: string,
  files: TemplateFiles,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [id, node] of membersOf(resources)) {
    const property = addressesOfTemplates.get(textIn(memberOf(node, "Type")));
    if (property === undefined) continue;
    const url = memberOf(memberOf(node, "Properties"), property);
    const file = url && fileAt(url, from, files);
    if (file !== undefined) found.set(id, file);
  }
  return found;
}

/** The file that a template's address means: one beside it, or the only one with the end of the address as its path. */
function fileAt(url: DataNode, from: string, files: TemplateFiles): string | undefined {
  const end = endOf(url);
  if (end === undefined) return undefined;
  const isLocal = intrinsicOf(url) === undefined && !/^[a-z0-9]+:/i.test(end);
  if (isLocal) {
    const path = joinedPath(folderOf(from), end);
    return path !== undefined && files.has(path) ? path : undefined;
  }
  const [address = ""] = end.replace(/^[a-z0-9]+:\/\//i, "").split(/[?#]/, 1);
  return files.endingAs(address, from);
}

/** The text of an address after its last computed part. */
function endOf(node: DataNode): string | undefined {
  const plain = textIn(node);
  const intrinsic = intrinsicOf(node);
  if (intrinsic === undefined) return plain;
  const [first, second] = argumentsIn(intrinsic.argument);
  if (intrinsic.name === "Fn::Sub") {
    const text = textIn(first);
    return text?.slice(text.lastIndexOf("}") + 1).replace(/^(?=[^/])/, "/");
  }
  if (intrinsic.name !== "Fn::Join" || second?.kind !== "list") return undefined;
  const last = textIn(second.items.at(-1));
  return last?.replace(/^(?=[^/])/, "/");
}

/** Gives the arguments of calls the types of the parameters, hides those of secrets, and finds the root modules. */
export function placeStacks(modules: readonly SourceModule[], log: ImportLog): SourceModule[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const calls = new Map<string, ModuleCall[]>();
  for (const { path, moduleCalls, variables } of modules) {
    const around = new Map(variables.map((one) => [one.name, one]));
    calls.set(
      path,
      moduleCalls.map((call) => placed(call, around, byPath)),
    );
  }
  const called = new Set(
    [...calls].flatMap(([path, own]) =>
      own.flatMap(({ target }) => (target === null || target === path ? [] : [target])),
    ),
  );
  const roots = rootsOf([...byPath.keys()], called, calls, log);
  return modules.map((module) => ({
    ...module,
    isRoot: roots.has(module.path),
    moduleCalls: calls.get(module.path) ?? [],
  }));
}

type Variables = ReadonlyMap<string, SourceVariable>;

/** `around`: the parameters of the template that calls. */
function placed(
  call: ModuleCall,
  around: Variables,
  byPath: ReadonlyMap<string, SourceModule>,
): ModuleCall {
  const module = call.target === null ? undefined : byPath.get(call.target);
  // Its file could not be read.
  if (module === undefined) return { ...call, target: null };
  const variables = new Map(module.variables.map((one) => [one.name, one]));
  const members = call.settings.members.map((member): Member => ({
    ...member,
    value: argumentFor(variables.get(member.name), member, around),
  }));
  return { ...call, settings: { kind: "object", members } };
}

/** CloudFormation passes texts. */
function argumentFor(
  variable: SourceVariable | undefined,
  { value, line }: Omit<Member, "name">,
  around: Variables,
): Expression {
  if (variable === undefined) return value;
  if (value.kind === "call" && value.name === "?:") {
    const [condition = literal(null), ...sides] = value.args;
    // Without a value, the parameter has its default.
    const args = sides.map((side) => {
      const own = isNoValue(side) ? variable.default : side;
      return own === undefined ? side : argumentFor(variable, { value: own, line }, around);
    });
    return { ...value, args: [condition, ...args] };
  }
  if (variable.sensitive) return withoutLiterals(value, line);
  const { type } = variable;
  if (isListType(type)) return listIn(value, line, around);
  if (value.kind !== "literal" || value.value === null) return value;
  if (type !== "Number") return literal(String(value.value));
  const number = Number(value.value);
  return Number.isFinite(number) && value.value !== "" ? literal(number) : value;
}
