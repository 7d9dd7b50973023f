import { expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";

export type ContractVerb = "create" | "read" | "update" | "delete";

/** A fault that occurs once: `dropped` is a connection that ends without a response. */
export interface ContractFault {
  on: ContractVerb;
  status: number | "dropped";
  effect: "before" | "after";
}

/** One type of one provider, and how to inject faults into its cloud. */
export interface ContractSubject {
  provider: Provider;
  type: string;
  /** Properties of a new object, without a name if the provider allows that. */
  properties: (name: string) => JsonMap;
  /** The same with one property changed that can be updated in place. */
  changed: (name: string) => JsonMap;
  /** The same with one property changed that cannot be updated; absent if there is none. */
  immutableChanged?: (name: string) => JsonMap;
  missingId: string;
  /** A context on a separate, empty cloud with these faults. */
  cloud: (script: { faults?: ContractFault[]; slow?: true; endsFailed?: true }) => ContractCloud;
}

export interface ContractCloud {
  context: ProviderContext;
  /** Ids of the objects that exist at the cloud. */
  existing: () => Promise<string[]>;
  /** Finishes every create in progress. */
  finish: () => Promise<void>;
}

type Done = Extract<Outcome, { kind: "done" }>;

/** Polls without waiting until the outcome is final. */
async function pollUntilFinal(
  subject: ContractSubject,
  context: ProviderContext,
  outcome: Outcome,
  verb: "create" | "update" | "delete",
  name: string,
): Promise<Outcome> {
  let current = outcome;
  for (let turn = 0; current.kind === "pending" && turn < 50; turn += 1) {
    const { id, handle } = current;
    const roundTrip = JSON.parse(JSON.stringify(handle)) as Json;
    current = await subject.provider.poll(context, {
      type: subject.type,
      verb,
      name,
      properties: subject.properties(name),
      handle: roundTrip,
      ...(id !== undefined && { id }),
    });
  }
  return current;
}

function done(outcome: Outcome): Done {
  expect(outcome).toMatchObject({ kind: "done" });
  return outcome as Done;
}

/** The contract that the orchestrator relies on. Declares the tests where it is called. */
export function providerContract(subject: ContractSubject): void {
  const { provider, type } = subject;
  const name = "contract-one";
  const createCall = (token = "token-1") => ({
    type,
    name,
    properties: subject.properties(name),
    token,
  });
  const create = async (context: ProviderContext, token?: string) =>
    pollUntilFinal(
      subject,
      context,
      await provider.create(context, createCall(token)),
      "create",
      name,
    );
  const lookUp = async (context: ProviderContext, known: readonly string[] = []) =>
    pollUntilFinal(
      subject,
      context,
      await provider.lookUp(context, { ...createCall(), known }),
      "create",
      name,
    );
  /** As the engine does once no earlier attempt can take effect any more. */
  const createAgain = async (context: ProviderContext) => {
    if (provider.repeats(context, type).repeatableMs > 0) return create(context);
    const found = await lookUp(context);
    return found.kind === "gone" ? create(context) : found;
  };
  const target = (id: string) => ({ type, id, properties: subject.properties(name) });
  const read = async (context: ProviderContext, id: string) => provider.read(context, target(id));
  const remove = async (context: ProviderContext, id: string) =>
    pollUntilFinal(
      subject,
      context,
      await provider.delete(context, { ...target(id), token: "token-3" }),
      "delete",
      name,
    );
  const update = async (context: ProviderContext, id: string, properties: JsonMap) =>
    pollUntilFinal(
      subject,
      context,
      await provider.update(context, {
        ...target(id),
        name,
        before: subject.properties(name),
        properties,
        token: "token-2",
      }),
      "update",
      name,
    );

  it("creates, reads, updates and deletes an object", async () => {
    const { context, existing } = subject.cloud({});
    const made = done(await create(context));
    expect(made.outputs["id"]).toBe(made.id);
    expect(made.outputs).toMatchObject(subject.properties(name));
    expect(await existing()).toEqual([made.id]);
    expect(done(await read(context, made.id)).outputs).toEqual(made.outputs);

    const changed = done(await update(context, made.id, subject.changed(name)));
    expect(changed.id).toBe(made.id);
    expect(changed.outputs).toMatchObject(subject.changed(name));
    expect(done(await read(context, made.id)).outputs).toMatchObject(subject.changed(name));

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

  it("creates another object for another token", async () => {
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
    const { context, existing } = subject.cloud({
      faults: [
        { on: "update", status: "dropped", effect: "after" },
        { on: "delete", status: "dropped", effect: "after" },
      ],
    });
    const { id } = done(await create(context));
    expect(await update(context, id, subject.changed(name))).toMatchObject({
      kind: "failed",
      retryable: true,
    });
    const changed = done(await update(context, id, subject.changed(name)));
    expect(changed.outputs).toMatchObject(subject.changed(name));
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
    let current = await provider.create(context, createCall());
    for (let turn = 0; current.kind === "pending" && turn < 50; turn += 1) {
      if (current.id !== undefined) return current;
      current = await provider.poll(context, {
        ...createCall(),
        verb: "create",
        handle: current.handle,
      });
    }
    return current;
  };

  it("waits in a read for an object that is not usable yet, if asked to", async () => {
    const { context, finish } = subject.cloud({ slow: true });
    const pending = await createSlowly(context);
    const id = pending.kind === "pending" ? (pending.id ?? "") : "";
    const waiting = await provider.read(context, { ...target(id), awaitReady: true });
    expect(waiting).toMatchObject({ kind: "pending", id });
    await finish();
    done(await pollUntilFinal(subject, context, waiting, "update", name));
    done(await provider.read(context, { ...target(id), awaitReady: true }));
  });

  it("reports a slow object as pending, with its id", async () => {
    const { context, finish } = subject.cloud({ slow: true });
    const pending = await createSlowly(context);
    expect(pending).toMatchObject({ kind: "pending", id: expect.any(String) });
    const still = await pollUntilFinal(subject, context, pending, "create", name);
    expect(still).toMatchObject({ kind: "pending" });
    await finish();
    const made = done(await pollUntilFinal(subject, context, still, "create", name));
    expect(pending.kind === "pending" && pending.id).toBe(made.id);
  });

  it("fails with the id of an object that never becomes ready", async () => {
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
}
