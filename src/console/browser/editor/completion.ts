/** Offers what the schema and the template allow at the cursor. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { readJson } from "#console/browser/page/request.ts";
import { functionsAddress } from "#console/shared/scripts.ts";
import { completionsAt } from "./completions.ts";
import type { FunctionWords } from "./expression-completions.ts";
import { SchemaOfTypes } from "./schema-of-types.ts";
import type { Option } from "./schema-options.ts";

type OfferedOption = Completion & Pick<Option, "adds">;

export function completion(): Extension {
  const schemas = new SchemaOfTypes();
  let functions: readonly FunctionWords[] | undefined;
  return autocompletion({
    activateOnCompletion: (chosen) => "adds" in chosen,
    override: [
      async (context) => {
        functions ??= await readJson<readonly FunctionWords[]>(functionsAddress);
        return offered(context, schemas, functions ?? []);
      },
    ],
  });
}

async function offered(
  context: CompletionContext,
  schemas: SchemaOfTypes,
  functions: readonly FunctionWords[],
): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from);
  const lines = state.doc.toString().split("\n");
  const schema = await schemas.for(lines, before);
  const found = schema && completionsAt(schema, lines, line.number - 1, before, functions);
  if (found === undefined || context.aborted) return null;
  const typed = before.slice(found.from);
  // Enter makes a line: an empty one offers nothing before the reader asks for it.
  if (!explicit && typed === "" && !/[.{:] ?$|\.\?$/.test(before)) return null;
  const more = found.areTypes ? await typesLike(typed, found.options) : undefined;
  const options = [...found.options, ...(more?.types ?? [])].map((option): OfferedOption => ({
    ...option,
    ...(option.adds === undefined ? {} : { apply: applied(option, found.from) }),
  }));
  return {
    from: line.from + found.from,
    options,
    ...(more?.isCut === true ? {} : { validFor: /^[\w:./@-]*$/ }),
  };
}

/** Writes a key and the start of its value. */
function applied({ label, adds }: Option, column: number) {
  return (view: EditorView, _: Completion, from: number, to: number): void => {
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

interface TypesPage {
  data: readonly { type: string; knowledge: string }[];
  nextCursor: string | null;
}

/** The types of a provider that contain the typed text, without the offered ones. Undefined: no provider is typed. */
async function typesLike(
  typed: string,
  offeredAlready: readonly Option[],
): Promise<{ types: Option[]; isCut: boolean } | undefined> {
  const [, provider, text = ""] = /^([a-z]+):(.{2,80})$/.exec(typed) ?? [];
  if (provider === undefined) return undefined;
  const query = new URLSearchParams({ q: text, limit: "100" });
  const page = await readJson<TypesPage>(`/api/v1/cloud/providers/${provider}/types?${query}`);
  const known = new Set(offeredAlready.map(({ label }) => label));
  const types = (page?.data ?? [])
    .filter(({ type }) => !known.has(type))
    .map(({ type, knowledge }) => ({ label: type, detail: knowledge }));
  return { types, isCut: page === undefined || page.nextCursor !== null };
}
