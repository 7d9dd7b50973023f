import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import {
  actsOf,
  type ConformanceSubject,
  createCall,
  type Done,
  done,
  NAME,
} from "./conformance-subject.ts";
import { lookUpConformance } from "./look-up-conformance.ts";
import { realConformance } from "./real-conformance.ts";
import { refusalConformance } from "./refusal-conformance.ts";
import { notShown, untilFinal } from "./type-cycle.ts";

/** What the orchestrator relies on, of every provider. Declares the tests where it is called. */
export function providerConformance(subject: ConformanceSubject): void {
  const { provider, type } = subject;
  const name = NAME;
  const { create, lookUp, createAgain, read, update, remove } = actsOf(subject);
  const target = (id: string) => ({ type, id, properties: subject.properties(name) });
  const expectShown = ({ outputs }: Done, properties: JsonMap): void => {
    expect(notShown(provider, type, properties, outputs)).toEqual([]);
  };
  const of = { type, name, properties: subject.properties(name) };

  it("creates, reads, updates and deletes an object", async () => {
    const { context, existing } = subject.cloud({});
    const made = done(await create(context));
    const shownId = textOf(made.outputs["id"]);
    expect(provider.spelledId?.(type, shownId) ?? shownId).toBe(made.id);
    expectShown(made, subject.properties(name));
    expect(await existing()).toEqual([made.id]);
    expect(done(await read(context, made.id)).outputs).toEqual(made.outputs);

    const changed = done(await update(context, made.id, subject.changed(name)));
    expect(changed.id).toBe(made.id);
    expectShown(changed, subject.changed(name));
    expectShown(done(await read(context, made.id)), subject.changed(name));

    expect(await remove(context, made.id)).toMatchObject({ kind: "gone" });
    expect(await existing()).toEqual([]);
  });

  it("returns `gone` for an object that does not exist, on a read, an update and a second delete", async () => {
    const { context } = subject.cloud({});
    const { id } = done(await create(context));
    await remove(context, id);
    expect(await remove(context, id)).toMatchObject({ kind: "gone" });
    expect(await read(context, id)).toMatchObject({ kind: "gone" });
    expect(await update(context, id, subject.changed(name))).toMatchObject({ kind: "gone" });
    expect(await read(context, subject.missingId)).toMatchObject({ kind: "gone" });
    expect(await remove(context, subject.missingId)).toMatchObject({ kind: "gone" });
  });

  it("can repeat a create by its token, or by a look-up, or both", () => {
    const { repeatableMs, findable } = provider.repeats(subject.cloud({}).context, type);
    expect(repeatableMs > 0 || findable).toBe(true);
  });

  it("creates one object if a create is repeated", async () => {
    const { context, existing } = subject.cloud({});
    const first = done(await create(context));
    const again = done(await createAgain(context));
    expect(again.id).toBe(first.id);
    expect(await existing()).toEqual([first.id]);
  });

  it.skipIf(subject.uniqueNames)("creates another object for another token", async () => {
    const { context, existing } = subject.cloud({});
    const first = done(await create(context));
    const second = done(await create(context, "token-other"));
    expect(second.id).not.toBe(first.id);
    expect(await existing()).toHaveLength(2);
  });

  it("creates one object if a create is repeated whose first attempt never arrived", async () => {
    const { context, existing } = subject.cloud({});
    const made = done(await createAgain(context));
    expect(await existing()).toEqual([made.id]);
  });

  it("finds no object of a create that never arrived, nor one that the instance already has", async () => {
    const { context } = subject.cloud({});
    if (!provider.repeats(context, type).findable) return;
    expect(await lookUp(context)).toMatchObject({ kind: "gone" });
    const { id } = done(await create(context));
    expect(await lookUp(context, [id])).toMatchObject({ kind: "gone" });
  });

  it.for(["before", "after"] as const)(
    "creates exactly one object if the connection drops %s the create took effect",
    async (effect) => {
      const { context, existing } = subject.cloud({
        faults: [{ on: "create", status: "dropped", effect }],
      });
      const lost = await create(context);
      expect(lost).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: true });
      expect(await existing()).toHaveLength(effect === "after" ? 1 : 0);
      const made = done(await createAgain(context));
      expect(await existing()).toEqual([made.id]);
    },
  );

  it.for(["before", "after"] as const)(
    "creates exactly one object if a create is answered 503 %s it took effect",
    async (effect) => {
      const { context, existing } = subject.cloud({
        faults: [{ on: "create", status: 503, effect }],
      });
      const failed = await create(context);
      expect(failed).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: true });
      const made = done(await createAgain(context));
      expect(await existing()).toEqual([made.id]);
    },
  );

  it("reports that a throttled create had no effect, and when to retry", async () => {
    const { context, existing } = subject.cloud({
      faults: [{ on: "create", status: 429, effect: "before" }],
    });
    const throttled = await create(context);
    expect(throttled).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: false });
    expect(throttled).toHaveProperty("afterMs");
    expect(await existing()).toEqual([]);
    done(await create(context));
  });

  it("can repeat an update and a delete whose responses were lost", async () => {
    const lost = { on: "update", status: "dropped", effect: "after" } as const;
    const { context, existing } = subject.cloud({
      faults: [
        ...(subject.createUpdates === true ? [lost] : []),
        lost,
        { on: "delete", status: "dropped", effect: "after" },
      ],
    });
    const { id } = done(await create(context));
    expect(await update(context, id, subject.changed(name))).toMatchObject({
      kind: "failed",
      retryable: true,
    });
    const changed = done(await update(context, id, subject.changed(name)));
    expectShown(changed, subject.changed(name));
    expect(await remove(context, id)).toMatchObject({ kind: "failed", retryable: true });
    expect(await remove(context, id)).toMatchObject({ kind: "gone" });
    expect(await existing()).toEqual([]);
  });

  it("marks a temporarily failing read as retryable, but not a rejected one", async () => {
    for (const [status, retryable] of [
      [500, true],
      [403, false],
    ] as const) {
      const { context } = subject.cloud({ faults: [{ on: "read", status, effect: "before" }] });
      // A create may read its object, and meet the fault before this read.
      const failed = await read(context, subject.missingId);
      expect(failed).toMatchObject({ kind: "failed", retryable, unknownOutcome: false });
    }
  });

  /** A create in progress, once its id is known: an operation may not say it at once. */
  const createSlowly = async (context: ProviderContext) => {
    let current = await provider.create(context, createCall(subject));
    for (let turn = 0; current.kind === "pending" && turn < 50; turn += 1) {
      if (current.id !== undefined) return current;
      current = await provider.poll(context, {
        ...createCall(subject),
        verb: "create",
        handle: current.handle,
      });
    }
    return current;
  };

  const { readyAtOnce } = subject;
  it.skipIf(readyAtOnce)(
    "waits in a read for an object that is not usable yet, if asked to",
    async () => {
      const { context, finish } = subject.cloud({ slow: true });
      const pending = await createSlowly(context);
      const id = pending.kind === "pending" ? (pending.id ?? "") : "";
      const waiting = await provider.read(context, { ...target(id), awaitReady: true });
      expect(waiting).toMatchObject({ kind: "pending", id });
      await finish();
      done(await untilFinal(provider, context, waiting, { ...of, verb: "update" }));
      done(await provider.read(context, { ...target(id), awaitReady: true }));
    },
  );

  it.skipIf(readyAtOnce)("reports a slow object as pending, with its id", async () => {
    const { context, finish } = subject.cloud({ slow: true });
    const pending = await createSlowly(context);
    expect(pending).toMatchObject({ kind: "pending", id: expect.any(String) });
    const still = await untilFinal(provider, context, pending, { ...of, verb: "create" });
    expect(still).toMatchObject({ kind: "pending" });
    await finish();
    const made = done(await untilFinal(provider, context, still, { ...of, verb: "create" }));
    expect(pending.kind === "pending" && pending.id).toBe(made.id);
  });

  it.skipIf(readyAtOnce)("fails with the id of an object that never becomes ready", async () => {
    const { context, existing } = subject.cloud({ endsFailed: true });
    const failed = await create(context);
    expect(failed).toMatchObject({ kind: "failed", retryable: false, id: expect.any(String) });
    const id = failed.kind === "failed" ? failed.id : undefined;
    expect(await existing()).toEqual([id]);
    const read = await provider.read(context, { ...target(id ?? ""), awaitReady: true });
    expect(read).toMatchObject({ kind: "failed", retryable: false, id });
    expect(read).not.toHaveProperty("unread");
  });

  const { immutableChanged } = subject;
  it.runIf(immutableChanged)(
    "fails permanently if an immutable property is changed, and changes nothing",
    async () => {
      const { context } = subject.cloud({});
      const { id, outputs } = done(await create(context));
      const refused = await update(context, id, immutableChanged?.(name) ?? {});
      expect(refused).toMatchObject({ kind: "failed", retryable: false, unknownOutcome: false });
      expect(done(await read(context, id)).outputs).toEqual(outputs);
    },
  );

  lookUpConformance(subject);
  refusalConformance(subject);
  realConformance(subject);
}
