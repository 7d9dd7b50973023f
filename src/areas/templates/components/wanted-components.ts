import { type ReadSource, readSource } from "#engine/template/describe.ts";
import { pinName } from "#engine/template/levels/level.ts";
import { spansOf } from "#engine/template/releases/release-order.ts";
import type { Call } from "#kernel/call/call.ts";
import { isId } from "#platform/ids.ts";
import type { ReleaseSpan } from "#schema/templates.ts";

/** A component in a range of releases, as a source names it. */
export interface WantedComponent {
  /** Its `pinName`. */
  use: string;
  component: string;
  range: string;
  spans: readonly ReleaseSpan[];
  /** The template by its id, or by its name. */
  by: "id" | "name";
}

const read = new WeakMap<object, ReadSource>();

/** Longer sources of unknown callers are not parsed. In characters. */
const MAX_OF_STRANGERS = 16_384;

/**
 * The components in the source of a request's body, each component and range once. Sources without components are not
 * parsed. A short source is parsed before the caller is authenticated, because the read that authenticates also finds
 * the components; for a long one, a caller who is not in the cache is authenticated first.
 */
export async function wantedComponents(
  call: Pick<Call, "authenticateFromCache">,
  body: object,
  source: string | undefined,
): Promise<WantedComponent[]> {
  if (source === undefined || !/component|\\/.test(source)) return [];
  if (source.length > MAX_OF_STRANGERS) await call.authenticateFromCache();
  const known = readOnce(body, source);
  read.set(body, known);
  const wanted = Object.values(known.template?.components ?? {}).flatMap((use) =>
    use.component === ""
      ? []
      : [
          {
            use: pinName(use),
            component: use.component,
            range: use.version,
            spans: spansOf(use.version),
            by: isId(use.component) ? ("id" as const) : ("name" as const),
          },
        ],
  );
  return [...new Map(wanted.map((one) => [one.use, one])).values()];
}

/** The parsed source of a body, whose check nothing has begun yet. */
export function readOnce(body: object, source: string): ReadSource {
  const known = read.get(body) ?? readSource(source);
  read.delete(body);
  return known;
}
