/** Objects that Google Cloud has, which this service must neither lose nor take for its own. */
import { expect, it } from "vitest";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { gcpTypes } from "#providers/gcp/types.ts";
import { GoogleCloud } from "#test/providers/gcp/google-cloud.ts";
import { addParents, parents, samples } from "#test/providers/gcp/samples.ts";
import { PROJECT } from "#test/providers/gcp/shown.ts";

const provider = gcpProvider();

it.each(["bob@example.com", "app@%"])(
  "attack: a user of a database that was made can be taken away again (%s)",
  async (name) => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const properties = { instance: parents.instance, name, type: "CLOUD_IAM_USER" };
    const context = cloud.context();
    const made = await provider.create(context, {
      type: "gcp:sql/User",
      name: "n",
      properties,
      token: "t",
    });
    if (!("id" in made) || made.id === undefined) throw new Error(JSON.stringify(made));
    expect(cloud.living("sql/User")).toHaveLength(1);
    cloud.finish();
    await provider.delete(context, { type: "gcp:sql/User", id: made.id, properties, token: "t" });
    expect(cloud.living("sql/User")).toHaveLength(0);
  },
);

const byTime = gcpTypes.types().filter((type) => {
  const find = gcpTypes.rowOf(type)?.find;
  return find?.by === "properties" && find.createdAt === "creationTimestamp";
});

it("held: what a lost create made is found by its name and time, whatever its type is", async () => {
  expect(byTime.length).toBeGreaterThan(8);
  for (const type of byTime) {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const { properties = {} } = samples[type.replace("gcp:", "")] ?? {};
    const call = { type, name: "n", properties, token: "t" };
    const sentMs = Date.now();
    await provider.create(cloud.context(), call);
    cloud.finish();
    const looked = await provider.lookUp(cloud.context(), { ...call, known: [], sentMs });
    expect.soft(looked, type).toMatchObject({ kind: "done" });
  }
});

it("attack: a stranger's firewall of that name, with other rules, made after a create that was lost, is not ours", async () => {
  const cloud = new GoogleCloud();
  addParents(cloud);
  const sentMs = Date.now() - 1_000;
  const name = "allow-web";
  cloud.put("compute/Firewall", `projects/${PROJECT}/global/firewalls/${name}`, {
    name,
    network: parents.network,
    sourceRanges: ["10.0.0.0/8"],
  });
  const looked = await provider.lookUp(cloud.context(), {
    type: "gcp:compute/Firewall",
    name: "n",
    properties: { name, network: parents.network, sourceRanges: ["0.0.0.0/0"] },
    token: "t",
    known: [],
    sentMs,
  });
  expect(looked.kind).not.toBe("done");
});
