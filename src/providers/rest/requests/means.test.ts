import { describe, expect, it } from "vitest";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered, RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import {
  createCall,
  lookUpCall,
  pollCall,
  sampleProvider,
  updateCall,
} from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

const del = { type: "vultr:Thing", id: "t-1", properties: {}, token: "token-1" };
const read = { type: "vultr:Thing", id: "t-1", properties: {} };

/** Every refusal has this meaning. */
const meaning = (means: FailureMeaning): Partial<RestProviderDefinition> => ({
  readError: () => ({ code: "why", message: "because", means }),
});
/** A cloud whose codes say what its statuses do not. */
const byCode: Partial<RestProviderDefinition> = {
  readError: ({ json: body }) => {
    const code = isJsonMap(body) && typeof body["code"] === "string" ? body["code"] : "unsaid";
    const means: Record<string, FailureMeaning> = {
      NotAuthorizedOrNotFound: "denied",
      ResourceNotFoundException: "gone",
      LimitExceeded: "quota",
      Throttling: "throttled",
    };
    return { code, message: "because", ...(means[code] && { means: means[code] }) };
  },
};

describe("a 404 that hides a lost permission", () => {
  const hidden = () => json({ code: "NotAuthorizedOrNotFound" }, 404);
  const denied = { kind: "failed", means: "denied", retryable: false, fault: "user" };

  it("is no deleted object, for a read, an update and a delete", async () => {
    const provider = sampleProvider({}, byCode);
    expect(await provider.read(scriptedCloud(hidden()).context(), read)).toMatchObject(denied);
    expect(await provider.delete(scriptedCloud(hidden()).context(), del)).toMatchObject(denied);
    expect(await provider.update(scriptedCloud(hidden()).context(), updateCall())).toMatchObject(
      denied,
    );
  });

  it("keeps the id of an object that is being created", async () => {
    const cloud = scriptedCloud(hidden());
    const outcome = await sampleProvider({}, byCode).poll(cloud.context(), pollCall("create"));
    expect(outcome).toMatchObject({ ...denied, id: "t-1", unread: true });
  });
});

describe("a 404 that may hide an object, at a cloud whose lists tell", () => {
  const hidden = () => json({ code: "NotAuthorizedOrNotFound" }, 404);
  const listed = (...things: object[]) => json({ things } as JsonMap);
  const row: Partial<RestType> = {
    envelope: { list: "things" },
    state: { path: "state", gone: ["TERMINATED"] },
  };
  const provider = sampleProvider(row, { ...byCode, hides: ["NotAuthorizedOrNotFound"] });
  const denied = { kind: "failed", means: "denied" };

  it.each([
    ["gone, where the list lacks it", listed({ ...thing(), id: "t-2" }), { kind: "gone" }],
    [
      "gone, where the list has it as deleted",
      listed({ ...thing(), state: "TERMINATED" }),
      { kind: "gone" },
    ],
    ["denied, where the list has it", listed(thing()), denied],
    ["denied, where the list is hidden too", hidden(), denied],
    ["due again, where the list is no list", json({}), { kind: "failed", retryable: true }],
    [
      "due again, where the list is not shown now",
      json({ code: "TooManyRequests" }, 429),
      { kind: "failed", means: "throttled", retryable: true },
    ],
  ])("is %s", async (_, list, outcome) => {
    const cloud = scriptedCloud(hidden(), list);
    expect(await provider.read(cloud.context(), read)).toMatchObject(outcome);
    expect(cloud.lines()).toEqual(["GET /v1/things/t-1", "GET /v1/things"]);
  });

  it("is the word of the update where the object is there: it uses something that is not", async () => {
    const cloud = scriptedCloud(hidden(), json(thing()));
    expect(await provider.update(cloud.context(), updateCall())).toMatchObject(denied);
  });

  it("is of an object that is gone, where it can still be read as deleted", async () => {
    const dead = () => json({ ...thing(), state: "TERMINATED" });
    const updated = provider.update(scriptedCloud(hidden(), dead()).context(), updateCall());
    expect(await updated).toEqual({ kind: "gone" });
    const deleted = provider.delete(scriptedCloud(hidden(), dead()).context(), del);
    expect(await deleted).toMatchObject({ kind: "pending" });
  });

  it("is a delete that is looked at again, or denied", async () => {
    const gone = scriptedCloud(hidden(), hidden(), listed());
    expect(await provider.delete(gone.context(), del)).toMatchObject({ kind: "pending" });
    const lost = scriptedCloud(hidden(), hidden(), listed(thing()));
    expect(await provider.delete(lost.context(), del)).toMatchObject(denied);
    const later = json({ code: "TooManyRequests" }, 429);
    const unread = scriptedCloud(hidden(), hidden(), later);
    expect(await provider.delete(unread.context(), del)).toMatchObject({ retryable: true });
  });

  it("is waited for after a create, which lists may show before reads do", async () => {
    const cloud = () => scriptedCloud(hidden(), listed(thing()));
    const call = (sinceMs: number) => pollCall("create", { handle: { sinceMs } });
    const seen = await provider.poll(cloud().context(), call(1_000_000));
    expect(seen).toMatchObject({ kind: "pending", id: "t-1", note: "not visible yet" });
    const late = await provider.poll(cloud().context(), call(0));
    expect(late).toMatchObject({ ...denied, id: "t-1", unread: true });
  });
});

describe("an answer of Cloudflare in place of the cloud's", () => {
  it.each([520, 521, 522, 523, 524])("%i passes by itself", async (status) => {
    const provider = sampleProvider({});
    const outcome = await provider.read(scriptedCloud(empty(status)).context(), read);
    expect(outcome).toMatchObject({ retryable: true, unknownOutcome: false });
    const made = await provider.create(scriptedCloud(empty(status)).context(), createCall());
    expect(made).toMatchObject({ retryable: true, unknownOutcome: true });
  });
});

describe("a 400 that means that the object does not exist", () => {
  const missing = () => json({ code: "ResourceNotFoundException" }, 400);

  it("is gone, for a read, an update, a delete and the poll of a delete", async () => {
    const provider = sampleProvider({}, byCode);
    const gone = { kind: "gone" };
    expect(await provider.read(scriptedCloud(missing()).context(), read)).toEqual(gone);
    const cloud = scriptedCloud(...Array.from({ length: 4 }, missing));
    expect(await provider.update(cloud.context(), updateCall())).toEqual(gone);
    const deleted = await provider.delete(cloud.context(), del);
    if (deleted.kind !== "pending") throw new Error("It is looked at only once");
    const polled = pollCall("delete", { handle: deleted.handle });
    expect(await provider.poll(cloud.context(), polled)).toEqual(gone);
  });
});

describe("a meaning", () => {
  it.for([
    ["busy", true, "provider"],
    ["stale", true, "provider"],
    ["throttled", true, "provider"],
    ["denied", false, "user"],
    ["quota", false, "user"],
    ["invalid", false, "user"],
    ["gone", false, "provider"],
  ] as const)(
    "%s had no effect whatever its status is: retryable %j, fault of the %s",
    async ([means, retryable, fault]) => {
      const cloud = scriptedCloud(json({}, 503));
      const outcome = await sampleProvider({}, meaning(means)).create(
        cloud.context(),
        createCall(),
      );
      expect(outcome).toMatchObject({ means, retryable, fault, unknownOutcome: false });
    },
  );

  it("leaves it to the reader whether to repeat the call", async () => {
    const readError = () => ({ code: "w", message: "m", means: "quota", retryable: true }) as const;
    const cloud = scriptedCloud(json({}, 403));
    const outcome = await sampleProvider({}, { readError }).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ means: "quota", retryable: true, unknownOutcome: false });
  });
});

describe("a busy object", () => {
  const inUse = () => json({ code: "in_use", message: "has members" }, 409);
  const waits = { kind: "failed", means: "busy", retryable: true, unknownOutcome: false };

  it("has its delete, update and create repeated where the provider says so", async () => {
    const provider = sampleProvider({}, meaning("busy"));
    expect(await provider.delete(scriptedCloud(inUse()).context(), del)).toMatchObject(waits);
    expect(await provider.update(scriptedCloud(inUse()).context(), updateCall())).toMatchObject(
      waits,
    );
    const cloud = scriptedCloud(inUse());
    expect(await provider.create(cloud.context(), createCall())).toMatchObject(waits);
    expect(cloud.requests).toHaveLength(1);
  });

  it("is refused where the provider does not say so", async () => {
    const outcome = await sampleProvider().delete(scriptedCloud(inUse()).context(), del);
    expect(outcome).toMatchObject({ code: "in_use", retryable: false });
    expect(outcome).not.toHaveProperty("means");
  });
});

describe("what exists", () => {
  const row: Partial<RestType> = { find: { by: "name" }, envelope: { list: "things" } };
  const list = () => json({ things: [thing()] });

  it("leads to the look-up by what the provider says, not by the status", async () => {
    const cloud = scriptedCloud(json({}, 400), list(), json(thing()));
    const outcome = await sampleProvider(row, {
      readError: (_, { verb }) => ({
        code: "w",
        message: "m",
        ...(verb === "create" && { means: "exists" }),
      }),
    }).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("has no look-up for a 409 that means something else", async () => {
    const cloud = scriptedCloud(json({ code: "LimitExceeded" }, 409));
    const outcome = await sampleProvider(row, byCode).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ means: "quota", retryable: false });
    expect(cloud.requests).toHaveLength(1);
  });

  it("is of creates: a 409 of an update has no meaning of its own", async () => {
    const cloud = scriptedCloud(json({ code: "conflict" }, 409));
    const outcome = await sampleProvider(row).update(cloud.context(), updateCall());
    expect(outcome).toMatchObject({ code: "conflict", retryable: false });
    expect(outcome).not.toHaveProperty("means");
  });
});

it("tells the reader of errors which call of which type was refused", async () => {
  const seen: Answered[] = [];
  const provider = sampleProvider(
    { find: { by: "name" } },
    {
      readError: (_, of) => {
        seen.push(of);
        return { code: "no", message: "no" };
      },
      poller: { started: () => undefined, path: () => "/op", read: () => ({ state: "running" }) },
    },
  );
  const refusing = () => scriptedCloud(empty(500), empty(500)).context();
  await provider.create(refusing(), createCall());
  await provider.lookUp(refusing(), lookUpCall());
  await provider.read(refusing(), read);
  await provider.update(refusing(), updateCall());
  await provider.delete(refusing(), del);
  const handle = { sinceMs: 0, operation: "op" };
  await provider.poll(refusing(), pollCall("create", { handle }));
  await provider.poll(refusing(), pollCall("delete"));
  await provider.verify(refusing());
  const type = "vultr:Thing";
  expect(seen).toEqual([
    { verb: "create", type },
    { verb: "list", type },
    { verb: "read", type },
    { verb: "update", type },
    { verb: "delete", type },
    { verb: "poll", type },
    { verb: "read", type },
    { verb: "verify" },
  ]);
});
