/** The request of a form: each input sets the member of its name. */
import { dataOf, jsonData, requiredData } from "#console/browser/page/data.ts";
import { Refusal } from "#console/browser/page/refusal.ts";
import { type Control, controlsOf, isChanged, textNamed, valueOf } from "./controls.ts";
import { type JsonObject, setMember } from "./json-members.ts";

/** The path, with names in braces replaced by the texts of those inputs. */
export function pathOf(form: HTMLFormElement): string {
  return requiredData(form, "path").replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textNamed(form, name)),
  );
}

/** The body; of a patch, the members that the reader changed. Throws a `Refusal` with words for people. */
export function bodyOf(form: HTMLFormElement): JsonObject {
  const body: JsonObject = { ...jsonData(form, "body") };
  const isPatch = dataOf(form, "patch") !== undefined;
  let isEmpty = true;
  const controls = controlsOf(form);
  const places = [requiredData(form, "path"), ...controls.map(({ name }) => name)];
  for (const control of controls) {
    if (places.some((place) => place.includes(`{${control.name}}`))) continue;
    if (isPatch && !isChanged(control)) continue;
    const value = valueOf(control);
    if (value === undefined) continue;
    isEmpty = false;
    setMember(body, memberPath(form, control), value);
  }
  if (isPatch && isEmpty) throw new Refusal("Nothing is different from what it was.");
  return body;
}

/** The path of the member that an input sets. A name in braces is the text of another input. */
export function memberPath(form: HTMLFormElement, { name }: Control): string[] {
  return name.split(".").map((step) => {
    const [, other] = /^\{(\w+)\}$/.exec(step) ?? [];
    return other === undefined ? step : textNamed(form, other);
  });
}
