import { expect, it } from "vitest";
import type { Client } from "../client/client.ts";
import { compareInstallation, differenceOf, type Reconciled } from "./compare-installation.ts";

const none = { compared: 2, deployments: 0, inserted: 0, events: 0, plans: 0, lost: 0 };
const same = (instanceId: string): Reconciled => ({ instanceId, ...none, instance: false });
const pause = async () => undefined;

/** An installation. `answers`: the answers of each instance's runner, in order. */
function installation(
  answers: Readonly<Record<string, readonly (Reconciled | Error)[]>>,
  runs: unknown[] = [],
) {
  const asked: string[] = [];
  const client = {
    list: async (path: string) =>
      path === "/instances" ? Object.keys(answers).map((id) => ({ id })) : runs,
    post: async (path: string) => {
      asked.push(path);
      const id = path.split("/")[2] ?? "";
      const of = answers[id] ?? [];
      const nth = asked.filter((one) => one.includes(`/${id}/`)).length - 1;
      const answer = of[Math.min(nth, of.length - 1)];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as Client;
  return { client, asked };
}

it("says what differs, and changes nothing", async () => {
  const less = { ...same("b"), deployments: 1, events: 2, instance: true };
  const { client, asked } = installation({ a: [same("a")], b: [less] });
  expect(await compareInstallation(client, { write: false, pause })).toEqual({
    instances: 2,
    compared: 4,
    differing: [
      { instanceId: "b", what: "1 deployment, 2 events, the instance's state or outputs" },
    ],
    missing: [],
    failed: [],
    unheard: [],
  });
  expect(asked.every((path) => path.endsWith("/reconcile?dryRun=true"))).toBe(true);
});

it("asks again, because a run may have written the difference meanwhile", async () => {
  const { client } = installation({ a: [{ ...same("a"), events: 1 }, same("a")] });
  expect((await compareInstallation(client, { write: false, pause })).differing).toEqual([]);
});

it("writes when it is told to, each instance once", async () => {
  const { client, asked } = installation({ a: [{ ...same("a"), plans: 1, lost: 2 }, same("a")] });
  expect(await compareInstallation(client, { write: true, pause })).toMatchObject({
    differing: [{ instanceId: "a", what: "1 plan" }],
    missing: [{ instanceId: "a", count: 2 }],
  });
  expect(asked).toEqual(["/instances/a/reconcile"]);
});

it("reports lost deployments, and counts them as no difference", async () => {
  const { client, asked } = installation({ a: [{ ...same("a"), lost: 1 }] });
  expect(await compareInstallation(client, { write: false, pause })).toMatchObject({
    differing: [],
    missing: [{ instanceId: "a", count: 1 }],
  });
  expect(asked).toHaveLength(1);
});

it("goes on when a runner cannot be asked", async () => {
  const more = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`i${at}`, [same(`i${at}`)]]),
  );
  const { client } = installation({ bad: [new Error("POST answered 503")], ...more });
  expect(await compareInstallation(client, { write: true, pause })).toMatchObject({
    instances: 31,
    compared: 60,
    failed: [{ instanceId: "bad", why: "POST answered 503" }],
  });
});

it("names open deployments of which a runner has not heard for two minutes", async () => {
  const run = (id: string, phase: string | null, idleSeconds: number) => ({
    id,
    idleSeconds,
    deployment: { instanceId: "a" },
    runner: { phase },
  });
  const unanswered = { ...run("d4", null, 500), runner: null };
  const runs = [run("d1", null, 119), run("d2", null, 120), run("d3", "gate", 500), unanswered];
  const { client } = installation({ a: [same("a")] }, runs);
  expect((await compareInstallation(client, { write: false, pause })).unheard).toEqual([
    { deploymentId: "d2", instanceId: "a", idleSeconds: 120 },
  ]);
});

it("has no words where nothing differs", () => {
  expect(differenceOf(same("a"))).toBeUndefined();
});
