/** Labels that only `setLabels` takes, the mark with them: what happens between the create and that call. */
import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { type GoogleOptions, GoogleCloud } from "./gcp/google-cloud.ts";
import { addParents } from "./gcp/samples.ts";
import { PROJECT, REGION } from "./gcp/shown.ts";
import { untilFinal } from "./type-cycle.ts";

const provider = gcpProvider();
const HOUR_MS = 3_600_000;
const id = `projects/${PROJECT}/regions/${REGION}/addresses/ip`;
const properties = { name: "ip", region: REGION, labels: { app: "shop" } };
const call = { type: "gcp:compute/Address", name: "chosen-1", properties, token: "token-1" };
const of = { ...call, verb: "create" } as const;

function makeCloud(options: GoogleOptions = {}): GoogleCloud {
  const cloud = new GoogleCloud(options);
  addParents(cloud);
  return cloud;
}

function labelsOf(cloud: GoogleCloud): unknown {
  return cloud.living("compute/Address")[0]?.body["labels"];
}

const marked = { app: "shop", "control-step": expect.any(String) as string };

describe("an address of Google", () => {
  it("gets its labels and its mark by a call after the create", async () => {
    const cloud = makeCloud();
    const started = await provider.create(cloud.context(), call);
    expect(labelsOf(cloud)).toBeUndefined();
    const made = await untilFinal(provider, cloud.context(), started, of);
    expect(made).toMatchObject({ kind: "done", id, outputs: { labels: { app: "shop" } } });
    expect(JSON.stringify(made)).not.toContain("control-step");
    expect(labelsOf(cloud)).toEqual(marked);
  });

  it("gets the mark alone where the template has no labels", async () => {
    const cloud = makeCloud();
    const plain = { ...call, properties: { name: "ip", region: REGION } };
    const started = await provider.create(cloud.context(), plain);
    await untilFinal(provider, cloud.context(), started, { ...plain, verb: "create" });
    expect(labelsOf(cloud)).toEqual({ "control-step": expect.any(String) });
  });

  it("is found by its name, and marked, if the call never was made", async () => {
    let nowMs = Date.now();
    const cloud = makeCloud({ now: () => nowMs });
    const sentMs = nowMs;
    await provider.create(cloud.context(), call);
    nowMs += 2 * HOUR_MS;
    const found = await provider.lookUp(cloud.context(), { ...call, known: [], sentMs });
    const final = await untilFinal(provider, cloud.context(), found, of);
    expect(final).toMatchObject({ kind: "done", id });
    expect(labelsOf(cloud)).toEqual(marked);
    const again = await provider.lookUp(cloud.context(), { ...call, known: [], sentMs });
    expect(again).toMatchObject({ kind: "done", id });
  });

  it.each<[string, JsonMap, object]>([
    ["with other values", { addressType: "INTERNAL" }, { code: "cannot_tell" }],
    ["with another mark", { labels: { "control-step": "another" } }, { kind: "gone" }],
  ])("of a stranger %s is neither taken nor labelled", async (_, other, outcome) => {
    const cloud = makeCloud();
    const sentMs = cloud.context().now();
    const theirs = { name: "ip", addressType: "EXTERNAL", ...other };
    cloud.put("compute/Address", id, theirs);
    const wanted = { ...call, properties: { ...properties, addressType: "EXTERNAL" } };
    const found = await provider.lookUp(cloud.context(), { ...wanted, known: [], sentMs });
    expect(found).toMatchObject(outcome);
    expect(cloud.living("compute/Address")[0]?.body).toEqual(theirs);
    const refused = await provider.create(cloud.context(), wanted);
    expect(refused).toMatchObject({ kind: "failed", means: "exists" });
    expect(cloud.living("compute/Address")[0]?.body).toEqual(theirs);
  });

  it("of a stranger from before the create is no sign of it", async () => {
    let nowMs = Date.now();
    const cloud = makeCloud({ now: () => nowMs });
    cloud.put("compute/Address", id, { name: "ip", addressType: "INTERNAL" });
    nowMs += HOUR_MS;
    const look = { ...call, known: [], sentMs: nowMs };
    expect(await provider.lookUp(cloud.context(), look)).toEqual({ kind: "gone" });
  });
});
