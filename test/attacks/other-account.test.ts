/** A target whose credential or config opens another account than the one that the instance's objects are in. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import { instanceOf, ledger, living, makeTarget, untilOver } from "#test/support/cloud.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await makeUnlimitedTenant();
});

const OWN = "own-account";
const OTHER = "other-account";
const NET = (more = "") => `  net: { type: mock:Network, properties: { name: net${more} } }\n`;
const BOX = (more = "") => `  box: { type: mock:Bucket, properties: { name: box }${more} }\n`;
const template = (...parts: string[]) => `resources:\n${parts.join("")}`;
const both = template(NET(), BOX());

async function made(source = both, config: JsonMap = {}) {
  const targetId = await makeTarget(tenant, { account: OWN, ...config });
  const one = await instanceOf(tenant, source, targetId);
  return {
    ...one,
    opens: async (account: string, more: JsonMap = {}) => {
      const { status, text } = await tenant.patch(`/cloud/targets/${targetId}`, {
        config: { account, ...more },
      });
      expect(status, text).toBe(200);
    },
    checkDrift: async () => {
      const { body } = await tenant.post(`/instances/${one.instanceId}/check-drift`);
      return untilOver(tenant, body.id);
    },
    livingIn: async (account: string) => living(await ledger(`${targetId} ${account}`)),
    changesIn: async (account: string) => (await ledger(`${targetId} ${account}`)).length,
    names: async () => (await runnerOf(one.instanceId).listResources()).map(({ name }) => name),
    forgetAccount: () =>
      runInDurableObject(runnerOf(one.instanceId), (_, { storage: { sql } }) =>
        sql.exec("DELETE FROM facts WHERE name = 'account'"),
      ),
    outside: async (account: string, kind: string, body: JsonMap) => {
      const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(`${targetId} ${account}`));
      const answer = await cloud.fetch(`https://mock.cloud.invalid/v1/${kind}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      return (await answer.json<{ id: string }>()).id;
    },
  };
}

const refused = { state: "FAILED", error: { code: "account_changed", fault: "user" } };

describe("a credential of another account", () => {
  it("makes nothing again in the other account, and forgets nothing", async () => {
    const one = await made();
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    await one.opens(OTHER);
    await one.change(template(NET(", cidr: 10.0.0.0/8"), BOX(), NET().replaceAll("net", "new")));
    const { body, text } = await one.deploy();
    expect(body, text).toMatchObject(refused);
    for (const part of [OWN, OTHER, "retainOnDelete"]) expect(body.error.message).toContain(part);
    expect(await messagesOf(tenant, body.id)).toContain(`Failed: ${body.error.message}`);
    expect(await one.changesIn(OTHER)).toBe(0);
    expect(await one.livingIn(OWN)).toEqual(["buckets/box", "networks/net"]);
    expect((await one.names()).sort()).toEqual(["box", "net"]);
    await one.opens(OWN);
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    expect(await one.livingIn(OWN)).toEqual(["buckets/box", "networks/net", "networks/new"]);
  });

  it("destroys nothing, so that nothing counts as destroyed", async () => {
    const one = await made();
    await one.deploy();
    await one.opens(OTHER);
    expect((await one.destroy()).body).toMatchObject(refused);
    expect((await one.names()).sort()).toEqual(["box", "net"]);
    await one.opens(OWN);
    expect((await one.destroy()).body.state).toBe("SUCCEEDED");
    expect(await one.livingIn(OWN)).toEqual([]);
  });

  it("shows no drift", async () => {
    const one = await made();
    await one.deploy();
    await one.opens(OTHER);
    expect((await one.checkDrift()).body).toMatchObject(refused);
    await one.opens(OWN);
    expect((await one.checkDrift()).body.state).toBe("NO_CHANGES");
    expect((await one.deploy()).body.state).toBe("NO_CHANGES");
  });

  it("reads nothing for a plan", async () => {
    const one = await made();
    const id = await one.outside(OWN, "networks", { name: "vpc" });
    const read = `  vpc: { type: mock:Network, get: { id: ${id} } }\n`;
    await one.change(template(read, BOX()));
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    await one.opens(OTHER);
    expect((await one.deploy()).body).toMatchObject(refused);
  });

  it("does not look for a create that was never answered", async () => {
    const fault = { kind: "buckets", on: "create", status: 0, effect: "after", times: 1 };
    const one = await made(both, { tokens: "none", longestRequestMs: 0, faults: [fault] });
    const lost = { kind: "buckets", on: "read", status: 403, code: "denied", times: 1 };
    await one.opens(OWN, { faults: [fault, lost] });
    expect((await one.deploy()).body.state).toBe("FAILED");
    expect((await one.names()).sort()).toEqual(["box", "net"]);
    await one.opens(OTHER);
    expect((await one.deploy()).body).toMatchObject(refused);
    expect(await one.changesIn(OTHER)).toBe(0);
    await one.opens(OWN);
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    expect(await one.livingIn(OWN)).toEqual(["buckets/box", "networks/net"]);
  });

  it("is refused after an import, which makes nothing", async () => {
    const one = await made();
    const id = await one.outside(OWN, "buckets", { name: "box" });
    await one.change(template(BOX(`, options: { import: ${id} }`)));
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    await one.opens(OTHER);
    expect((await one.destroy()).body).toMatchObject(refused);
  });
});

describe("another account is taken", () => {
  it("once the instance has no objects any more", async () => {
    const one = await made();
    await one.deploy();
    await one.destroy();
    await one.opens(OTHER);
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    expect(await one.livingIn(OTHER)).toEqual(["buckets/box", "networks/net"]);
    await one.opens(OWN);
    expect((await one.destroy()).body).toMatchObject(refused);
  });

  it("once its objects have been left on purpose, as the refusal says", async () => {
    const keep = ", options: { retainOnDelete: true }";
    const one = await made(template(BOX()));
    await one.deploy();
    await one.opens(OTHER);
    await one.change(template(BOX(keep)));
    expect((await one.deploy()).body.state).toBe("NO_CHANGES");
    expect((await one.destroy()).body.state).toBe("SUCCEEDED");
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    expect(await one.livingIn(OWN)).toEqual(["buckets/box"]);
    expect(await one.livingIn(OTHER)).toEqual(["buckets/box"]);
  });

  it("once one that was replaced, and could not be deleted, has been left too", async () => {
    const net = (cidr: string, keeps = false) =>
      template(
        `  net: { type: mock:Network, properties: { name: net, cidr: ${cidr} }, options: { retainOnDelete: ${keeps} } }\n`,
      );
    const one = await made(net("a"), {
      faults: [{ kind: "networks", on: "delete", status: 403, times: 1 }],
    });
    await one.deploy();
    await one.change(net("b"));
    expect((await one.deploy()).body.state).toBe("FAILED");
    await one.opens(OTHER);
    expect((await one.deploy()).body).toMatchObject(refused);
    await one.change(net("b", true));
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    expect((await one.destroy()).body.state).toBe("SUCCEEDED");
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    expect(await one.livingIn(OWN)).toEqual(["networks/net", "networks/net"]);
    expect(await one.livingIn(OTHER)).toEqual(["networks/net"]);
  });

  it("when the first deployment with a wrong one has made nothing", async () => {
    const one = await made(both, { faults: [{ kind: "networks", on: "create", status: 400 }] });
    await one.change(template(NET()));
    expect((await one.deploy()).body.state).toBe("FAILED");
    await one.opens(OTHER, { faults: [] });
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    expect(await one.livingIn(OTHER)).toEqual(["networks/net"]);
  });
});

describe("an instance from before accounts were kept", () => {
  it("learns its account where its objects are found, and from nothing else", async () => {
    const one = await made();
    await one.deploy();
    await one.forgetAccount();
    await one.opens(OTHER);
    const unproven = { state: "FAILED", error: { code: "account_unproven", fault: "user" } };
    expect((await one.checkDrift()).body).toMatchObject(unproven);
    expect((await one.destroy()).body).toMatchObject(unproven);
    expect((await one.names()).sort()).toEqual(["box", "net"]);
    await one.opens(OWN);
    expect((await one.checkDrift()).body.state).toBe("NO_CHANGES");
    await one.opens(OTHER);
    expect((await one.destroy()).body).toMatchObject(refused);
  });
});

describe("a cloud that does not tell the account", () => {
  it("is asked again while it may tell later", async () => {
    const one = await made(both, { sessions: { lifeMs: 3_600_000, failures: 2 } });
    const { body } = await one.deploy();
    expect(body.state).toBe("SUCCEEDED");
    expect((await messagesOf(tenant, body.id)).join("\n")).toContain("which account");
  });
});
