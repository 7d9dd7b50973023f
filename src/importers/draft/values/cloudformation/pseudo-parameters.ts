import { STACK_NAME } from "#importers/cloudformation/stack-components.ts";
import { type Converted, referenceTo, value } from "#importers/draft/values/converted.ts";
import { PSEUDO } from "#importers/draft/values/draft-config.ts";
import type { DraftVariables } from "#importers/draft/values/draft-variables.ts";
import type { Converting, Use } from "#importers/draft/values/use.ts";
import type { Scope } from "#importers/evaluate/scope.ts";

const region = "control.target.region";

/** Values that the region tells: https://docs.aws.amazon.com/general/latest/gr/aws-arns-and-namespaces.html */
const byRegion: Readonly<Record<string, { name: string; text: string }>> = {
  "AWS::Partition": {
    name: "aws partition",
    text: `${region}.startsWith("cn-") ? "aws-cn" : ${region}.startsWith("us-gov-") ? "aws-us-gov" : "aws"`,
  },
  "AWS::URLSuffix": {
    name: "aws url suffix",
    text: `${region}.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"`,
  },
};

/** Converts a name that CloudFormation gives to every template. */
export function pseudoParameter(
  name: string,
  scope: Scope,
  use: Use,
  values: Converting,
  variables: DraftVariables,
): Converted {
  switch (name) {
    case "AWS::Region":
      return value(`\${${region}}`);
    case STACK_NAME:
      return ownName(scope, use, values) ?? value(stackName(scope));
    case "AWS::StackId":
      return value("${control.instance.id}");
    case "AWS::NoValue":
      return { kind: "absent", reason: "It is `AWS::NoValue`." };
    default:
      break;
  }
  const told = Object.hasOwn(byRegion, name) ? byRegion[name] : undefined;
  const known = told && variables.named(name, told.name, () => `\${${told.text}}`);
  if (known !== undefined) return value(referenceTo(known, []));
  const shape = { type: name === "AWS::NotificationARNs" ? "array" : "string" } as const;
  const reason = `The account of the deployment decides \`${name}\`.`;
  return value(values.ask({ ...use, name, shape }, `${PSEUDO}${name}`, reason));
}

/** The name that a component gets from its user; undefined for another template. */
function ownName(scope: Scope, use: Use, values: Converting): Converted | undefined {
  if (!scope.home.variables.has(STACK_NAME)) return undefined;
  const target = { kind: "variable", name: STACK_NAME } as const;
  return values.convert({ kind: "reference", target, path: [], line: use.line }, scope, use);
}

/** A nested stack is named after its parent and itself. */
function stackName({ home }: Scope): string {
  const names: string[] = [];
  for (let at = home.caller; at !== undefined; at = at.scope.home.caller)
    names.unshift(at.call.name);
  return ["${control.instance.name}", ...names].join("-");
}
