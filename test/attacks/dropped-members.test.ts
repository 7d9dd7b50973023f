/** Attacks by members of a body that a reader would drop in silence, so that two readers see two requests. */
import { expect, it } from "vitest";
import { makeTenant, send, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";

const SOURCE = "name: x\nruntime: yaml\nresources: {}\n";

async function instanceOf(tenant: TestTenant) {
  const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
  const path = `/instances/${await makeInstance(tenant, templateId, targetId)}`;
  const patch = (body: string) =>
    send("PATCH", path, {
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
      body,
    });
  return { patch, shown: async () => (await tenant.get(path)).body };
}

it.each(["labels", "variables"])("the name __proto__ in %s", async (member) => {
  const { patch, shown } = await instanceOf(await makeTenant());
  const before = await shown();
  const refused = await patch(`{"${member}":{"__proto__":"x"}}`);
  expect([refused.status, refused.body.code]).toEqual([400, "unknown_parameter"]);
  expect(refused.body.errors).toEqual([
    expect.objectContaining({
      pointer: `/${member}/__proto__`,
      detail: "This name cannot be used.",
    }),
  ]);
  expect(await shown()).toEqual(before);
});

it.each([
  ['{"protectedFromDestroy":true,"protectedFromDestroy":false}', "protectedFromDestroy"],
  ['{"protectedFromDestroy":true,"protectedFromDe\\u0073troy":false}', "protectedFromDestroy"],
  ['{"labels":{"a":"b","c":"}","a" : "d"}}', "a"],
])("a member that occurs twice: %s", async (body, name) => {
  const { patch, shown } = await instanceOf(await makeTenant());
  const before = await shown();
  const refused = await patch(body);
  expect([refused.status, refused.body.code]).toEqual([400, "malformed_json"]);
  expect(refused.body.detail).toContain(`"${name}"`);
  expect(await shown()).toEqual(before);
});
