import { describeTemplate, type TemplateDescription } from "#engine/template/describe.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";

const described = new WeakMap<object, TemplateDescription>();

/**
 * Describes the source of a request's body. Cached by body: a use case that runs again after a conflict does
 * not parse again.
 */
export function describeSource(body: object, source: string): TemplateDescription {
  const known = described.get(body);
  if (known !== undefined) return known;
  const description = describeTemplate(source, catalogue());
  described.set(body, description);
  return description;
}
