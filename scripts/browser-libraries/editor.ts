/** The imports of the console's template editor, as one static asset. */
export { autocompletion } from "@codemirror/autocomplete";
export { indentWithTab } from "@codemirror/commands";
export { yaml } from "@codemirror/lang-yaml";
export { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, keymap, WidgetType } from "@codemirror/view";
export { tags } from "@lezer/highlight";
export { basicSetup, EditorView } from "codemirror";
