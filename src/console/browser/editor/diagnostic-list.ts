/** The list of what is wrong with the source, as `SourceSection` (source-section.tsx) writes it. */
import { make } from "#console/browser/page/make.ts";
import { lineId } from "#console/shared/page-names.ts";
import {
  type Diagnostic,
  diagnosticWords,
  placeWords,
  severityTone,
} from "#console/shared/source-words.ts";

export function itemOf(diagnostic: Diagnostic): HTMLLIElement {
  const { severity, line, code } = diagnostic;
  const words = make(
    "span",
    {},
    make("span", { className: `tag ${severityTone(diagnostic)}` }, severity),
    " ",
  );
  if (line > 0) words.append(make("a", { href: `#${lineId(line)}` }, placeWords(diagnostic)), " ");
  words.append(
    make("span", { className: "words" }, diagnosticWords(diagnostic)),
    " ",
    make("code", { className: "soft" }, code),
  );
  return make("li", {}, words);
}
