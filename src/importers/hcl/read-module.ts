import { type Expression, literal } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { workOf } from "#importers/import-work.ts";
import type {
  ModuleCall,
  SourceLocal,
  SourceModule,
  SourceResource,
} from "#importers/source-module.ts";
import { each, type HclBlock, textValue, valueOf } from "./hcl-block.ts";
import { type CallSource, sourceOfCall } from "./module-source.ts";
import { readProviders } from "./read-providers.ts";
import { leftOutBlocks, refactoringsOf } from "./read-refactorings.ts";
import { dependenciesOf, readResource, repetitionOf, settingsOf } from "./read-resource.ts";
import { readOutput, readVariable } from "./read-variable.ts";
import { enabledIn } from "./resource-options.ts";

/** A module before its callers and the targets of its calls are known. */
export type UnplacedModule = Omit<SourceModule, "isRoot" | "moduleCalls"> & {
  moduleCalls: readonly Omit<ModuleCall, "target">[];
};

const callArguments = new Set([
  "source",
  "version",
  "count",
  "for_each",
  "providers",
  "depends_on",
  "lifecycle",
]);

/** Reads the declarations of a folder. Of duplicates, the first is kept. */
export function readModule(
  path: string,
  blocks: readonly HclBlock[],
  log: ImportLog,
): UnplacedModule {
  const of = (type: string): readonly (HclBlock & { name: string })[] =>
    distinct(
      blocks.flatMap((block) => {
        const [name] = block.labels;
        return block.type === type && name !== undefined ? [{ ...block, name }] : [];
      }),
      ({ name }) => name,
      ({ name, file, line }) =>
        warnOfDuplicate(`duplicate_${type}`, `The ${type} \`${short(name)}\``, { file, line }, log),
    );
  const resources = readResources(blocks, log);
  const work = workOf(log);
  const read = of("variable").map((block) => readVariable(block, block.name, work));
  const variables = read.map(({ variable }) => variable);
  const outputs = of("output").map((block) => readOutput(block, block.name));
  const locals = readLocals(blocks, log);
  const names = {
    variables: new Map(variables.map((one) => [one.name, one])),
    locals: new Map(locals.map((one) => [one.name, one])),
  };
  return {
    format: "terraform",
    path,
    ...settingsOfModule(blocks),
    resources,
    variables,
    outputs,
    locals,
    moduleCalls: of("module").map((block) =>
      readCall(block, block.name, sourceOfCall(valueOf(block, "source"), names)),
    ),
    providers: readProviders(blocks),
    ...refactoringsOf(blocks),
    leftOut: [...leftOutBlocks(blocks), ...read.flatMap(({ leftOut }) => leftOut)],
  };
}

function readResources(blocks: readonly HclBlock[], log: ImportLog): SourceResource[] {
  const all = blocks.flatMap((block) => {
    const [type, name] = block.labels;
    const isResource = block.type === "resource" || block.type === "data";
    return isResource && type !== undefined && name !== undefined
      ? [readResource(block, type, name)]
      : [];
  });
  return distinct(
    all,
    ({ address }) => address,
    ({ address, file, line }) =>
      warnOfDuplicate("duplicate_resource", `\`${short(address)}\``, { file, line }, log),
  );
}

function readLocals(blocks: readonly HclBlock[], log: ImportLog): SourceLocal[] {
  const all = blocks
    .filter(({ type }) => type === "locals")
    .flatMap(({ file, members }) => [...members.values()].map((member) => ({ ...member, file })));
  return distinct(
    all,
    ({ name }) => name,
    ({ name, file, line }) =>
      warnOfDuplicate("duplicate_local", `The local \`${short(name)}\``, { file, line }, log),
  );
}

function readCall(
  block: HclBlock,
  name: string,
  { text, variable }: CallSource,
): Omit<ModuleCall, "target"> {
  const enabled = enabledIn(block);
  return {
    name,
    file: block.file,
    line: block.line,
    source: text,
    ...(variable === undefined ? {} : { chosenBy: variable }),
    version: textValue(valueOf(block, "version")),
    ...repetitionOf(block),
    ...(enabled === undefined ? {} : { repeated: true, count: oneIf(enabled, block.line) }),
    settings: settingsOf(block, callArguments),
    dependsOn: dependenciesOf(block),
  };
}

/** The number of modules of a call that OpenTofu's `enabled` turns on or off. */
function oneIf(condition: Expression, line: number): Expression {
  return { kind: "call", name: "?:", args: [condition, literal(1), literal(0)], line };
}

function settingsOfModule(
  blocks: readonly HclBlock[],
): Pick<SourceModule, "requiredVersion" | "backend"> {
  let requiredVersion: string | null = null;
  let backend: string | null = null;
  for (const block of blocks) {
    if (block.type !== "terraform") continue;
    requiredVersion ??= textValue(valueOf(block, "required_version"));
    for (const one of each(valueOf(block, "backend")))
      backend ??= one.kind === "object" ? (one.members[0]?.name ?? null) : null;
    if (valueOf(block, "cloud") !== undefined) backend ??= "cloud";
  }
  return { requiredVersion, backend };
}

function distinct<One>(
  all: readonly One[],
  key: (one: One) => string,
  warn: (one: One) => void,
): One[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const own = key(one);
    if (seen.has(own)) warn(one);
    const isNew = !seen.has(own);
    seen.add(own);
    return isNew;
  });
}

function short(name: string): string {
  return name.length > 120 ? `${name.slice(0, 120)}…` : name;
}

function warnOfDuplicate(
  code: string,
  what: string,
  place: { file: string; line: number },
  log: ImportLog,
): void {
  const message = `${what} is declared twice in this folder; the first declaration counts.`;
  log.add("warning", code, message, place);
}
