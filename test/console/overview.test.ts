/** The overview: what needs somebody, for each of their tenants, and what to do where there is nothing yet. */
import { expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilState } from "#test/support/cloud.ts";
import { mainOf, memberOf, openPage } from "#test/support/console-pages.ts";
import { signedIn } from "#test/support/sessions.ts";

const source = `resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
`;

it("lists what waits under the name of its tenant, for whoever has several", async () => {
  const tenants = [await makeTenant(), await makeTenant()];
  for (const [at, tenant] of tenants.entries()) {
    const instanceId = await makeInstance(
      tenant,
      await makeTemplate(tenant, source),
      await makeTarget(tenant),
      { name: `shop ${at}`, approvalMode: "always", expiresAt: "2099-01-01T00:00:00Z" },
    );
    const { body } = await tenant.post(`/instances/${instanceId}/deploy`);
    await untilState(tenant, body.id, (state) => state === "AWAITING_APPROVAL");
  }
  const [first, second] = tenants.map(({ tenantId, slug }) => ({ tenantId, slug }));
  if (first === undefined || second === undefined) throw new Error("no tenants");
  const both = await signedIn(
    [first.tenantId, "CustomerAdmin"],
    [second.tenantId, "CustomerViewer"],
  );
  const { text } = await openPage("/", both);
  const waiting = between(text, "Plans that wait for approval", "Running");
  for (const [at, { slug }] of [first, second].entries()) {
    const own = waiting.split("<h3>").find((part) => part.startsWith(`Tenant ${slug}</h3>`));
    expect(own).toContain(`Deploy of shop ${at} waits for approval.`);
    expect(own).not.toContain(`shop ${1 - at}`);
  }
  expect(between(text, "Expiring", "</main>").match(/<h3>/g)).toHaveLength(2);

  const one = await openPage("/", await memberOf(first.tenantId, "CustomerViewer"));
  expect(one.text).toContain("Deploy of shop 0 waits for approval.");
  expect(one.text).not.toContain("<h3>");
  expect(one.text).not.toContain("shop 1");
});

it("says what to do first, to each by what they may do", async () => {
  const { tenantId } = await makeTenant();
  const developer = await openPage("/", await memberOf(tenantId, "CustomerDeveloper"));
  for (const path of ["/templates", "/imports/new", "/targets"])
    expect(developer.text).toMatch(new RegExp(`<a class="button[^"]*" href="${path}">`));
  const viewer = await openPage("/", await memberOf(tenantId, "CustomerViewer"));
  expect(viewer.text).toContain("There is no instance yet.");
  expect(mainOf(viewer)).not.toContain('class="button');
});

function between(text: string, from: string, to: string): string {
  const start = text.indexOf(`<h2>${from}`);
  expect(start).toBeGreaterThan(0);
  return text.slice(start, text.indexOf(to, start + from.length));
}
