import { expect, it } from "vitest";
import { actsOf, type ConformanceSubject, createCall, done, NAME } from "./conformance-subject.ts";

const LAG_MS = 5_000;
/** More than any cloud lists on a page. */
const MANY = 45;

/** How what a lost create made is told from what others made. */
export function lookUpConformance(subject: ConformanceSubject): void {
  const { provider, type } = subject;
  const { create, lookUp, createAgain } = actsOf(subject);
  const empty = subject.cloud({});
  const { findable } = provider.repeats(empty.context, type);
  const dropped = { on: "create", status: "dropped", effect: "after" } as const;

  it.runIf(findable && empty.addForeign && !subject.uniqueNames)(
    "adopts none of the objects of its name that strangers made",
    async () => {
      const { context, addForeign, existing, advance } = subject.cloud({});
      addForeign?.(NAME, 2);
      advance?.(10 * 60_000);
      const found = await lookUp(context);
      expect(found.kind === "done", JSON.stringify(found)).toBe(false);
      expect(await existing()).toHaveLength(2);
    },
  );

  it.runIf(findable && empty.addForeign && subject.uniqueNames)(
    "refuses to create what a stranger has under its name, and does not adopt it",
    async () => {
      const { context, addForeign, existing, advance } = subject.cloud({});
      addForeign?.(NAME, 1);
      advance?.(10 * 60_000);
      const sentMs = context.now();
      const refused = await create(context);
      expect(refused).toMatchObject({ kind: "failed", retryable: false, means: "exists" });
      const found = await provider.lookUp(context, { ...createCall(subject), known: [], sentMs });
      expect(found.kind).not.toBe("done");
      expect(await existing()).toHaveLength(1);
    },
  );

  it.runIf(findable && empty.addForeign)(
    "finds its object beyond the first page of a list",
    async () => {
      const { context, addForeign, existing, advance } = subject.cloud({ faults: [dropped] });
      addForeign?.("other", MANY);
      advance?.(10 * 60_000);
      expect(await create(context)).toMatchObject({ kind: "failed", unknownOutcome: true });
      done(await createAgain(context));
      expect(await existing()).toHaveLength(MANY + 1);
    },
  );

  it.runIf(findable && empty.advance && subject.placed === undefined)(
    "finds its object once a list that lags behind shows it",
    async () => {
      const { context, existing, advance } = subject.cloud({
        faults: [dropped],
        listLagMs: LAG_MS,
      });
      await create(context);
      expect(await lookUp(context)).toEqual({ kind: "gone" });
      advance?.(LAG_MS);
      const found = done(await lookUp(context));
      expect(await existing()).toEqual([found.id]);
    },
  );
}
