import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { empty, json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { magaluDefinition, magaluProvider } from "./magalu-provider.ts";

const vpc = { type: "magalu:Vpc", id: "v-1", properties: { region: "br-ne1" } };
const KEY = "key-canary";
const at = { credential: KEY, region: "br-se1" };
const said = (slug: string, message: string) => ({ slug, message });

describe("the credential", () => {
  it.for([KEY, { apiKey: KEY }])("%j is sent as an API key", async (credential) => {
    const cloud = scriptedCloud(json({ id: "v-1", status: "created" }));
    await magaluProvider().read(cloud.context({ ...at, credential }), vpc);
    expect(cloud.requests[0]?.headers.get("x-api-key")).toBe(KEY);
    expect(cloud.requests[0]?.headers.get("authorization")).toBeNull();
  });

  it.for(["", "two\nlines", {}, { apiKey: 1 }, { apiKey: "a", other: "b" }, null])(
    "%j is refused before a request",
    async (credential) => {
      const cloud = scriptedCloud();
      const outcome = await magaluProvider().read(cloud.context({ ...at, credential }), vpc);
      expect(outcome).toMatchObject({ kind: "failed", code: "invalid_credential" });
      expect(cloud.requests).toHaveLength(0);
    },
  );
});

describe("the region", () => {
  it("is the first segment of a path: the object's own, else the target's", async () => {
    const cloud = scriptedCloud(json({ id: "v-1" }), json({ id: "v-1" }));
    await magaluProvider().read(cloud.context(at), vpc);
    await magaluProvider().read(cloud.context(at), { ...vpc, properties: {} });
    expect(cloud.lines()).toEqual([
      "GET /br-ne1/network/v0/vpcs/v-1",
      "GET /br-se1/network/v0/vpcs/v-1",
    ]);
  });

  it.for(["br-se1/compute", "..", "", "br-se1\n"])(
    "%j is refused, as nothing else may stand there",
    async (region) => {
      const cloud = scriptedCloud();
      const call = { ...vpc, properties: { region } };
      expect(await magaluProvider().read(cloud.context(at), call)).toMatchObject({
        kind: "failed",
        code: expect.stringMatching(/^(missing|invalid)_path_value$/),
      });
      expect(cloud.requests).toHaveLength(0);
    },
  );
});

describe("verify", () => {
  const verify = (answer: Response) => magaluProvider().verify(scriptedCloud(answer).context(at));

  it("asks for the networks of the region", async () => {
    const cloud = scriptedCloud(json({ vpcs: [] }));
    expect(await magaluProvider().verify(cloud.context(at))).toEqual({ ok: true });
    expect(cloud.lines()).toEqual(["GET /br-se1/network/v0/vpcs"]);
  });

  it("says what is wrong with the key", async () => {
    expect(await verify(json(said("unauthorized", "No."), 401))).toMatchObject({
      ok: false,
      message: expect.stringContaining("API key is wrong"),
    });
    expect(await verify(json(said("forbidden", "No."), 403))).toMatchObject({
      ok: false,
      message: expect.stringContaining("Give the API key the scope"),
    });
    expect(await verify(json(said("unavailable", "No."), 503))).toMatchObject({ retryable: true });
  });

  it("knows the regions, and asks nothing of another", async () => {
    const cloud = scriptedCloud();
    const context = cloud.context({ credential: KEY, region: "eu-west-1" });
    expect(await magaluProvider().verify(context)).toMatchObject({
      ok: false,
      code: "unknown_region",
      message: expect.stringContaining("br-se1, br-ne1, br-mgl1"),
    });
    expect(cloud.requests).toHaveLength(0);
  });
});

describe("the account of a key", () => {
  async function accountOf(...answers: Json[]) {
    const asked: string[] = [];
    const account = await magaluDefinition().account?.(
      scriptedCloud().context(at),
      async ({ path }) => {
        asked.push(path);
        const answer = { status: 200, headers: new Headers(), json: answers.shift() ?? {} };
        return { ok: true, answer: { ...answer, ok: true } };
      },
    );
    return { account, asked };
  }

  it("is the tenant of its networks, or of its security groups", async () => {
    expect(await accountOf({ vpcs: [{ id: "v" }, { tenant_id: "t-1" }] })).toEqual({
      account: "t-1",
      asked: ["/{region}/network/v0/vpcs"],
    });
    const groups = { security_groups: [{ tenant_id: "t-2" }] };
    expect(await accountOf({ vpcs: [] }, groups)).toMatchObject({ account: "t-2" });
  });

  it("is not guessed", async () => {
    expect((await accountOf({ vpcs: [] }, { security_groups: [] })).account).toMatchObject({
      kind: "failed",
      code: "unknown_account",
      retryable: false,
    });
  });
});

describe("an error", () => {
  const read = (body: Json, status: number) =>
    magaluProvider().read(scriptedCloud(json(body, status)).context(at), vpc);

  it.for([
    [said("bad", "No such zone.")],
    [[said("bad", "No such zone.")]],
    [{ slug: "bad", detail: "No such zone." }],
    [{ slug: "bad", detail: [{ loc: ["body", "zone"], msg: "No such zone." }] }],
  ] as const)("is read from %j", async ([body]) => {
    expect(await read(body as unknown as Json, 400)).toMatchObject({
      code: "bad",
      message: expect.stringContaining("No such zone."),
    });
  });

  it("of a gateway that knows no such path does not mean that the object is gone", async () => {
    expect(await read(said("not_found", "Not Found"), 404)).toMatchObject({ kind: "gone" });
    expect(await read({ message: "no Route matched with those values" }, 404)).toMatchObject({
      kind: "failed",
      means: "invalid",
      message: expect.stringContaining("check the region"),
    });
    const page = new Response("<html>", { status: 404, headers: { "content-type": "text/html" } });
    const outcome = await magaluProvider().read(scriptedCloud(page).context(at), vpc);
    expect(outcome).toMatchObject({ kind: "failed", means: "invalid" });
  });
});

describe("a read", () => {
  it("of a machine asks for what is shown on request alone, in the version that shows it", async () => {
    const cloud = scriptedCloud(json({ id: "m-1", status: "completed", state: "running" }));
    await magaluProvider().read(cloud.context(at), {
      type: "magalu:Vm",
      id: "m-1",
      properties: {},
    });
    expect(cloud.lines()).toEqual([
      "GET /br-se1/compute/v1/instances/m-1?expand=network&expand=image&expand=machine-types",
    ]);
    expect(cloud.requests[0]?.headers.get("x-api-version")).toBe("1.1");
  });
});

describe("an address that the cloud makes for an object", () => {
  const deletedBy = async (type: string, properties: Record<string, Json>) => {
    const gone = () => json(said("not_found", "Not Found"), 404);
    const cloud = scriptedCloud(empty(), gone(), gone());
    const call = { type: `magalu:${type}`, id: "o-1", properties, token: "t" };
    await magaluProvider().delete(cloud.context(at), call);
    return cloud.lines()[0];
  };

  it("goes with it", async () => {
    expect(await deletedBy("Vm", { network: { associate_public_ip: true } })).toBe(
      "DELETE /br-se1/compute/v1/instances/o-1?delete_public_ip=true",
    );
    expect(await deletedBy("LoadBalancer", { visibility: "external" })).toContain(
      "?delete_public_ip=true",
    );
  });

  it("stays where the object has one of ours or none", async () => {
    expect(await deletedBy("Vm", { network: { associate_public_ip: false } })).not.toContain("?");
    const own = { visibility: "external", public_ip_id: "ip-1" };
    expect(await deletedBy("LoadBalancer", own)).not.toContain("?");
    expect(await deletedBy("LoadBalancer", { visibility: "internal" })).not.toContain("?");
  });
});

it("is a provider of 22 types", () => {
  expect(restProvider(magaluDefinition()).types()).toHaveLength(22);
});
