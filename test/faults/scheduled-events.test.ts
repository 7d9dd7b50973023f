/** Locally, every process that reaches the port can send a scheduled event with any time and cron. */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";
import worker from "#worker.ts";

it("an event from the future expires nothing that is valid", async () => {
  const tenant = await makeTenant();
  const again = { "idempotency-key": crypto.randomUUID() };
  const body = { name: "kept", variables: {} };
  const first = await tenant.post("/profiles", body, again);
  // Expired answers are deleted in the first minute of an hour.
  const scheduledTime = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 365 * 86_400_000;
  await worker.scheduled(createScheduledController({ scheduledTime }), env);
  const second = await tenant.post("/profiles", body, again);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.body.id).toBe(first.body.id);
});

it("an event without the run's key is refused where there is one", async () => {
  const local = { ...env, SCHEDULED_HANDLER_KEY: "of-this-run" };
  for (const cron of ["", "* * * * *", "of-this-ru", "of-this-run2"])
    await expect(worker.scheduled(createScheduledController({ cron }), local)).rejects.toThrow(
      "refused",
    );
  await worker.scheduled(createScheduledController({ cron: "of-this-run" }), local);
});
