import { factPath } from "#engine/path-set.ts";
import type { Evaluator } from "#engine/template/evaluator.ts";
import { expressionsInTemplate } from "#engine/template/expressions-in.ts";
import { turnsOf } from "#engine/template/levels/write-out.ts";
import { own } from "#engine/template/own.ts";
import { formatReference } from "#engine/template/references.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { CheckedLevels } from "#engine/template/resolve.ts";
import { referencesOf } from "#engine/template/string-parts.ts";
import type { Expression, Template } from "#engine/template/template.ts";
import { valueAt } from "#engine/value-paths.ts";
import { hasSealed } from "#engine/value.ts";
import type { PathSegment } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";

/**
 * Reports sealed values in properties that would show them, and `fn::unsecret` without effect. Here only the config's
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
  for (const call of expressionsInTemplate(template)) {
    if (call.kind !== "call" || call.fn !== "unsecret") continue;
    if (!isSealedAlone(call.argument, evaluator)) continue;
    const [first] = referencesOf(call.argument);
    const what = first === undefined ? "The value" : formatReference(first.root, first.path);
    report.warning(
      "sealed_value",
      `fn::unsecret has no effect here: ${what} was given as a secret and stays one.`,
      call.place,
      "fn::unsecret shows what fn::secret of this template hides. Use the value in a property, or declare it without `secret: true`.",
    );
  }
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
