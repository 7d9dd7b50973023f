import { expressionOf, objectOf, type DataLanguage } from "#importers/data-expression.ts";
import { literal, type Expression, type ObjectExpression } from "#importers/expression.ts";
import { hidden } from "#importers/hidden-values.ts";
import { lineOf, memberOf, type DataMap, type DataNode } from "#importers/text/data-node.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

/** `kubectl apply` copies the whole object into this annotation, including the values of a secret. */
const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** Manifests contain no expressions. */
const language: DataLanguage = {
  text: literal,
  map: (node) => (node.members.has(APPLIED) ? withoutApplied(node) : undefined),
};

/**
 * The settings of an object without its status. A secret's data and annotations are reduced to their names, because
 * tools copy applied values into annotations.
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
