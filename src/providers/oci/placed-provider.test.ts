import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { Outcome, Provider } from "#providers/provider.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { scriptedCloud } from "#test/support/scripted-cloud.ts";
import { ociDefinition } from "./oci-provider.ts";
import { placedProvider } from "./placed-provider.ts";
import { SecurityRules } from "./security-rules.ts";

const context = scriptedCloud().context();

/** The provider over one that answers every call so. */
function over(outcome: Outcome): Provider {
  const definition = ociDefinition();
  const base = restProvider(definition);
  const answers: Provider = {
    ...base,
    create: async () => outcome,
    read: async () => outcome,
  };
  return placedProvider(answers, new SecurityRules(definition, base));
}

const done = (outputs: JsonMap): Outcome => ({ kind: "done", id: "o", outputs });

it("records are shown with their name and type, which Oracle shows only in the path", async () => {
  const properties = { zone: "z", domain: "www.example.com", rtype: "A", items: [] };
  const call = { type: "oci:DnsRecords", name: "r", id: "o", properties, token: "t" };
  const shown = over(done({ items: [], rtype: "theirs" }));
  for (const outcome of [await shown.create(context, call), await shown.read(context, call)])
    expect(outcome).toMatchObject({ outputs: { domain: "www.example.com", rtype: "theirs" } });
  const known = await shown.read(context, { ...call, properties: {} });
  expect(known).not.toHaveProperty("outputs.domain");
  expect(await over({ kind: "gone" }).read(context, call)).toEqual({ kind: "gone" });
});

it("an instance takes no property by its older name", async () => {
  const properties = { shape: "s", subnetId: "ocid1.subnet.oc1..a" };
  const call = { type: "oci:Instance", name: "i", properties, token: "t" };
  expect(await over(done({})).create(context, call)).toMatchObject({
    kind: "failed",
    code: "invalid_property",
    message: expect.stringContaining("subnetId"),
  });
  expect(await over(done({})).create(context, { ...call, type: "oci:Vcn" })).toMatchObject({
    kind: "done",
  });
});
