/** Private connections: one for each network and service, by the number of the project, without an id or a time. */
import { describe, expect, it } from "vitest";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { GoogleCloud } from "./gcp/google-cloud.ts";
import { addParents, parents } from "./gcp/samples.ts";
import { NUMBER } from "./gcp/shown.ts";
import { untilFinal } from "./type-cycle.ts";

const provider = gcpProvider();
const type = "gcp:servicenetworking/Connection";
const service = "servicenetworking.googleapis.com";
const id = `${parents.network}/services/${service}`;
const properties = { network: parents.network, service, reservedPeeringRanges: ["one"] };
const call = { type, name: "chosen-1", properties, token: "token-1" };

function makeCloud(): GoogleCloud {
  const cloud = new GoogleCloud();
  addParents(cloud);
  return cloud;
}

describe("a private connection of Google", () => {
  it("has the id of its network, and the number of the project in its calls", async () => {
    const cloud = makeCloud();
    const started = await provider.create(cloud.context(), call);
    expect(started).toMatchObject({ kind: "pending", id });
    const made = await untilFinal(provider, cloud.context(), started, { ...call, verb: "create" });
    expect(made).toMatchObject({
      kind: "done",
      id,
      outputs: { ...properties, peering: "servicenetworking-googleapis-com" },
    });
    await provider.delete(cloud.context(), { ...call, id });
    expect(cloud.living("servicenetworking/Connection")).toEqual([]);
    const network = `network=${encodeURIComponent(`projects/${NUMBER}/global/networks/base`)}`;
    const at = `servicenetworking/v1/services/${service}/connections`;
    expect(cloud.requests).toEqual(
      expect.arrayContaining([
        `GET ${at}?${network}`,
        `POST ${at}`,
        `POST ${at}/servicenetworking-googleapis-com`,
      ]),
    );
  });

  it("is not called unusable because the number of the project is refused by now", async () => {
    const cloud = makeCloud();
    const started = await provider.create(cloud.context(), call);
    if (started.kind !== "pending") throw new Error(started.kind);
    const refused = async (): Promise<Response> =>
      Response.json({ error: { code: 403, status: "PERMISSION_DENIED" } }, { status: 403 });
    const poll = { ...call, verb: "create", id, handle: started.handle } as const;
    const polled = await provider.poll({ ...cloud.context(), fetch: refused }, poll);
    expect(polled).toMatchObject({ kind: "failed", retryable: false, unread: true });
  });

  it("of somebody else is not taken over", async () => {
    const cloud = makeCloud();
    cloud.put("servicenetworking/Connection", id, { reservedPeeringRanges: ["theirs"] });
    const outcome = await provider.create(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", code: "already_exists", means: "exists" });
    expect(cloud.ledger).toEqual([]);
  });

  it("is neither missing nor taken as made, when the create was not answered", async () => {
    const cloud = makeCloud();
    const look = { ...call, known: [], sentMs: cloud.context().now() };
    expect(await provider.lookUp(cloud.context(), look)).toEqual({ kind: "gone" });
    await provider.create(cloud.context(), call);
    expect(await provider.lookUp(cloud.context(), look)).toMatchObject({ code: "cannot_tell" });
  });

  it.each([
    "base",
    `projects/other/global/networks/base`,
    `projects/${NUMBER}/global/networks/base`,
  ])("of the network %s is refused before it is made", async (network) => {
    const cloud = makeCloud();
    const outcome = await provider.create(cloud.context(), {
      ...call,
      properties: { ...properties, network },
    });
    expect(outcome).toMatchObject({ kind: "failed", code: "invalid_network", fault: "user" });
    expect(cloud.requests).toEqual([]);
  });
});
