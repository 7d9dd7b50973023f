import { type Expression, literal } from "#importers/expression.ts";
import { textIn, type DataNode } from "#importers/text/data-node.ts";
import { sectionOf } from "./values/arm-names.ts";
import type { DeploymentPlace } from "./values/arm-place.ts";

/** The level of a template by its schema. */
export function levelOf(
  root: DataNode,
  otherwise: DeploymentPlace["level"],
): DeploymentPlace["level"] {
  const schema = textIn(sectionOf(root, "$schema")) ?? "";
  if (/subscriptionDeploymentTemplate/i.test(schema)) return "subscription";
  if (/managementGroupDeploymentTemplate/i.test(schema)) return "managementGroup";
  if (/tenantDeploymentTemplate/i.test(schema)) return "tenant";
  return schema === "" ? otherwise : "resourceGroup";
}

/** The literal end of an address: `nested/vnet.json` of `[uri(parameters('base'), 'nested/vnet.json')]`. */
export function literalEnd(of: Expression): string | undefined {
  // A signature may follow the path.
  if (of.kind === "literal")
    return typeof of.value === "string" ? of.value.replace(/\?.*$/, "") : undefined;
  if (of.kind === "text") {
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
