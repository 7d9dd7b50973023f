/** The real platform's side of what the simulated one is held to (`../platform.test.ts`). */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { d1Answers, d1Script, storageAnswers, storageScript } from "#test/simulation/script.ts";

it("D1 answers the script as the simulation expects", async () => {
  expect(await d1Script(env.DB)).toEqual(d1Answers);
});

it("an object's storage answers the script as the simulation expects", async () => {
  const stub = env.TARGET_GATE.get(env.TARGET_GATE.idFromName("platform script"));
  const told = await runInDurableObject(stub, (_, { storage }) =>
    storageScript({
      sql: storage.sql,
      transactionSync: (work) => storage.transactionSync(work),
    }),
  );
  expect(told).toEqual(storageAnswers);
});
