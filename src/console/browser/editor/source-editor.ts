/**
 * CodeMirror, in a shadow root: there its styles are style sheets of its own. The page's policy would refuse the elements
 * that it adds to a document otherwise.
 */
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { basicSetup, EditorView } from "codemirror";
import { make } from "#console/browser/page/make.ts";
import type { Diagnostic } from "#console/shared/source-words.ts";
import { completion } from "./completion.ts";
import { markOf, offsetIn, setWords, wordsBelowLines } from "./marks.ts";
import { colours, theme } from "./theme.ts";

export interface SourceEditor {
  /** The typed text. */
  text: () => string;
  /** Marks these diagnostics and no others. */
  show: (diagnostics: readonly Diagnostic[]) => void;
  /** Moves the cursor. */
  goTo: (line: number, column: number) => void;
}

export interface EditorOptions {
  text: string;
  isEditable: boolean;
  diagnostics: readonly Diagnostic[];
  onChange: () => void;
  onSave: () => void;
}

/** Puts an editor after `place`. */
export function newEditor(place: Element, options: EditorOptions): SourceEditor {
  const host = make("div");
  place.after(host);
  const root = host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    doc: options.text,
    extensions: extensionsOf(options),
  });
  const show = (diagnostics: readonly Diagnostic[]): void => {
    const marks = diagnostics
      .filter(({ line }) => line > 0)
      .map((one) => markOf(view.state.doc, one));
    view.dispatch(setDiagnostics(view.state, marks));
    view.dispatch({ effects: setWords.of(marks) });
  };
  show(options.diagnostics);
  return {
    text: () => view.state.doc.toString(),
    show,
    goTo(line, column) {
      const anchor = offsetIn(view.state.doc, line, column);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
  };
}

function extensionsOf({ isEditable, onChange, onSave }: EditorOptions): Extension[] {
  const save = (): boolean => {
    if (isEditable) onSave();
    return true;
  };
  return [
    keymap.of([
      { key: "Mod-s", preventDefault: true, run: save },
      ...(isEditable ? [indentWithTab] : []),
    ]),
    basicSetup,
    yaml(),
    syntaxHighlighting(colours()),
    theme(),
    lintGutter(),
    wordsBelowLines,
    EditorView.lineWrapping,
    EditorState.readOnly.of(!isEditable),
    EditorView.contentAttributes.of({
      "aria-label": isEditable ? "Source, in YAML" : "Source, in YAML, to read",
    }),
    ...(isEditable ? [completion(), typeOverLines()] : []),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) onChange();
    }),
  ];
}

/**
 * Replaces several lines by typed text. The browser would join them with style attributes, which the policy refuses, and
 * the editor would correct it afterwards.
 */
function typeOverLines(): Extension {
  return EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { doc, selection, readOnly } = view.state;
      const { from, to } = selection.main;
      const isOver = selection.ranges.length === 1 && doc.lineAt(from).to < to;
      if (event.inputType !== "insertText" || readOnly || !isOver || event.isComposing)
        return false;
      event.preventDefault();
      view.dispatch(view.state.replaceSelection(event.data ?? ""), { userEvent: "input.type" });
      return true;
    },
  });
}
