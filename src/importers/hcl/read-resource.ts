import type { Expression, ObjectExpression } from "#importers/expression.ts";
import type { Dependency, SourceResource } from "#importers/source-module.ts";
import { each, type HclBlock, textValue, valueOf } from "./hcl-block.ts";
import { enabledIn, optionsOf } from "./resource-options.ts";

const accessArguments = ["provisioner", "connection"];
const ownArguments = new Set([
  "count",
  "for_each",
  "provider",
  "depends_on",
  "lifecycle",
  ...accessArguments,
]);

const regionArguments = ["region", "location", "zone"];

export function readResource(block: HclBlock, type: string, name: string): SourceResource {
  const mode = block.type === "data" ? "data" : "managed";
  const { file, line, endLine } = block;
  const when = enabledIn(block);
  return {
    address: mode === "data" ? `data.${type}.${name}` : `${type}.${name}`,
    mode,
    type,
    name,
    file,
    line,
    endLine,
    provider: providerOf(valueOf(block, "provider"), type),
    region: regionArguments.map((one) => valueOf(block, one)).find((one) => one !== undefined),
    ...repetitionOf(block),
    ...(when === undefined ? {} : { when }),
    settings: settingsOf(block, ownArguments),
    access: [...block.members.values()].filter((one) => accessArguments.includes(one.name)),
    dependsOn: dependenciesOf(block),
    options: optionsOf(block),
  };
}

/** The members of a block except these. */
export function settingsOf(block: HclBlock, without: ReadonlySet<string>): ObjectExpression {
  const members = [...block.members.values()].filter(({ name }) => !without.has(name));
  return { kind: "object", members };
}

/** The repetition of a block: its `count`, its `for_each`, and whether it may stand for any number but one. */
export function repetitionOf(
  block: HclBlock,
): Pick<SourceResource, "repeated" | "count" | "forEach"> {
  const [count, forEach] = [valueOf(block, "count"), valueOf(block, "for_each")];
  const isOne = count?.kind === "literal" && count.value === 1;
  return {
    repeated: forEach !== undefined || (count !== undefined && !isOne),
    ...(count === undefined ? {} : { count }),
    ...(forEach === undefined ? {} : { forEach }),
  };
}

/** The provider of the argument `provider`, or the first word of the type. */
function providerOf(value: Expression | undefined, type: string): string {
  const named =
    value?.kind === "reference" && value.target.kind === "resource"
      ? value.target.address
      : value?.kind === "opaque"
        ? value.text
        : textValue(value);
  if (named !== null && /^[\w-]+(?:\.[\w-]+)?$/.test(named)) return named;
  const end = type.indexOf("_");
  return end === -1 ? type : type.slice(0, end);
}

/** The dependencies in `depends_on`: resources, whole modules, and outputs of modules. */
export function dependenciesOf(block: HclBlock): Dependency[] {
  return each(valueOf(block, "depends_on")).flatMap((value) => {
    if (value.kind === "reference") {
      const { target, path, line } = value;
      if (target.kind === "resource") return [{ address: target.address, line }];
      return target.kind === "module" ? [{ address: `module.${target.name}`, path, line }] : [];
    }
    const [address, output] = namedIn(textValue(value) ?? "");
    if (address === undefined) return [];
    return [{ address, path: output === undefined ? [] : [output], line: block.line }];
  });
}

/** The address at the start of a text, and the name of the module's output after it. */
function namedIn(text: string): (string | undefined)[] {
  const module = /^(module\.[\w-]+)(?:\[[^\]]*\])?(?:\.([\w-]+))?/.exec(text);
  return module === null ? [/^(?:data\.)?[\w-]+\.[\w-]+/.exec(text)?.[0]] : module.slice(1);
}
