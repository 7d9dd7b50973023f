/** Diagnostics in the editor: a mark at their place, and their words below the line. */
import type { Diagnostic as Mark } from "@codemirror/lint";
import { StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { make } from "#console/browser/page/make.ts";
import { type Diagnostic, diagnosticWords } from "#console/shared/source-words.ts";

/** From its place to its end, or to the end of the word there. */
export function markOf(doc: Text, diagnostic: Diagnostic): Mark {
  const { severity, line, column, endLine, endColumn = 1 } = diagnostic;
  const start = offsetIn(doc, line, column);
  const { from, to, text } = doc.lineAt(start);
  const [word = ""] = /^[^\s,:{}[\]]+/.exec(text.slice(start - from)) ?? [];
  const given = endLine === undefined ? start : offsetIn(doc, endLine, endColumn);
  const end = given > start ? given : Math.min(start + Math.max(word.length, 1), to);
  return { from: start, to: end, severity, message: diagnosticWords(diagnostic) };
}

export function offsetIn(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column - 1, 0), to);
}

/** Replaces the words below the lines. */
export const setWords = StateEffect.define<readonly Mark[]>();

/** The words of each diagnostic below its line, so that nobody has to point at a mark. */
export const wordsBelowLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const { doc } = transaction.state;
    const given = transaction.effects.find((effect) => effect.is(setWords));
    if (given === undefined) return shown.map(transaction.changes);
    const widgets = given.value.map((mark) =>
      Decoration.widget({ widget: new Words(mark), side: 1, block: true }).range(
        doc.lineAt(mark.from).to,
      ),
    );
    return Decoration.set(widgets, true);
  },
  provide: (shown) => EditorView.decorations.from(shown),
});

class Words extends WidgetType {
  readonly #mark: Pick<Mark, "severity" | "message">;

  constructor(mark: Pick<Mark, "severity" | "message">) {
    super();
    this.#mark = mark;
  }

  override eq(other: WidgetType): boolean {
    return (
      other instanceof Words &&
      other.#mark.severity === this.#mark.severity &&
      other.#mark.message === this.#mark.message
    );
  }

  override toDOM(): HTMLElement {
    const { severity, message } = this.#mark;
    return make("div", { className: `words ${severity}` }, message);
  }
}
