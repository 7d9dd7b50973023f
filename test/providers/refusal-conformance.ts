import { expect, it } from "vitest";
import type { FailureMeaning, Outcome, ProviderContext } from "#providers/provider.ts";
import {
  actsOf,
  type ConformanceSubject,
  type ConformanceVerb,
  done,
  NAME,
} from "./conformance-subject.ts";

/** What passes by itself. */
const passing: ReadonlySet<FailureMeaning> = new Set(["busy", "stale", "throttled"]);

/** What refusals mean, what they tell, and where requests go. */
export function refusalConformance(subject: ConformanceSubject): void {
  const acts = actsOf(subject);
  const act = (on: ConformanceVerb, context: ProviderContext, id: string): Promise<Outcome> => {
    switch (on) {
      case "create":
        return acts.create(context, "token-9");
      case "read":
        return acts.read(context, id);
      case "update":
        return acts.update(context, id, subject.changed(NAME));
      case "delete":
        return acts.remove(context, id);
    }
  };

  it.each(subject.refusals ?? [])(
    "takes $status of a $on that says $body for $means",
    async ({ on, status, body, means }) => {
      const { context, existing } = subject.cloud({
        faults: [{ on, status, body, effect: "before" }],
      });
      const id = on === "create" ? "" : done(await acts.create(context)).id;
      const before = await existing();
      const outcome = await act(on, context, id);
      if (means === "gone" && on === "delete")
        // The object is there: the delete is sent again.
        expect(outcome).toMatchObject({ code: "not_deleted", retryable: true, ended: true });
      else if (means === "gone") expect(outcome).toMatchObject({ kind: "gone" });
      else
        expect(outcome).toMatchObject({
          kind: "failed",
          means,
          retryable: passing.has(means),
          unknownOutcome: false,
        });
      expect(await existing()).toEqual(before);
    },
  );

  it.for([401, 403, 500] as const)(
    "tells nothing of the credential when answered %i",
    async (status) => {
      // Another session is asked for once.
      const fault = { on: "create", status, effect: "before" } as const;
      const { context } = subject.cloud({ faults: [fault, fault] });
      const outcome = await acts.create(context);
      expect(outcome.kind).toBe("failed");
      const { credential } = context;
      const secret = typeof credential === "string" ? credential : "no-such-secret";
      expect(JSON.stringify(outcome)).not.toContain(secret);
    },
  );

  it("asks no host but its own", async () => {
    const { context, origins } = subject.cloud({});
    if (origins === undefined) return;
    const { id } = done(await acts.create(context));
    await acts.update(context, id, subject.changed(NAME));
    await acts.remove(context, id);
    expect([...origins()]).toHaveLength(1);
  });
}
