import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { ociDefinition, ociProvider } from "#providers/oci/oci-provider.ts";
import { ociTypes } from "#providers/oci/types.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { partOf } from "#test/support/depth.ts";
import { ociDescription } from "./oci/description.ts";
import { COMPARTMENT, NAMESPACE, OracleCloud, REGION } from "./oci/oracle-cloud.ts";
import { addParents, moving, samples } from "./oci/samples.ts";
import { problemsInLife } from "./type-cycle.ts";
import { expectTopLevelChecked } from "./type-mutations.ts";

/** As the planner does: what the target sets where the template leaves it out. */
function complete(type: string, properties: JsonMap): JsonMap {
  const hasDefault = ociTypes.facts(`oci:${type}`)?.defaults !== undefined;
  return hasDefault ? { compartmentId: COMPARTMENT, ...properties } : properties;
}

describe("the types of Oracle Cloud", () => {
  it("are those that have a sample and a description", () => {
    const types = ociTypes.types().map((type) => type.replace("oci:", ""));
    expect(types.toSorted()).toEqual(Object.keys(samples).toSorted());
    const described = types.filter((type) => type !== "NetworkSecurityGroupRules");
    expect(described.toSorted()).toEqual(Object.keys(ociDescription).toSorted());
  });

  // Every request is signed and checked: an ordinary run takes a third of them.
  it.for(partOf(Object.entries(samples), 3))(
    "%s lives through create, read, change, replace and delete as described",
    async ([type, { properties, changed, replaced }]) => {
      const cloud = new OracleCloud();
      addParents(cloud);
      const of = (one: JsonMap | undefined) =>
        one === undefined ? undefined : complete(type, one);
      const life = {
        type: `oci:${type}`,
        properties: complete(type, properties),
        changed: of(changed),
        replaced: of(replaced),
      };
      expect(await problemsInLife(ociProvider(), cloud.context(), life)).toEqual([]);
      expect(cloud.violations).toEqual([]);
    },
  );

  it("take what a create and an update take, and nothing else", () => {
    for (const [type, { create, update }] of Object.entries(ociDescription)) {
      const facts = ociTypes.facts(`oci:${type}`);
      const named = (text: string) => text.split(" ").map((one) => one.split(":")[0] ?? "");
      if (type === "DnsRecords" || facts === undefined) continue;
      const row = ociTypes.rowOf(`oci:${type}`);
      const inPath = new Set([...(row?.unsent ?? []), ...(facts.location ?? [])]);
      const own = Object.keys(facts.properties ?? {}).filter(
        (name) => !inPath.has(name) || named(create).includes(name),
      );
      expect(named(create), type).toEqual(expect.arrayContaining(own));
      const needed = create.split(" ").filter((one) => one.endsWith("!"));
      const chosen = row?.name?.property ?? "name";
      const given = [...facts.required, "compartmentId", "displayName", chosen];
      expect(given, type).toEqual(expect.arrayContaining(needed.map((one) => named(one)[0])));
      const inPlace = own.filter(
        (name) => !facts.immutable.includes(name) && facts.onlyAtCreate?.[name] === undefined,
      );
      const parts = new Set((row?.parts ?? []).flatMap(({ properties }) => properties));
      const sent = inPlace.filter((name) => !parts.has(name));
      expect([...named(update), "compartmentId"], type).toEqual(expect.arrayContaining(sent));
    }
  });

  it.for(partOf(moving, 7))("$type moves to another compartment in place", async (life) => {
    const cloud = new OracleCloud();
    addParents(cloud);
    const type = `oci:${life.type}`;
    expect(await problemsInLife(ociProvider(), cloud.context(), { ...life, type })).toEqual([]);
    expect(cloud.ledger.map(({ verb }) => verb)).toEqual(["create", "update", "delete"]);
  });
});

describe("a mistake", () => {
  it.for(Object.keys(samples))("in the top level of %s is found by the check", (name) => {
    const type = `oci:${name}`;
    const { properties } = samples[name] ?? { properties: {} };
    expectTopLevelChecked(ociTypes, type, properties);
  });
});

describe("rules that were added", () => {
  it("are a create that goes on where Oracle does not show them at once", async () => {
    const cloud = new OracleCloud();
    addParents(cloud);
    let refuses = false;
    const context = cloud.context({
      fetch: async (request) => {
        if (refuses && request.method === "GET")
          return Response.json({ code: "TooManyRequests", message: "later" }, { status: 429 });
        refuses ||= request.url.includes("addSecurityRules");
        return cloud.fetch(request);
      },
    });
    const type = "oci:NetworkSecurityGroupRules";
    const { properties } = samples["NetworkSecurityGroupRules"] ?? { properties: {} };
    const call = { type, name: "rules", token: "token-1", properties };
    const made = await ociProvider().create(context, call);
    if (made.kind !== "pending") throw new Error(`The create has ended: ${made.kind}`);
    refuses = false;
    const { handle, id } = made;
    const polled = {
      ...call,
      verb: "create" as const,
      handle,
      ...(id === undefined ? {} : { id }),
    };
    expect(await ociProvider().poll(context, polled)).toMatchObject({ kind: "done", id });
  });
});

describe("the account of a credential", () => {
  const ask = async (cloud: OracleCloud, fetch = cloud.fetch) => {
    const definition = ociDefinition();
    // Nothing of the target's config names it.
    const context = cloud.context({ config: {}, fetch });
    const row = { path: "/", update: "none" } as const;
    const attempt: Attempt = { definition, context, row, verb: "verify", properties: {} };
    return definition.account?.(context, (spec) => sendRequest(attempt, spec));
  };

  it("is the tenancy, by its namespace, and the region, in one call", async () => {
    const cloud = new OracleCloud();
    expect(await ask(cloud)).toBe(`${NAMESPACE} (${REGION})`);
    expect(cloud.requests).toEqual(["GET objectstorage/n/"]);
  });

  it.each([
    [{ code: "NotAuthenticated", message: "no" }, 401, { means: "denied" }],
    [{}, 200, { code: "invalid_answer", retryable: true }],
  ])("is unknown after %j", async (body, status, failed) => {
    const cloud = new OracleCloud();
    const fetch = async () => Response.json(body, { status });
    expect(await ask(cloud, fetch)).toMatchObject({ kind: "failed", ...failed });
  });
});
