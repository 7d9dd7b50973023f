/**
 * CodeMirror, in a shadow root: there it takes its styles as style sheets of its own, where the page's policy would refuse
 * the elements that it adds to a document otherwise.
 */
import { completionsAt, describedTypes, typesToAsk } from "./template-completion.js";

const SCHEMA = "/api/v1/templates/schema";
/** The functions of expressions, which scripts/browser-libraries writes. */
const FUNCTIONS = "/assets/libraries/functions.json";
/** As many as the API adds to a schema at once. */
const MAX_TYPES = 50;

/**
 * Puts an editor after `place`. Its `show` marks diagnostics, `goTo` moves the cursor, `text` is what is typed. Throws
 * where the library cannot be loaded.
 */
export async function newEditor(place, { text, isEditable, diagnostics, onChange, onSave }) {
  const library = await import("/assets/libraries/editor.js");
  const { basicSetup, EditorState, EditorView, keymap } = library;
  const host = document.createElement("div");
  place.after(host);
  const root = host.attachShadow({ mode: "open" });
  const found = diagnosticsField(library);
  const view = new EditorView({
    root,
    parent: root,
    doc: text,
    extensions: [
      keymap.of([
        { key: "Mod-s", preventDefault: true, run: () => (isEditable && onSave(), true) },
        ...(isEditable ? [library.indentWithTab] : []),
      ]),
      basicSetup,
      library.yaml(),
      library.syntaxHighlighting(colours(library)),
      theme(EditorView),
      library.lintGutter(),
      found.field,
      EditorView.lineWrapping,
      EditorState.readOnly.of(!isEditable),
      EditorView.contentAttributes.of({
        "aria-label": isEditable ? "Source, in YAML" : "Source, in YAML, to read",
      }),
      ...(isEditable ? [completion(library), overLines(EditorView)] : []),
      EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
    ],
  });
  const show = (all) => {
    const marks = all.filter(({ line }) => line > 0).map((one) => markOf(view.state.doc, one));
    view.dispatch(library.setDiagnostics(view.state, marks));
    view.dispatch({ effects: found.set.of(marks) });
  };
  show(diagnostics);
  return {
    text: () => view.state.doc.toString(),
    show,
    goTo(line, column) {
      const { from } = markOf(view.state.doc, { line, column });
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
  };
}

/**
 * Typing over several lines: left to the browser, it would join them with style attributes, which the policy refuses, and
 * the editor would put it right afterwards.
 */
function overLines({ domEventHandlers }) {
  return domEventHandlers({
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

/** What a diagnostic is about: from its place to its end, else to the end of the word there. */
function markOf(doc, { severity, line, column, endLine, endColumn, message, hint }) {
  const start = offsetIn(doc, line, column);
  const { from, to, text } = doc.lineAt(start);
  const [word = ""] = /^[^\s,:{}[\]]+/.exec(text.slice(start - from)) ?? [];
  const given = endLine === undefined ? start : offsetIn(doc, endLine, endColumn);
  const end = given > start ? given : Math.min(start + Math.max(word.length, 1), to);
  return {
    from: start,
    to: end,
    severity,
    message: hint === undefined ? message : `${message} ${hint}`,
  };
}

function offsetIn(doc, line, column) {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column - 1, 0), to);
}

/** The words of each diagnostic below its line, so that nobody has to point at a mark. */
function diagnosticsField({ Decoration, EditorView, StateEffect, StateField, WidgetType }) {
  const set = StateEffect.define();
  class Words extends WidgetType {
    constructor({ severity, message }) {
      super();
      this.severity = severity;
      this.message = message;
    }

    eq({ severity, message }) {
      return severity === this.severity && message === this.message;
    }

    toDOM() {
      const words = document.createElement("div");
      words.className = `words ${this.severity}`;
      words.textContent = this.message;
      return words;
    }
  }
  const field = StateField.define({
    create: () => Decoration.none,
    update(shown, transaction) {
      const { doc } = transaction.state;
      const given = transaction.effects.find((effect) => effect.is(set));
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
  return { set, field };
}

/** Offers what the schema and the template itself allow at the cursor. */
function completion({ autocompletion }) {
  const schemaFor = schemas();
  let functions;
  return autocompletion({
    activateOnCompletion: ({ adds }) => adds !== undefined,
    override: [
      async (context) => {
        const { state, pos, explicit } = context;
        const line = state.doc.lineAt(pos);
        const before = line.text.slice(0, pos - line.from);
        const lines = state.doc.toString().split("\n");
        const schema = await schemaFor(lines, before);
        functions ??= await readJson(FUNCTIONS);
        const found = schema && completionsAt(schema, lines, line.number - 1, before, functions);
        if (!found || context.aborted) return null;
        const typed = before.slice(found.from);
        // Enter is to make a line: an empty one offers nothing before it is asked for.
        if (!explicit && typed === "" && !/[.{:] ?$|\.\?$/.test(before)) return null;
        const more = found.areTypes ? await typesLike(typed, found.options) : { types: [] };
        return {
          from: line.from + found.from,
          options: [...found.options, ...more.types].map((option) => ({
            ...option,
            ...(option.adds !== undefined && { apply: applied(option, found.from) }),
          })),
          ...(more.isCut !== true && { validFor: /^[\w:./@-]*$/ }),
        };
      },
    ],
  });
}

/** Writes a key, and what its value starts with. */
function applied({ label, adds }, column) {
  return (view, _, from, to) => {
    const line = view.state.doc.lineAt(to);
    const hasColon = line.text.slice(to - line.from).startsWith(":");
    const start = adds === "lines" ? `:\n${" ".repeat(column + 2)}` : ": ";
    const insert = hasColon ? label : label + start;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: "input.complete",
      scrollIntoView: true,
    });
  };
}

/**
 * The schema of templates, with the properties of the types that the template names. It is asked for again when there are
 * others, without those that are not known: a single one refuses them all.
 */
function schemas() {
  let schema;
  const unknown = new Set();
  return async (lines, before) => {
    schema ??= await readJson(SCHEMA);
    // A type that is being typed is none yet.
    while (schema !== undefined && !/\btype\s*:\s*\S*$/.test(before)) {
      const fresh = typesToAsk(schema, lines).filter((type) => !unknown.has(type));
      if (fresh.length === 0) break;
      const types = [...fresh, ...describedTypes(schema, lines)].slice(0, MAX_TYPES);
      const path = `${SCHEMA}?types=${types.map(encodeURIComponent).join(",")}`;
      const response = await fetch(path).catch(() => undefined);
      const answer = await response?.json().catch(() => undefined);
      if (answer === undefined) break;
      if (response.ok) schema = answer;
      const refused = types.filter((type) => isNamedIn(answer.errors, type));
      if (!response.ok && refused.length === 0) break;
      for (const type of response.ok ? types : refused) unknown.add(type);
    }
    return schema;
  };
}

function isNamedIn(errors = [], type) {
  return errors.some(({ detail }) => detail.includes(JSON.stringify(type)));
}

/** The types of a provider of which the name contains what is typed, beside those that are offered already. */
async function typesLike(typed, offered) {
  const [, provider, text] = /^([a-z]+):(.{2,80})$/.exec(typed) ?? [];
  if (provider === undefined) return { types: [] };
  const query = new URLSearchParams({ q: text, limit: "100" });
  const page = await readJson(`/api/v1/cloud/providers/${provider}/types?${query}`);
  const known = new Set(offered.map(({ label }) => label));
  const types = (page?.data ?? [])
    .filter(({ type }) => !known.has(type))
    .map(({ type, knowledge }) => ({ label: type, detail: knowledge }));
  return { types, isCut: page === undefined || page.nextCursor !== null };
}

/** Undefined: it cannot be read now. */
async function readJson(path) {
  const response = await fetch(path).catch(() => undefined);
  return response?.ok ? response.json().catch(() => undefined) : undefined;
}

function colours({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--mark)" },
    { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
    { tag: [tags.keyword, tags.labelName, tags.typeName], color: "var(--wait)" },
    { tag: [tags.separator, tags.punctuation, tags.meta], color: "var(--soft)" },
    { tag: tags.invalid, color: "var(--bad)" },
  ]);
}

/** The page's own colours. The library's pictures are left out: the policy allows no `data:`. */
function theme({ theme: themeOf }) {
  const wave = (colour) => ({
    backgroundImage: "none",
    paddingBottom: "0",
    textDecoration: `underline wavy ${colour}`,
    textUnderlineOffset: "3px",
  });
  const dot = (colour) => ({
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
  return themeOf({
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
