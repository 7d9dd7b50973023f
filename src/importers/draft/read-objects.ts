/** Existing objects that the source only reads: `get` of a template. */
import type { JsonMap } from "#platform/json.ts";
import { draftedOptions } from "./drafted-options.ts";
import type { DraftValues } from "./values/draft-values.ts";
import type { DraftGap } from "./values/draft.ts";
import { addressOf, type DraftedResource } from "./values/drafted-resource.ts";
import type { Use } from "./values/use.ts";

/** The options that an object which is only read may have. */
const possible: ReadonlySet<string> = new Set(["dependsOn", "additionalSecretOutputs"]);

/** An id that the draft cannot express is asked for. */
export function readObject(
  made: DraftedResource,
  waitsFor: readonly string[],
  values: DraftValues,
): { declaration: JsonMap; gaps: DraftGap[] } {
  const { source, scope, mapped } = made;
  const { file, line } = source;
  const address = addressOf(made);
  const use: Use = { address, name: `${source.name} id`, file, line, path: "get.id" };
  const id = source.got && values.convert(source.got, scope, { ...use, shape: { type: "string" } });
  const reason = id === undefined || id.kind === "value" ? "" : id.reason;
  const text = id?.kind === "value" ? id.value : values.ask(use, `${address} get`, reason);
  const { options, gaps } = draftedOptions(made, waitsFor, new Map());
  const kept = Object.entries(options).filter(([name]) => possible.has(name));
  const lost = Object.keys(options).filter((name) => !possible.has(name));
  return {
    declaration: {
      type: mapped.type,
      get: { id: text },
      ...(kept.length > 0 ? { options: Object.fromEntries(kept) } : {}),
    },
    gaps: [
      ...gaps,
      ...lost.map((name): DraftGap => ({
        address,
        file,
        line,
        path: `options.${name}`,
        code: "not_expressible",
        reason: onlyRead,
      })),
    ],
  };
}

const onlyRead = "A deployment only reads the object, and never changes it.";
