/** A target's allowed regions bind every resource that names a region, wherever the name comes from. */
import { beforeAll, describe, expect, it } from "vitest";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { ledger, makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";

const source = `name: regions
runtime: yaml
config:
  place: { type: string, default: local-1 }
resources:
  plain: { type: mock:Server, properties: { name: plain, region: "\${place}" } }
  later: { type: mock:Server, properties: { name: later, region: "\${plain.region}" } }
`;

describe("a resource's region", () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
  });

  it.for([
    [{}, ["local-1", "local-2"], "SUCCEEDED"],
    [{ place: "local-2" }, ["local-1", "local-2"], "SUCCEEDED"],
    [{ place: "local-2" }, ["local-1"], "FAILED"],
    [{ place: "elsewhere" }, ["*", "local-1"], "SUCCEEDED"],
  ] as const)("set by %j at a target that allows %j: %s", async ([given, allowed, end]) => {
    const targetId = await makeTarget(tenant, {}, { allowedRegions: [...allowed] });
    const instanceId = await makeInstance(tenant, templateId, targetId, {
      variables: { ...given },
    });
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body.state, over.text).toBe(end);
    if (end === "SUCCEEDED") return;
    expect(over.body.error.code).toBe("region_not_allowed");
    expect(over.text).toContain("local-2");
    expect(await ledger(targetId)).toEqual([]);
  });
});
