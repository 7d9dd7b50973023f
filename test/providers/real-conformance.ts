import { expect, it } from "vitest";
import { nextAttempt, remembersToken } from "#orchestrator/steps/next-attempt.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Outcome } from "#providers/provider.ts";
import { countFor, partOf, testSeed } from "#test/support/depth.ts";
import { realClouds } from "#test/support/fake-cloud/real/real-clouds.ts";
import {
  type ConformanceCloud,
  type ConformanceFault,
  type ConformanceSubject,
  createCall,
  type Done,
  NAME,
} from "./conformance-subject.ts";

/** Between two calls. Less than the time for which new objects may not be visible. */
const WAIT_MS = 8_000;
const NEXT_RUN_MS = 60_000;
const MAX_CALLS = 60;

const seeds = Array.from(
  { length: countFor({ ordinary: 1, deep: 10 }) },
  (_, at) => (testSeed % 1_000) + at,
);

const lostAnswers = (["create", "update", "delete"] as const).flatMap((on) =>
  (["before", "after"] as const).map((effect) => ({ on, status: "dropped" as const, effect })),
);

type Failed = Extract<Outcome, { kind: "failed" }>;

/** The provider as a run uses it, which waits and sends again what may pass. */
class Patient {
  readonly #subject: ConformanceSubject;
  readonly #cloud: ConformanceCloud;

  constructor(subject: ConformanceSubject, cloud: ConformanceCloud) {
    this.#subject = subject;
    this.#cloud = cloud;
  }

  async create(): Promise<Done> {
    const { provider, type } = this.#subject;
    const { context } = this.#cloud;
    const facts = provider.repeats(context, type);
    const properties = this.#subject.properties(NAME);
    const firstMs = context.now();
    let token = "token-1";
    let unknown = false;
    let emptyLooks = 0;
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const nowMs = context.now();
      const sent = { firstMs, lastMs: firstMs };
      const call = { ...createCall(this.#subject, token) };
      const isLook = nextAttempt({ unknown, sent, emptyLooks }, facts, nowMs) === "look";
      const outcome = await this.#polled("create", properties, {}, token, () =>
        isLook
          ? provider.lookUp(context, { ...call, known: [], sentMs: firstMs })
          : provider.create(context, call),
      );
      if (outcome.kind === "done") return outcome;
      if (outcome.kind === "gone") {
        emptyLooks += 1;
        this.#wait();
        continue;
      }
      const failed = passing(outcome);
      if (failed.mendable === true && failed.id !== undefined)
        return this.update(failed.id, properties, properties);
      if (failed.ended === true && remembersToken(facts)) token = `token-${calls + 2}`;
      unknown ||= failed.unknownOutcome;
      this.#wait(failed.afterMs);
    }
    throw new Error("The create does not end");
  }

  async update(id: string, before: JsonMap, properties: JsonMap): Promise<Done> {
    const { provider, type } = this.#subject;
    const { context } = this.#cloud;
    const call = { type, id, name: NAME, before, properties, token: "token-update" };
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const outcome = await this.#polled("update", properties, { before, id }, call.token, () =>
        provider.update(context, { ...call, unsure: true }),
      );
      if (outcome.kind === "done") return outcome;
      // The object is there: a run looks again.
      if (outcome.kind !== "gone") passing(outcome);
      this.#wait(outcome.kind === "failed" ? outcome.afterMs : undefined);
    }
    throw new Error("The update does not end");
  }

  async remove(id: string, properties: JsonMap): Promise<void> {
    const { provider, type } = this.#subject;
    const { context } = this.#cloud;
    const call = { type, id, name: NAME, properties, token: "token-delete" };
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const outcome = await this.#polled("delete", properties, { id }, call.token, () =>
        provider.delete(context, call),
      );
      if (outcome.kind === "gone") return;
      this.#wait(passing(outcome).afterMs);
    }
    throw new Error("The delete does not end");
  }

  async #polled(
    verb: "create" | "update" | "delete",
    properties: JsonMap,
    { before, id }: { before?: JsonMap; id?: string },
    token: string,
    begin: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const { provider, type } = this.#subject;
    let outcome = await begin();
    for (let turn = 0; outcome.kind === "pending" && turn < MAX_CALLS; turn += 1) {
      this.#wait(outcome.afterMs);
      const known = outcome.id ?? id;
      outcome = await provider.poll(this.#cloud.context, {
        type,
        name: NAME,
        verb,
        properties,
        token,
        handle: JSON.parse(JSON.stringify(outcome.handle)) as JsonMap,
        ...(known !== undefined && { id: known }),
        ...(before !== undefined && { update: { before } }),
      });
    }
    return outcome;
  }

  #wait(ms = 0): void {
    this.#cloud.advance?.(Math.max(WAIT_MS, ms));
  }
}

/** The failure, which a run waits for. */
function passing(outcome: Outcome): Failed {
  expect(outcome.kind, JSON.stringify(outcome)).toBe("failed");
  const failed = outcome as Failed;
  expect(failed.retryable || failed.spreads !== undefined, JSON.stringify(outcome)).toBe(true);
  return failed;
}

/** The life of an object at a cloud that misbehaves as the real one does, also when an answer of it is lost. */
export function realConformance(subject: ConformanceSubject): void {
  const real = realClouds[subject.provider.name];
  if (real === undefined) return;
  const cases = seeds.flatMap((seed): [string, number, ConformanceFault[]][] => [
    ["", seed, []],
    ...partOf(lostAnswers, lostAnswers.length, seed).map(
      (fault): [string, number, ConformanceFault[]] => [
        `, that loses the answer to a ${fault.on} ${fault.effect} its effect`,
        seed,
        [fault],
      ],
    ),
  ]);
  it.each(cases)(
    "makes, changes and deletes one object at the cloud as it is%s, seed %i",
    async (_, seed, faults) => {
      const cloud = subject.cloud({ faults, real: { cloud: real, seed } });
      const patient = new Patient(subject, cloud);
      const made = await patient.create();
      expect(await cloud.existing()).toEqual([made.id]);
      // Another run makes the change.
      cloud.advance?.(NEXT_RUN_MS);
      const changed = await patient.update(
        made.id,
        subject.properties(NAME),
        subject.changed(NAME),
      );
      expect(changed.id).toBe(made.id);
      await patient.remove(made.id, subject.changed(NAME));
      expect(await cloud.existing()).toEqual([]);
    },
  );
}
