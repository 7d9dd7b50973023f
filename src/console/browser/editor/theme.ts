/** The colours of the editor, which are the page's own. */
import { HighlightStyle } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export function colours(): HighlightStyle {
  return HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--mark)" },
    { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
    { tag: [tags.keyword, tags.labelName, tags.typeName], color: "var(--wait)" },
    { tag: [tags.separator, tags.punctuation, tags.meta], color: "var(--soft)" },
    { tag: tags.invalid, color: "var(--bad)" },
  ]);
}

/** The page's own colours. Without the library's pictures: the page's policy allows no `data:`. */
export function theme(): Extension {
  const wave = (colour: string) => ({
    backgroundImage: "none",
    paddingBottom: "0",
    textDecoration: `underline wavy ${colour}`,
    textUnderlineOffset: "3px",
  });
  const dot = (colour: string) => ({
    content: "normal",
    width: "0.6em",
    height: "0.6em",
    margin: "0.45em 0.2em",
    borderRadius: "50%",
    background: colour,
  });
  const box = {
    background: "var(--page)",
    color: "var(--ink)",
    border: "1px solid var(--edge)",
    borderRadius: "6px",
  };
  return EditorView.theme({
    "&": {
      color: "var(--ink)",
      background: "var(--page)",
      border: "1px solid var(--edge)",
      borderRadius: "10px",
      overflow: "hidden",
    },
    "&.cm-focused": { outline: "3px solid var(--mark)", outlineOffset: "2px" },
    ".cm-scroller": {
      fontFamily: 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
      fontSize: "0.875rem",
      lineHeight: "1.6",
      maxHeight: "70vh",
    },
    ".cm-content, .cm-gutter": { minHeight: "12rem" },
    ".cm-content": { caretColor: "var(--ink)" },
    ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
    ".cm-gutters": {
      background: "var(--wash)",
      color: "var(--soft)",
      borderRight: "1px solid var(--line)",
    },
    ".cm-activeLine": { background: "color-mix(in srgb, var(--wash) 60%, transparent)" },
    ".cm-activeLineGutter": { background: "var(--line)", color: "var(--ink)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
      { background: "color-mix(in srgb, var(--mark) 25%, transparent)" },
    ".cm-selectionMatch": { background: "var(--wait-wash)" },
    ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
      background: "var(--busy-wash)",
      outline: "1px solid var(--edge)",
    },
    ".cm-lintRange-error": wave("var(--bad)"),
    ".cm-lintRange-warning": wave("var(--wait)"),
    ".cm-lint-marker-error": dot("var(--bad)"),
    ".cm-lint-marker-warning": dot("var(--wait)"),
    ".cm-tooltip": box,
    ".cm-tooltip-autocomplete > ul": { fontFamily: "inherit", maxWidth: "min(36rem, 90vw)" },
    ".cm-tooltip-autocomplete > ul > li": { padding: "0.15rem 0.5rem", lineHeight: "1.5" },
    ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
      background: "var(--mark)",
      color: "var(--on-mark)",
    },
    ".cm-completionDetail": { fontStyle: "normal", opacity: "0.8" },
    ".cm-completionInfo": { maxWidth: "min(24rem, 90vw)", padding: "0.4rem 0.6rem" },
    ".cm-panels": { background: "var(--wash)", color: "var(--ink)", fontSize: "0.875rem" },
    ".cm-panel input, .cm-panel button": { ...box, fontSize: "0.875rem", backgroundImage: "none" },
    ".cm-panel label": { fontSize: "0.875rem" },
    ".words": {
      padding: "0.1rem 0.75rem",
      fontFamily: "system-ui, sans-serif",
      borderLeft: "3px solid",
      whiteSpace: "pre-wrap",
    },
    ".words.error": { color: "var(--bad)", background: "var(--bad-wash)" },
    ".words.warning": { color: "var(--wait)", background: "var(--wait-wash)" },
  });
}
