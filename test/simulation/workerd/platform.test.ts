/** Runs the script of `../platform.test.ts` on the real platform. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { d1Answers, d1Script, storageAnswers, storageScript } from "#test/simulation/script.ts";

it("D1 returns what the simulation expects", async () => {
  expect(await d1Script(env.DB)).toEqual(d1Answers);
});

it("the storage of a Durable Object returns what the simulation expects", async () => {
  const stub = env.TARGET_GATE.get(env.TARGET_GATE.idFromName("platform script"));
  const results = await runInDurableObject(stub, (_, { storage }) =>
    storageScript({
      sql: storage.sql,
      transactionSync: (work) => storage.transactionSync(work),
    }),
  );
  expect(results).toEqual(storageAnswers);
});
