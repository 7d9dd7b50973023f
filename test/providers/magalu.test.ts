import { describe, expect, it } from "vitest";
import { jsonAt } from "#platform/at-path.ts";
import type { Json } from "#platform/json.ts";
import { magaluProvider } from "#providers/magalu/magalu-provider.ts";
import { magaluTypes } from "#providers/magalu/types.ts";
import { cloudWithParents, magaluProblems } from "./magalu/all-lives.ts";
import { magaluDocument } from "./magalu/description.ts";
import { API_KEY, magaluDescription } from "./magalu/magalu-cloud.ts";
import { samplesOf } from "./magalu/samples.ts";
import { diagnosticsOf, mutationsOf } from "./type-mutations.ts";

const description = magaluDescription(magaluDocument);
const MACHINES = "/{region}/compute/v1/instances";
const VOLUMES = "/{region}/volume/v1/volumes";

const someParents = {
  vpc: "vpc-1",
  subnet: "subnet-1",
  group: "group-1",
  port: "port-1",
  volume: "volume-1",
  cluster: "cluster-1",
  database: "00000000-0000-4000-8000-000000000009",
};
const names = Object.keys(samplesOf(someParents));

describe("the types of Magalu", () => {
  it("are the 22 that have a sample", () => {
    expect(magaluTypes.types().toSorted()).toEqual(
      names.map((name) => `magalu:${name}`).toSorted(),
    );
    expect(names).toHaveLength(22);
  });

  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await magaluProblems(magaluDocument);
    expect(problems.size).toBe(22);
    for (const [name, found] of problems) expect(found, name).toEqual([]);
  });
});

/** Properties that a create does not send or the cloud does not require: the check alone finds a mistake in them. */
const unsent = new Set(["skip_default_rules", "port_id", "has_pip", "network"]);

describe("a mistake in a property", () => {
  it.for(names)("of %s is found by the check, with line and column", (name) => {
    const type = `magalu:${name}`;
    const sample = samplesOf(someParents)[name]?.properties ?? {};
    expect(diagnosticsOf(magaluTypes, type, sample)).toEqual([]);
    const required = magaluTypes.facts(type)?.required ?? [];
    for (const { what, properties } of mutationsOf(sample, required))
      expect(diagnosticsOf(magaluTypes, type, properties)[0], what).toMatchObject({
        code: expect.stringMatching(/^(unknown_property|property_type|missing_property)$/),
        line: 1,
      });
  });

  it("never reaches the cloud", async () => {
    const { cloud, parents } = await cloudWithParents(description);
    const before = cloud.fake.ledger.length;
    for (const [name, { properties: sample }] of Object.entries(samplesOf(parents))) {
      const type = `magalu:${name}`;
      const required = magaluTypes.facts(type)?.required ?? [];
      for (const { what, properties } of mutationsOf(sample, required)) {
        if (what.startsWith("without") && unsent.has(what.replace("without ", ""))) continue;
        if (what.endsWith("type") && unsent.has(what.replace(" of a wrong type", ""))) continue;
        const call = { type, name: "chosen-1", properties, token: "t-1" };
        const outcome = await magaluProvider().create(cloud.context(), call);
        expect(outcome, `${name} ${what}`).toMatchObject({
          kind: "failed",
          retryable: false,
          unknownOutcome: false,
        });
      }
    }
    expect(cloud.fake.ledger).toHaveLength(before);
    expect(cloud.buckets.ledger).toEqual([]);
    expect(JSON.stringify(cloud.violations)).not.toContain(API_KEY);
  });

  it("of a region is told, and so is a public address that nothing would delete", () => {
    expect(diagnosticsOf(magaluTypes, "magalu:Vpc", { region: "br-se2" })).toHaveLength(1);
    const port = { vpc_id: "v", has_pip: true };
    expect(diagnosticsOf(magaluTypes, "magalu:Port", port)).toHaveLength(1);
  });
});

describe("at Magalu", () => {
  const call = { name: "chosen-1", token: "t-1" };

  it("an address is attached when it is made, moved, and detached before it is deleted", async () => {
    const { cloud, parents } = await cloudWithParents(description);
    const provider = magaluProvider();
    const of = { ...call, type: "magalu:PublicIp" };
    const { vpc: vpc_id, port: port_id } = parents;
    const properties = { vpc_id, port_id };
    const made = await provider.create(cloud.context(), { ...of, properties });
    expect(made).toMatchObject({ kind: "done", outputs: { port_id } });
    const id = made.kind === "done" ? made.id : "";
    expect(await provider.delete(cloud.context(), { ...of, id, properties })).toMatchObject({
      kind: expect.stringMatching(/gone|pending/),
    });
    const calls = cloud.fake.ledger.slice(-3).map(({ by }) => by.replace(/[0-9a-f-]{36}/g, "*"));
    expect(calls).toEqual([
      "POST /br-se1/network/v0/public_ips/*/attach/*",
      "POST /br-se1/network/v0/public_ips/*/detach/*",
      "DELETE /br-se1/network/v0/public_ips/*",
    ]);
  });

  it("a volume is attached once it is there, is one machine's alone, and goes after that", async () => {
    const { cloud, parents } = await cloudWithParents(description);
    const provider = magaluProvider();
    const context = cloud.context();
    const { volumes: _, ...machine } = samplesOf(parents)["Vm"]?.properties ?? {};
    const of = { ...call, type: "magalu:Vm" };
    const made = await provider.create(context, { ...of, properties: machine });
    const id = made.kind === "done" ? made.id : "";
    const volumes = [{ id: parents.volume }];
    const update = { ...of, id, properties: { ...machine, volumes }, before: machine };
    expect(await provider.update(context, update)).toMatchObject({ kind: "done" });
    expect(cloud.fake.ledger.at(-1)?.by).toMatch(/attach/);

    const other = { ...of, name: "other", properties: { ...machine, name: "other", volumes } };
    expect(await provider.create(context, other)).toMatchObject({
      kind: "failed",
      means: "invalid",
      message: expect.stringContaining("deleteBeforeReplace"),
    });
    const volume = { ...call, type: "magalu:Volume", id: parents.volume, properties: {} };
    expect(await provider.delete(context, volume)).toMatchObject({
      means: "busy",
      retryable: true,
    });
    const gone = await provider.delete(context, { ...of, id, properties: machine });
    expect(gone.kind).toMatch(/gone|pending/);
    cloud.fake.finish();
    expect((await provider.delete(context, volume)).kind).toMatch(/gone|pending/);
    const verbs = cloud.fake.ledger.slice(-2).map(({ by }) => by.split("/").at(-2));
    expect(verbs).toEqual(["instances", "volumes"]);
  });

  /** A machine and a volume at a cloud, and what the volume shows of where it is. */
  async function withVolume() {
    const { cloud, parents } = await cloudWithParents(description);
    const context = cloud.context();
    const provider = magaluProvider();
    const of = { ...call, type: "magalu:Vm" };
    const volumes = [{ id: parents.volume }];
    const machine = samplesOf(parents)["Vm"]?.properties ?? {};
    const properties = { ...machine, volumes };
    const whereIs = (): Json => {
      const volume = cloud.fake.living(VOLUMES).find(({ key }) => key === parents.volume);
      const { shown = {} } = volume ?? {};
      return [shown["state"] ?? null, jsonAt(shown, "attachment.instance.id") ?? null];
    };
    const attaches = () => cloud.fake.ledger.filter(({ by }) => /(at|de)tach/.test(by));
    return { cloud, parents, context, provider, of, machine, properties, whereIs, attaches };
  }

  it("a machine that is made with a volume has it, without a further call", async () => {
    const { context, provider, of, properties, whereIs, attaches } = await withVolume();
    const made = await provider.create(context, { ...of, properties });
    expect(made).toMatchObject({ kind: "done" });
    const id = made.kind === "done" ? made.id : "";
    expect(whereIs()).toEqual(["in-use", id]);

    const wanted = { ...properties, machine_type: { name: "BV2-2-40" } };
    const update = { ...of, id, before: properties, properties: wanted };
    expect(await provider.update(context, update)).toMatchObject({ kind: "done" });
    const unsure = { ...update, unsure: true as const };
    expect(await provider.update(context, unsure)).toMatchObject({ kind: "done" });
    expect(attaches()).toEqual([]);
    expect(whereIs()).toEqual(["in-use", id]);
  });

  it("a machine whose create was not answered is found with its volume, and made once", async () => {
    const { cloud, context, provider, of, properties, whereIs } = await withVolume();
    const sentMs = context.now();
    cloud.fake.script({ collection: MACHINES, on: "create", effect: "after", status: "dropped" });
    expect(await provider.create(context, { ...of, properties })).toMatchObject({
      kind: "failed",
      unknownOutcome: true,
    });
    const found = await provider.lookUp(context, { ...of, properties, known: [], sentMs });
    expect(found).toMatchObject({ kind: "done" });
    expect(cloud.fake.living(MACHINES)).toHaveLength(1);
    expect(whereIs()).toEqual(["in-use", found.kind === "done" ? found.id : ""]);
  });

  it("a volume goes to the machine that replaces its own once that one is gone", async () => {
    const { cloud, context, provider, of, properties, whereIs } = await withVolume();
    const first = await provider.create(context, { ...of, properties });
    const id = first.kind === "done" ? first.id : "";
    const next = { ...of, name: "next", properties: { ...properties, name: "next" } };
    expect(await provider.create(context, next)).toMatchObject({
      kind: "failed",
      means: "invalid",
      retryable: false,
      message: expect.stringContaining("deleteBeforeReplace"),
    });
    expect(whereIs()).toEqual(["in-use", id]);
    expect((await provider.delete(context, { ...of, id, properties })).kind).toMatch(
      /gone|pending/,
    );
    expect(whereIs()).toEqual(["available", null]);
    const second = await provider.create(context, next);
    expect(second).toMatchObject({ kind: "done" });
    expect(whereIs()).toEqual(["in-use", second.kind === "done" ? second.id : ""]);
    expect(cloud.fake.living(MACHINES)).toHaveLength(1);
  });

  it("a volume leaves a machine that is stopped, and changes its size when it is free", async () => {
    const { cloud, parents, context, provider, of, machine, properties, whereIs } =
      await withVolume();
    const made = await provider.create(context, { ...of, properties });
    const id = made.kind === "done" ? made.id : "";
    const volume = samplesOf(parents)["Volume"]?.properties ?? {};
    const larger = {
      ...call,
      type: "magalu:Volume",
      id: parents.volume,
      before: volume,
      properties: { ...volume, size: 20 },
    };
    expect(await provider.update(context, larger)).toMatchObject({
      means: "invalid",
      retryable: false,
      message: expect.stringContaining("detach it and deploy again"),
    });
    const without = { ...of, id, before: properties, properties: machine };
    expect(await provider.update(context, without)).toMatchObject({
      means: "invalid",
      retryable: false,
      message: expect.stringContaining("stop it and deploy again"),
    });
    expect(whereIs()).toEqual(["in-use", id]);

    for (const { shown } of cloud.fake.living(MACHINES)) shown["state"] = "stopped";
    expect(await provider.update(context, without)).toMatchObject({ kind: "done" });
    expect(whereIs()).toEqual(["available", null]);
    expect(await provider.update(context, larger)).toMatchObject({ outputs: { size: 20 } });
  });

  it("a port goes with its machine, and the next machine of it is told so", async () => {
    const { cloud, parents, context, provider, of, machine } = await withVolume();
    const network = { interface: { id: parents.port }, associate_public_ip: false };
    const properties = { ...machine, network };
    const made = await provider.create(context, { ...of, properties });
    const id = made.kind === "done" ? made.id : "";
    await provider.delete(context, { ...of, id, properties });
    const port = { type: "magalu:Port", id: parents.port, properties: {} };
    expect(await provider.read(context, port)).toEqual({ kind: "gone" });
    expect(await provider.create(context, { ...of, properties })).toMatchObject({
      means: "invalid",
      retryable: false,
      message: expect.stringContaining("goes with the machine"),
    });
    expect(cloud.fake.living(MACHINES)).toEqual([]);
  });

  it("an object in one region is none in another", async () => {
    const { cloud, parents } = await cloudWithParents(description);
    const read = (region: string) =>
      magaluProvider().read(cloud.context(), {
        type: "magalu:Vpc",
        id: parents.vpc,
        properties: { region },
      });
    expect(await read("br-se1")).toMatchObject({ kind: "done" });
    expect(await read("br-ne1")).toMatchObject({ kind: "gone" });
  });

  it("a password is sent once, and stands in nothing that comes back", async () => {
    const { cloud } = await cloudWithParents(description);
    const properties = samplesOf(someParents)["Database"]?.properties ?? {};
    const of = { ...call, type: "magalu:Database", properties };
    const made = await magaluProvider().create(cloud.context(), of);
    expect(made.kind).toBe("done");
    expect(JSON.stringify(made)).not.toContain("canary");
    expect(magaluTypes.facts("magalu:Database")?.writeOnly).toContain("password");
  });
});
