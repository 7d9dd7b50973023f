import { expressionOf, objectOf, type DataLanguage } from "#importers/data-expression.ts";
import { literal, type Expression, type ObjectExpression } from "#importers/expression.ts";
import { hidden } from "#importers/hidden-values.ts";
import { lineOf, memberOf, type DataMap, type DataNode } from "#importers/text/data-node.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

/** `kubectl apply` repeats the whole object there, a secret's values too. */
const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** Manifests have no expressions. */
const language: DataLanguage = {
  text: literal,
  map: (node) => (node.members.has(APPLIED) ? withoutApplied(node) : undefined),
};

/**
 * What a manifest sets: all but the status. Of a secret's data only the names, and of its annotations, in which tools
 * repeat what they applied.
 */
export function settingsOf({ kind, node }: KubernetesObject): ObjectExpression {
  const settings = objectOf(node, language, (name) => name === "status");
  if (kind !== "Secret") return settings;
  return {
    kind: "object",
    members: settings.members.map((member) => {
      const { name, value, line } = member;
      const given = memberOf(node, name);
      if (name === "data" || name === "stringData")
        return { ...member, value: namesOf(given, line) };
      if (name !== "metadata" || value.kind !== "object") return member;
      const members = value.members.map((one) =>
        one.name === "annotations"
          ? { ...one, value: namesOf(memberOf(given, "annotations"), one.line) }
          : one,
      );
      return { ...member, value: { kind: "object", members } };
    }),
  };
}

function namesOf(node: DataNode | undefined, line: number): Expression {
  if (node?.kind !== "map") return hidden(line);
  return {
    kind: "object",
    members: [...node.members].map(([name, value]) => ({
      name,
      value: hidden(value.line),
      line: lineOf(value),
    })),
  };
}

function withoutApplied(node: DataMap): Expression {
  return {
    kind: "object",
    members: [...node.members].map(([name, value]) => ({
      name,
      value: name === APPLIED ? hidden(value.line) : expressionOf(value, language, name),
      line: lineOf(value),
    })),
  };
}
