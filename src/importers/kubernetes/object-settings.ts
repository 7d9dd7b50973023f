import { expressionOf, objectOf, type DataLanguage } from "#importers/data-expression.ts";
import {
  literal,
  type Expression,
  type Member,
  type ObjectExpression,
} from "#importers/expression.ts";
import { hidden, isHidden } from "#importers/hidden-values.ts";
import { isRandom } from "#importers/secrets/secret-texts.ts";
import {
  lineOf,
  memberOf,
  textIn,
  type DataMap,
  type DataNode,
} from "#importers/text/data-node.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import { APPLIED } from "./object-options.ts";

/** Manifests contain no expressions. */
const language: DataLanguage = {
  text: literal,
  map: (node) => (node.members.has(APPLIED) ? withoutApplied(node) : undefined),
  // The key of a toleration, a taint or a selector names a label, and its value is no secret.
  isPair: ({ members }) => !members.has("effect") && !members.has("operator"),
};

/**
 * The settings of an object without its status. A secret's data and annotations are reduced to their names, because
 * tools copy applied values into annotations.
 */
export function settingsOf({ kind, node }: KubernetesObject): ObjectExpression {
  const settings = objectOf(node, language, (name) => name === "status");
  if (kind !== "Secret") return withNamesOfSecrets(settings, node);
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

/** Annotations about secrets and keys that hold names, paths, hashes and switches. */
const aboutSecrets =
  /^(?:cert-manager\.io|checksum|vault\.hashicorp\.com|secret\.reloader\.stakater\.com|replicator\.v1\.mittwald\.de|sealedsecrets\.bitnami\.com)\/|^(?:nginx|haproxy)\.ingress\.kubernetes\.io\/(?:auth|auth-tls|auth-proxy|proxy-ssl)-secret$/;
const plainName = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,120}$/;

/** The members with metadata: the object itself, and its pods. */
const templates: ReadonlySet<string> = new Set(["spec", "jobTemplate", "template"]);

/** Keeps the annotations that name secrets, as `nginx.ingress.kubernetes.io/auth-secret` does. */
function withNamesOfSecrets(settings: ObjectExpression, node: DataNode): ObjectExpression {
  const annotations = memberOf(memberOf(node, "metadata"), "annotations");
  const kept = (member: Member): Member => {
    const { name, value, line } = member;
    const text = textIn(memberOf(annotations, name)) ?? "";
    const isName =
      isHidden(value) &&
      aboutSecrets.test(name) &&
      plainName.test(text) &&
      (name.startsWith("checksum/") || !isRandom(text));
    return isName ? { name, value: literal(text), line } : member;
  };
  const own = within(settings, "metadata", (metadata) =>
    within(metadata, "annotations", ({ kind, members }) => ({ kind, members: members.map(kept) })),
  );
  return {
    kind: "object",
    members: own.members.map((member) => {
      const inside = memberOf(node, member.name);
      return templates.has(member.name) && member.value.kind === "object" && inside !== undefined
        ? { ...member, value: withNamesOfSecrets(member.value, inside) }
        : member;
    }),
  };
}

function within(
  { kind, members }: ObjectExpression,
  of: string,
  change: (object: ObjectExpression) => ObjectExpression,
): ObjectExpression {
  return {
    kind,
    members: members.map((one) =>
      one.name === of && one.value.kind === "object" ? { ...one, value: change(one.value) } : one,
    ),
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
