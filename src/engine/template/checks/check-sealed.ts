import { childrenOf, type Node } from "#engine/expressions/ast.ts";
import { factPath } from "#engine/path-set.ts";
import type { Evaluator } from "#engine/template/evaluator.ts";
import { expressionsInTemplate, readsIn } from "#engine/template/expressions-in.ts";
import { turnsOf } from "#engine/template/levels/write-out.ts";
import { own } from "#engine/template/own.ts";
import { formatReference } from "#engine/template/references.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { CheckedLevels } from "#engine/template/resolve.ts";
import { formulasOf } from "#engine/template/string-parts.ts";
import type { Expression, Place, Template } from "#engine/template/template.ts";
import { valueAt } from "#engine/value-paths.ts";
import { hasSealed } from "#engine/value.ts";
import type { PathSegment } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";

/**
 * Reports sealed values in properties that would show them, and calls of `unsecret` without effect. Here only the config's
 * secrets and a cloud's secrets are known to be sealed. A plan also knows the values that a profile or a binding
 * sealed.
 */
export function checkSealed(
  template: Template,
  factsOf: (type: string) => TypeFacts | undefined,
  levels: CheckedLevels,
  report: Report,
): void {
  const { evaluator } = levels;
  for (const [name, { type, properties }] of Object.entries(template.resources))
    for (const property of factsOf(type)?.shown ?? []) {
      const [top, ...path] = factPath(property);
      const expression = own(properties, String(top));
      if (expression === undefined || !isSealed(expression, levels, name, path)) continue;
      report.error(
        "sealed_value",
        `${quoted(name)} uses a secret value in ${quoted(property)}, which ${type} shows in lists and logs.`,
        expression.place,
        "Use the secret in another property, and write this one without it.",
      );
    }
  for (const { argument, place } of expressionsInTemplate(template).flatMap(unsecretsIn)) {
    if (!isSealedAlone(argument, evaluator)) continue;
    const [first] = readsIn(argument);
    const what = first === undefined ? "The value" : formatReference(first.root, [...first.path]);
    report.warning(
      "sealed_value",
      `\`unsecret\` has no effect here: ${what} was given as a secret and stays one.`,
      place,
      "`unsecret` shows what `secret` of this template hides. Use the value in a property, or declare it without `secret: true`.",
    );
  }
}

/** The calls of `unsecret` in an expression, in both forms; not those in parts of its own. */
function unsecretsIn(expression: Expression): { argument: Expression; place: Place }[] {
  const { place } = expression;
  if (expression.kind === "call")
    return expression.fn === "unsecret" ? [{ argument: expression.argument, place }] : [];
  return formulasOf(expression).flatMap((formula) =>
    nodesIn(formula.node).flatMap((node) => {
      const [argument] =
        node.kind === "call" && node.function.name === "unsecret" ? node.arguments : [];
      if (argument === undefined) return [];
      return [
        {
          argument: { kind: "formula", formula: { ...formula, node: argument }, place },
          place: formula.placeOf(node),
        },
      ];
    }),
  );
}

function nodesIn(node: Node): Node[] {
  return [node, ...childrenOf(node).flatMap(nodesIn)];
}

/** Whether a property of the resource is sealed, in a turn of its loop. */
function isSealed(
  expression: Expression,
  { evaluator, root, layout }: CheckedLevels,
  resource: string,
  path: readonly PathSegment[],
): boolean {
  return unless(() =>
    turnsOf(layout.resource(root, resource)).some(({ item }) =>
      hasSealed(valueAt(evaluator.evaluate(expression, item.within), path) ?? null),
    ),
  );
}

function isSealedAlone(expression: Expression, evaluator: Evaluator): boolean {
  return unless(() => hasSealed(evaluator.evaluate(expression)));
}

function unless(test: () => boolean): boolean {
  try {
    return test();
  } catch (error) {
    // Reported by the check of the value itself.
    if (error instanceof ResolveError) return false;
    throw error;
  }
}
