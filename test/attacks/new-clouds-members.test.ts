/** What updates and look-ups at Vultr and others must not bring about. A test is named after its attack. */
import { describe, expect, it } from "vitest";
import { vultrProvider } from "#providers/vultr/vultr-provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";

describe("an update of something else", () => {
  it("does not open a database of Vultr whose trusted addresses the template never set", async () => {
    const shown = {
      id: "db-1",
      label: "store",
      status: "Running",
      trusted_ips: ["192.0.2.7/32"],
      tag: "by-a-person",
    };
    const cloud = scriptedCloud(json({ database: shown }, 200), json({ database: shown }, 200));
    const before = {
      database_engine: "pg",
      database_engine_version: "16",
      plan: "small",
      region: "ewr",
      label: "shop",
    };
    await vultrProvider().update(cloud.context({ credential: "KEY", region: "ewr" }), {
      type: "vultr:Database",
      id: "db-1",
      name: "shop",
      token: "t-1",
      before,
      properties: { ...before, label: "store" },
    });
    const put = cloud.requests.find(({ method }) => method === "PUT");
    expect(put?.body).toMatchObject({ label: "store" });
    expect(put?.body).not.toHaveProperty("trusted_ips");
    expect(put?.body).not.toHaveProperty("tag");
  });
});
