import { expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { start, storedBy, until } from "#test/support/runner.ts";

const canary = "canary-5ecre7-in-every-call";
const source = `name: secrets
runtime: yaml
config:
  password: { type: string, secret: true }
resources:
  db:
    type: mock:Database
    properties: { name: db, password: "\${password}", url: "pg://u:\${password}@host" }
    options: { customTimeouts: { create: 1s } }
`;

it("no secret is stored in plain text, while a create is open, lost, or done", async () => {
  const tenant = await makeTenant();
  const make = async (config: object) => {
    const targetId = await makeTarget(tenant, { ...config });
    return makeInstance(tenant, await makeTemplate(tenant, source), targetId, {
      variables: { password: canary },
    });
  };
  const open = await make({ readyAfterMs: 60_000 });
  await start(tenant, open);
  await until("the create is open", async () => (await storedBy(open)).includes('\\"pending\\"'));
  const lost = await make({
    faults: [{ kind: "databases", on: "create", status: 0, effect: "after", times: 9 }],
  });
  expect((await run(tenant, lost, "deploy")).body.state).toBe("FAILED");
  const done = await make({});
  expect((await run(tenant, done, "deploy")).body.state).toBe("SUCCEEDED");
  for (const instanceId of [open, lost, done]) {
    const text = await storedBy(instanceId);
    expect(text).toContain('\\"sent\\"');
    expect(text).not.toContain(canary);
  }
});
