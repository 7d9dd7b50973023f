import { type Function as FunctionNode, type Node, parseSync, Visitor } from "oxc-parser";

/** A named function: a declaration, a method, or an arrow function as the value of a variable or property. */
export interface NamedFunction {
  /** Its name alone, and with its container's: `Class.method`, `outer.inner`. */
  names: readonly string[];
  body: { start: number; end: number; isBlock: boolean };
}

/** The fault of a mutant: the function only returns this. */
interface Fault {
  id: string;
  file: string;
  name: string;
  returns: string;
  when?: string;
}

/** The file's text with the fault. Throws unless exactly one function has the name, and the file has the fault's names. */
export function plant(text: string, { id, file, name, returns, when }: Fault): string {
  const named = functionsIn(text, file).filter(({ names }) => names.includes(name));
  const [found] = named;
  if (found === undefined || named.length > 1)
    throw new Error(
      `The mutant ${id} needs one function ${name} in ${file}, and there are ${named.length}: adapt \`name\`.`,
    );
  // Any test notices a name that does not exist, whatever it asserts.
  const unknown = [returns, when ?? ""]
    .flatMap(namesIn)
    .find((one) => !(one in globalThis) && !new RegExp(`\\b${one}\\b`).test(text));
  if (unknown !== undefined)
    throw new Error(`The mutant ${id} names ${unknown}, which ${file} does not have: adapt it.`);
  const { start, end, isBlock } = found.body;
  const expression = returns === "" ? "undefined" : `(${returns})`;
  if (isBlock) {
    const condition = when === undefined ? "" : `if (${when}) `;
    // No line is added, so that a failure shows the line of the source.
    return `${text.slice(0, start + 1)} ${condition}return ${expression};${text.slice(start + 1)}`;
  }
  const whole = text.slice(start, end);
  const planted = when === undefined ? expression : `(${when}) ? ${expression} : (${whole})`;
  return `${text.slice(0, start)}(${planted})${text.slice(end)}`;
}

/** The named functions of a file, nested ones included. Throws if the text does not parse. */
export function functionsIn(text: string, file: string): NamedFunction[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message ?? ""}`);
  const found: NamedFunction[] = [];
  const around: (string | undefined)[] = [];
  const enter = (name: string | undefined, value: Node | null): void => {
    const body = bodyOf(value);
    const owner = around.findLast((one) => one !== undefined);
    if (name !== undefined && body !== undefined)
      found.push({ names: owner === undefined ? [name] : [name, `${owner}.${name}`], body });
    around.push(name);
  };
  const leave = (): void => void around.pop();
  new Visitor({
    ClassDeclaration: (node) => enter(node.id?.name, null),
    "ClassDeclaration:exit": leave,
    FunctionDeclaration: (node) => enter(node.id?.name, node),
    "FunctionDeclaration:exit": leave,
    VariableDeclarator: (node) => enter(nameOf(node.id), node.init),
    "VariableDeclarator:exit": leave,
    MethodDefinition: (node) => enter(nameOf(node.key), node.value),
    "MethodDefinition:exit": leave,
    PropertyDefinition: (node) => enter(nameOf(node.key), node.value),
    "PropertyDefinition:exit": leave,
    Property: (node) => enter(nameOf(node.key), node.value),
    "Property:exit": leave,
  }).visit(program);
  return found;
}

/** The variables that an expression names. */
function namesIn(expression: string): string[] {
  if (expression === "") return [];
  const names: string[] = [];
  const properties = new Set<Node>();
  new Visitor({
    MemberExpression: (node) => void (node.computed || properties.add(node.property)),
    Property: (node) => void (node.computed || node.shorthand || properties.add(node.key)),
    Identifier: (node) => void (properties.has(node) || names.push(node.name)),
  }).visit(parseSync("fault.ts", `(${expression})`).program);
  return names;
}

function nameOf(key: Node): string | undefined {
  if (key.type === "Identifier") return key.name;
  return key.type === "PrivateIdentifier" ? `#${key.name}` : undefined;
}

function bodyOf(node: Node | null): NamedFunction["body"] | undefined {
  if (node === null) return undefined;
  const isFunction =
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression";
  const body = isFunction ? (node as FunctionNode).body : null;
  if (body === null || body === undefined) return undefined;
  return { start: body.start, end: body.end, isBlock: (body as Node).type === "BlockStatement" };
}
