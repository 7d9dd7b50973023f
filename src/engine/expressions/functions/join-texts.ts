import { type Call, listAt, refused, textAt } from "#engine/expressions/function-entry.ts";
import { measure, sealedResult } from "#engine/expressions/values/measure.ts";
import { isSealed } from "#engine/expressions/values/outcome.ts";
import { textOf, textOfSealed, textTypes } from "#engine/expressions/values/text-of.ts";
import { kindOf } from "#engine/kind-of.ts";
import { mayBe, Secret, Unknown, unknownOf, type Value } from "#engine/value.ts";

/** The list's texts, with the separator between them. The result has the marks of all items. */
export function joinTexts(call: Call): Value {
  const [list] = call.given;
  const items = list instanceof Secret ? list.value : list;
  const separator = textAt(call, 1);
  const { size, sealed } = measure(items ?? null);
  const texts = (Array.isArray(items) ? items : []).map((item) => textOfItem(item, call));
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) length += typeof text === "string" ? text.length : 0;
  // The lengths of sealed texts must not show.
  const counted = sealed ? size + separator.length * listAt(call, 0).length : length;
  call.budget.spendOnText(counted, call.at);
  const known = texts.filter((text) => typeof text === "string");
  const joined = known.length === texts.length ? known.join(separator) : unknownOf("string");
  return sealed ? sealedResult(joined, counted) : joined;
}

function textOfItem(item: Value, call: Call): Value {
  const bare = item instanceof Secret ? item.value : item;
  if (isSealed(item)) return textOfSealed(bare);
  const text = textOf(bare);
  if (text !== undefined) return text;
  if (bare instanceof Unknown && mayBe(bare, textTypes)) return unknownOf("string");
  throw refused(
    call,
    0,
    `joins strings, numbers and booleans; one item is ${kindOf(bare)}.`,
    "Make strings with `.map(x, json.encode(x))`.",
  );
}
