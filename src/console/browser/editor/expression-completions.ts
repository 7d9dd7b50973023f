/** The possible names, members and functions at the end of an open expression. Pure. */
import type { SourceNames } from "./outline.ts";
import { isCall, keysOf, type Option } from "./schema-options.ts";
import { ownOf, type RootSchema, schemasAt } from "./schema.ts";

/** A function of expressions in words (src/engine/expressions/function-words.ts). */
export interface FunctionWords {
  name: string;
  isMethod: boolean;
  form: string;
  description: string;
}

/** The members of `control`. */
const control: Readonly<Record<string, readonly string[]>> = {
  instance: ["id", "name"],
  tenant: ["id", "slug"],
  target: ["name", "region", "environment"],
};

/** A path and a dot at the end of an expression, and the start of a name after them. */
const PATH = /((?:[A-Za-z_$][\w$-]*(?:\[[^[\]]*\])*\.\??)*)([A-Za-z_$][\w$-]*)?$/;

/** The names that the expression may refer to. */
interface Known extends SourceNames {
  /** Whether the expression is in a loop, which has `each`. */
  isLoop: boolean;
  functions: readonly FunctionWords[];
}

/** `end`: the column in the line at which the expression ends. `from`: the column at which the options start. */
export function inExpression(
  schema: RootSchema,
  known: Known,
  text: string,
  end: number,
): { from: number; options: readonly Option[] } {
  const [whole = "", path = "", typed = ""] = PATH.exec(text) ?? [];
  const isAfterValue = /\.\??$/.test(text.slice(0, text.length - whole.length));
  const isMember = path !== "" || isAfterValue;
  const options = isMember
    ? [...(isAfterValue ? [] : membersAt(schema, known, path)), ...methodsAt(known, path)]
    : namesOf(known);
  return { from: end - typed.length, options };
}

function namesOf({ config, variables, resources, isLoop, functions }: Known): Option[] {
  return [
    ...config.map((label) => ({ label, detail: "config" })),
    ...variables.map((label) => ({ label, detail: "variable" })),
    ...[...resources].map(([label, { type, component }]) => ({
      label,
      detail: type ?? component ?? "resource",
    })),
    ...(isLoop ? [{ label: "each", detail: "key, value" }] : []),
    { label: "control", detail: "instance, tenant, target" },
    ...functions.filter(({ isMethod }) => !isMethod).map((one) => called(one, one.name)),
  ];
}

function membersAt(schema: RootSchema, { resources, isLoop }: Known, path: string): Option[] {
  const [root = "", ...members] = path.split(/\.\??/).slice(0, -1);
  const [name = "", index] = root.split("[", 2);
  const [member] = members;
  if (name === "control" && members.length < 2)
    return labels(member === undefined ? Object.keys(control) : ownOf(control, member));
  if (name === "each" && isLoop) return labels(member === undefined ? ["key", "value"] : []);
  const { type, isLoop: isMap } = resources.get(name) ?? {};
  if (type === undefined || member !== undefined || isMap !== (index !== undefined)) return [];
  const schemas = schemasAt(schema, ["resources", name, "properties"], type);
  const properties = keysOf(schema, schemas, type).filter(
    ({ label }) => !isCall(label) && label !== "id",
  );
  return [
    { label: "id", detail: "the provider's id" },
    ...properties.map(({ label, info }) => ({ label, ...(info === undefined ? {} : { info }) })),
  ];
}

function labels(all: readonly string[] = []): Option[] {
  return all.map((label) => ({ label }));
}

/** The methods of values, after their members; after a namespace, its functions. */
function methodsAt({ functions }: Known, path: string): Option[] {
  const inNamespace = functions.filter(({ name }) => path !== "" && name.startsWith(path));
  if (inNamespace.length > 0)
    return inNamespace.map((one) => called(one, one.name.slice(path.length)));
  return functions.filter(({ isMethod }) => isMethod).map((one) => called(one, one.name));
}

function called({ form, description }: FunctionWords, label: string): Option {
  return { label, detail: form, info: description, boost: -50 };
}
