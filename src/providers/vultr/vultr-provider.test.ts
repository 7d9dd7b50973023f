import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { Outcome } from "#providers/provider.ts";
import type { RequestResult, RequestSpec } from "#providers/rest/definition.ts";
import { empty, json, type ScriptedAnswer, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { vultrDefinition, vultrProvider } from "./vultr-provider.ts";

const credential = "KEY0123456789";
const vpc = { type: "vultr:Vpc", id: "v-1", properties: {} };
const said = (status: number, error: string): Response => json({ error, status }, status);
const WRONG_ADDRESS = "Unauthorized IP address: 192.0.2.99";

/** What `act` asks of a cloud with these answers, and how it ends. */
async function asked<T>(
  answers: ScriptedAnswer[],
  act: (context: ReturnType<ReturnType<typeof scriptedCloud>["context"]>) => Promise<T>,
) {
  const cloud = scriptedCloud(...answers);
  return { outcome: await act(cloud.context({ credential })), cloud };
}

describe("the credential", () => {
  it.for(["KEY", { apiKey: "KEY" }])("%j is sent as a bearer token", async (given) => {
    const cloud = scriptedCloud(json({ vpc: { id: "v-1" } }));
    await vultrProvider().read(cloud.context({ credential: given }), vpc);
    expect(cloud.requests[0]?.headers.get("authorization")).toBe("Bearer KEY");
  });

  it.for(["", "two\nlines", "a b", {}, { apiKey: 1 }, { apiKey: "a", other: "b" }, null])(
    "%j is refused before a request",
    async (given) => {
      const cloud = scriptedCloud();
      const outcome = await vultrProvider().read(cloud.context({ credential: given }), vpc);
      expect(outcome).toMatchObject({ kind: "failed", code: "invalid_credential" });
      expect(cloud.requests).toHaveLength(0);
    },
  );
});

describe("verify", () => {
  const verify = async (answer: Response) =>
    (await asked([answer], (context) => vultrProvider().verify(context))).outcome;

  it("asks for the account", async () => {
    const { outcome, cloud } = await asked([json({ account: { email: "a" } })], (context) =>
      vultrProvider().verify(context),
    );
    expect(outcome).toEqual({ ok: true });
    expect(cloud.lines()).toEqual(["GET /v2/account"]);
  });

  it("tells a key that is wrong from one that is not let in from here", async () => {
    expect(await verify(said(401, "Invalid API token."))).toMatchObject({
      ok: false,
      retryable: false,
      message: expect.stringContaining("The API key is wrong"),
      hint: expect.stringContaining("does not accept the credential"),
    });
    for (const status of [401, 403])
      expect(await verify(said(status, WRONG_ADDRESS))).toMatchObject({
        ok: false,
        retryable: false,
        message: expect.stringMatching(/192\.0\.2\.99.*access control/),
        hint: expect.stringContaining("access control"),
      });
    expect(await verify(said(403, "No."))).toMatchObject({ ok: false, means: "denied" });
    expect(await verify(said(429, "Too many."))).toMatchObject({ ok: false, retryable: true });
    expect(await verify(said(500, "Oh."))).toMatchObject({ ok: false, retryable: true });
  });
});

describe("the account", () => {
  const accountBy = async (...answers: Response[]) => {
    const cloud = scriptedCloud(...answers);
    const request = async ({ method, path }: RequestSpec): Promise<RequestResult> => {
      const response = await cloud
        .context()
        .fetch(new Request(`https://x.invalid${path}`, { method }));
      const body = (await response.json()) as JsonMap;
      const answer = {
        ok: true as const,
        status: response.status,
        headers: new Headers(),
        json: body,
      };
      return { ok: true, answer };
    };
    return vultrDefinition().account?.(cloud.context({ credential }), request);
  };

  it("is the address of its user", async () => {
    const account = { name: "A", email: "Ops@shop.example" };
    expect(await accountBy(json({ account }))).toBe("ops@shop.example");
  });

  it("is unknown where the answer does not say it", async () => {
    for (const body of [{}, { account: {} }, { account: { email: "" } }])
      expect(await accountBy(json(body))).toMatchObject({ kind: "failed", retryable: true });
  });
});

describe("an answer", () => {
  const read = async (...answers: ScriptedAnswer[]) =>
    asked(answers, (context) => vultrProvider().read(context, vpc));

  it("says that the key is not let in from here, and never that an object is gone", async () => {
    for (const answer of [said(401, WRONG_ADDRESS), said(403, "No."), empty(404)])
      expect((await read(answer)).outcome).toMatchObject({ kind: "failed", means: "denied" });
  });

  it("by 404 is of an object that is gone, if Vultr says so", async () => {
    expect((await read(said(404, "Invalid VPC."))).outcome).toMatchObject({ kind: "gone" });
  });

  it("that an id is wrong is of an object that is gone if no list has it", async () => {
    const meta = { total: 1, links: { next: "", prev: "" } };
    const wrong = (): Response => said(400, "Invalid VPC ID.");
    const other = await read(wrong(), json({ vpcs: [{ id: "v-2" }], meta }));
    expect(other.outcome).toMatchObject({ kind: "gone" });
    expect(other.cloud.lines()).toEqual(["GET /v2/vpcs/v-1", "GET /v2/vpcs?per_page=500"]);
    const same = await read(wrong(), json({ vpcs: [{ id: "v-1" }], meta }));
    expect(same.outcome).toMatchObject({ kind: "failed", means: "denied" });
  });

  it("that there were too many calls waits for a second, or as long as it says", async () => {
    expect((await read(said(429, "Slow down."))).outcome).toMatchObject({
      means: "throttled",
      retryable: true,
      afterMs: 1_000,
    });
    const told = json({ error: "Slow down.", status: 429 }, 429, { "retry-after": "7" });
    expect((await read(told)).outcome).toMatchObject({ afterMs: 7_000 });
  });
});

it("reads a list by cursors, which are no addresses", async () => {
  const page = (ids: string[], next: string): Response =>
    json({
      vpcs: ids.map((id) => ({ id, description: "other", region: "ewr" })),
      meta: { total: 3, links: { next, prev: "" } },
    });
  const call = {
    type: "vultr:Vpc",
    name: "net",
    properties: { description: "net", region: "ewr" },
    token: "t",
    known: [],
    sentMs: 1_000_000,
  };
  const { outcome, cloud } = await asked(
    [page(["a"], "bmV4dF9fMTIzNDU2Nzg="), page(["b"], "https://evil.example/"), page(["c"], "")],
    (context) => vultrProvider().lookUp(context, call),
  );
  expect(outcome).toMatchObject({ kind: "gone" });
  expect(cloud.lines()).toEqual([
    "GET /v2/vpcs?per_page=500",
    "GET /v2/vpcs?per_page=500&cursor=bmV4dF9fMTIzNDU2Nzg%3D",
    "GET /v2/vpcs?per_page=500&cursor=https%3A%2F%2Fevil.example%2F",
  ]);
});

describe("an instance", () => {
  const properties = { region: "ewr", plan: "vc2-1c-1gb", os_id: 1, label: "web" };
  const shown = (more: JsonMap = {}): JsonMap => ({
    id: "i-1",
    ...properties,
    status: "active",
    power_status: "running",
    server_status: "ok",
    features: [],
    ...more,
  });
  const create = (
    body: JsonMap,
    more: JsonMap = {},
  ): Promise<{ outcome: Outcome; sent: unknown }> =>
    asked([json({ instance: body }, 202)], (context) =>
      vultrProvider().create(context, {
        type: "vultr:Instance",
        name: "web",
        properties: { ...properties, ...more },
        token: "t-1",
      }),
    ).then(({ outcome, cloud }) => ({ outcome, sent: cloud.requests[0]?.body }));
  const update = (properties_: JsonMap, ...answers: ScriptedAnswer[]) =>
    asked(answers, (context) =>
      vultrProvider().update(context, {
        type: "vultr:Instance",
        id: "i-1",
        name: "web",
        before: properties,
        properties: { ...properties, ...properties_ },
        token: "t-1",
      }),
    );

  it("is usable once it is installed, not when it is paid for", async () => {
    for (const waits of [
      { status: "pending", server_status: "none" },
      { server_status: "none" },
      { server_status: "installingbooting" },
      { server_status: "locked" },
    ])
      expect((await create(shown(waits))).outcome, JSON.stringify(waits)).toMatchObject({
        kind: "pending",
        id: "i-1",
      });
    const up = { main_ip: "192.0.2.1", v6_main_ip: "2001:db8::1" };
    expect((await create(shown(up))).outcome).toMatchObject({ kind: "done", outputs: up });
    const off = { server_status: "none", power_status: "stopped" };
    expect((await create(shown(off))).outcome).toMatchObject({ kind: "done" });
    expect((await create(shown({ status: "suspended" }))).outcome).toMatchObject({
      kind: "failed",
      id: "i-1",
    });
  });

  it("carries a mark among its tags, which outputs do not show", async () => {
    const { sent } = await create(shown(), { tags: ["web"] });
    expect(sent).toEqual({ ...properties, tags: ["web", "control:t-1"] });
    const { outcome } = await create(shown({ tags: ["web", "control:t-1"] }));
    expect(outcome).toMatchObject({ outputs: { tags: ["web"] } });
  });

  it("gets IPv6 by a call of its own, once", async () => {
    const instance = shown({ features: ["ipv6"] });
    const without = shown();
    const { cloud } = await update(
      { enable_ipv6: true },
      ...[without, without, instance, instance, instance].map((one) => json({ instance: one })),
    );
    expect(cloud.lines().filter((line) => line.startsWith("PATCH"))).toHaveLength(1);
    const again = await update({ enable_ipv6: true }, ...[1, 2].map(() => json({ instance })));
    expect(again.cloud.lines().filter((line) => line.startsWith("PATCH"))).toHaveLength(0);
  });

  it("never gets a smaller plan, and the error says the way on", async () => {
    const refused = said(400, "Invalid plan: downgrades are not possible");
    const { outcome, cloud } = await update({ plan: "vc2-1c-0.5gb" }, refused);
    expect(cloud.requests[0]).toMatchObject({ method: "PATCH", body: { plan: "vc2-1c-0.5gb" } });
    expect(outcome).toMatchObject({
      kind: "failed",
      retryable: false,
      message: expect.stringContaining("replaceOnChanges: [plan]"),
    });
  });

  it("takes its user data as base64, and says so of plain text", async () => {
    const refused = said(400, "user_data must be base64 encoded");
    const { outcome } = await asked([refused], (context) =>
      vultrProvider().create(context, {
        type: "vultr:Instance",
        name: "web",
        properties: { ...properties, user_data: "#cloud-config" },
        token: "t-1",
      }),
    );
    expect(outcome).toMatchObject({ message: expect.stringContaining("fn::toBase64") });
  });

  it("gives up its firewall and its tags by values, not by nulls", async () => {
    const before = { ...properties, firewall_group_id: "f-1", tags: ["a"] };
    const object = json({ instance: shown({ tags: ["a", "control:t-0"] }) });
    const done = json({ instance: shown() }, 202);
    const { cloud } = await asked([object, done], (context) =>
      vultrProvider().update(context, {
        type: "vultr:Instance",
        id: "i-1",
        name: "web",
        before,
        properties,
        token: "t-1",
      }),
    );
    expect(cloud.requests.at(-1)?.body).toEqual({
      firewall_group_id: "",
      tags: ["control:t-0"],
    });
  });
});

it("detaches a volume, whoever attached it, before it deletes that", async () => {
  const shown = (attached_to_instance: string) =>
    json({ block: { id: "b-1", status: "active", attached_to_instance } });
  const cloud = scriptedCloud(shown("i-9"), shown("i-9"), empty(), shown(""), shown(""), empty());
  const call = { type: "vultr:Block", id: "b-1", properties: {}, token: "t" };
  await vultrProvider().delete(cloud.context({ credential: "key" }), call);
  expect(cloud.lines().filter((line) => !line.startsWith("GET"))).toEqual([
    "POST /v2/blocks/b-1/detach",
    "DELETE /v2/blocks/b-1",
  ]);
});
