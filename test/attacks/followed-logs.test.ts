/** What a tenant could bring about by following logs: a plan waits for a week, and each stream of its log asks the database. */
import { exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { MAX_STREAMS } from "#http/long-answers/open-streams.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { SOURCE } from "#test/support/templates.ts";

async function waitingPlan(tenant: TestTenant): Promise<string> {
  const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
  const instanceId = await makeInstance(tenant, templateId, targetId, {
    approvalMode: "always",
    variables: { password: "correct horse battery" },
  });
  const { body } = await run(tenant, instanceId, "deploy");
  expect(body.state).toBe("AWAITING_APPROVAL");
  return body.id;
}

const follow = async (tenant: TestTenant, id: string): Promise<Response> =>
  exports.default.fetch(
    new Request(`https://control.test/api/v1/deployments/${id}/log`, {
      headers: { authorization: `Bearer ${tenant.key}`, accept: "text/event-stream" },
    }),
  );

it("a tenant that holds many streams open gets no more of them, and others do", async () => {
  const [tenant, other] = [await makeTenant(), await makeTenant()];
  const [id, theirs] = [await waitingPlan(tenant), await waitingPlan(other)];
  const open = await Promise.all(Array.from({ length: MAX_STREAMS }, () => follow(tenant, id)));
  expect(open.map(({ status }) => status)).toEqual(Array(MAX_STREAMS).fill(200));
  const refused = await follow(tenant, id);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(await refused.json()).toMatchObject({ code: "rate_limited" });
  expect((await tenant.get(`/deployments/${id}/log`)).status).toBe(200);
  const further = await follow(other, theirs);
  expect(further.status).toBe(200);
  await open.pop()?.body?.cancel();
  const again = await follow(tenant, id);
  expect(again.status).toBe(200);
  await Promise.all([...open, further, again].map(async ({ body }) => body?.cancel()));
});
