/**
 * Nested stacks as components, for a template that is too large with their content in place. `AWS::StackName` is the
 * parent's name and the stack's, so its user gives it to each component.
 */
import { literal, type Member } from "#importers/expression.ts";
import type { ModuleCall, SafeModule, SourceVariable } from "#importers/source-module.ts";

/** The name of the pseudo parameter, and of the variable that a component has for it. */
export const STACK_NAME = "AWS::StackName";

/** The modules of an import by path, with each nested stack as a component. */
export function withStackComponents(
  modules: ReadonlyMap<string, SafeModule>,
): Map<string, SafeModule> {
  const called = new Set(
    [...modules.values()].flatMap(({ format, moduleCalls }) =>
      format === "cloudformation" ? moduleCalls.map(({ target }) => target) : [],
    ),
  );
  return new Map(
    [...modules].map(([path, module]) => {
      if (module.format !== "cloudformation") return [path, module];
      const moduleCalls = module.moduleCalls.map(asComponent);
      const variables = called.has(path)
        ? [...module.variables, stackNameOf(module)]
        : module.variables;
      return [path, { ...module, moduleCalls, variables }];
    }),
  );
}

function asComponent(call: ModuleCall): ModuleCall {
  const { name, line, settings, target } = call;
  if (target === null) return call;
  const pseudo = { kind: "call", name: "pseudo", args: [literal(STACK_NAME)], line } as const;
  const stackName: Member = {
    name: STACK_NAME,
    value: { kind: "text", parts: [pseudo, literal(`-${name}`)] },
    line,
  };
  const members = [...settings.members, stackName];
  return { ...call, isComponent: true, settings: { kind: "object", members } };
}

function stackNameOf({ path }: SafeModule): SourceVariable {
  return {
    name: STACK_NAME,
    type: "String",
    description: "The name of the stack, which names of its objects contain.",
    sensitive: false,
    file: path,
    line: 1,
  };
}
