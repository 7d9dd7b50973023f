/** Answers of Google Cloud, and calls, by which the provider could lose, take over or show what is not this service's. */
import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { googleError } from "#providers/gcp/meaning.ts";
import { gcpTypes } from "#providers/gcp/types.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { Answer } from "#providers/transport.ts";
import { GoogleCloud } from "#test/providers/gcp/google-cloud.ts";
import { addParents, parents, samples } from "#test/providers/gcp/samples.ts";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { untilFinal } from "#test/providers/type-cycle.ts";
import { partOf } from "#test/support/depth.ts";

const provider = gcpProvider();
const at = `projects/${PROJECT}`;

/** The cloud with other answers for what `answer` takes. */
function withAnswers(
  cloud: GoogleCloud,
  answer: (method: string, url: URL, body: Json) => Response | undefined,
): ProviderContext {
  return cloud.context({
    fetch: async (request) => {
      const url = new URL(request.url);
      const text = await request.clone().text();
      const body = text.startsWith("{") ? (JSON.parse(text) as Json) : null;
      return answer(request.method, url, body) ?? cloud.fetch(request);
    },
  });
}

const error = (status: number, message: string, name = "NOT_FOUND"): Response =>
  Response.json({ error: { code: status, message, status: name } }, { status });

describe("attack: a 404 of lost permission makes a living object gone", () => {
  it.each([
    // Pub/Sub, of a project that the identity no longer sees.
    "Requested project not found or user does not have access to it (project=shop-project). Make sure to specify the unique project identifier and not the Google Cloud Console display name.",
    "The requested project was not found.",
    "Project 'projects/shop-project' not found or deleted.",
    "Resource 'projects/shop-project/topics/base' was not found, or the caller does not have permission to access it.",
  ])("%s", async (message) => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const context = withAnswers(cloud, (_, url) =>
      url.hostname.startsWith("pubsub") ? error(404, message) : undefined,
    );
    const call = { type: "gcp:pubsub/Topic", id: parents.topic, properties: {} };
    const read = await provider.read(context, call);
    expect(read.kind).toBe("failed");
    expect(cloud.living("pubsub/Topic")).toHaveLength(1);
  });

  it("of a page that is not Google's API (a front end, a gateway), at a read and at a delete", async () => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const page = () =>
      new Response("<html><title>Error 404 (Not Found)!!1</title></html>", {
        status: 404,
        headers: { "content-type": "text/html" },
      });
    const context = withAnswers(cloud, (_, url) =>
      url.hostname.startsWith("pubsub") ? page() : undefined,
    );
    const call = { type: "gcp:pubsub/Topic", id: parents.topic, properties: {}, name: "n" };
    expect((await provider.read(context, call)).kind).toBe("failed");
    const deleted = await provider.delete(context, { ...call, token: "t" });
    if (deleted.kind !== "pending") throw new Error(deleted.kind);
    const polled = await provider.poll(context, {
      ...call,
      verb: "delete",
      handle: deleted.handle,
    });
    // It is looked at again, until the time of the delete is over.
    expect(polled.kind).toBe("pending");
    expect(cloud.living("pubsub/Topic")).toHaveLength(1);
  });
});

describe("attack: rights of others", () => {
  const type = "gcp:secretmanager/SecretIamMember";
  const role = "roles/secretmanager.secretAccessor";
  const key = `secretmanager /v1/${parents.secret}`;
  const pool = `principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/subject`;
  const scene = (...bindings: JsonMap[]) => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    cloud.policies.set(key, { version: 3, etag: "BwX1", bindings });
    return cloud;
  };
  const bindingsOf = (cloud: GoogleCloud): Json | undefined =>
    cloud.policies.get(key)?.["bindings"];

  it("a subject that differs in case alone is another's: its right is not taken away with ours", async () => {
    const [ours, theirs] = [`${pool}/Build`, `${pool}/build`];
    const cloud = scene({ role, members: [ours, theirs] });
    const call = { type, id: `${parents.secret} ${role} ${ours}`, properties: {}, token: "t" };
    expect(await provider.delete(cloud.context(), call)).toEqual({ kind: "gone" });
    expect(bindingsOf(cloud)).toEqual([{ role, members: [theirs] }]);
  });

  it("a service account of Kubernetes that differs in case alone too", async () => {
    const [ours, theirs] = [
      `serviceAccount:p.svc.id.goog[A/b]`,
      `serviceAccount:p.svc.id.goog[a/b]`,
    ];
    const cloud = scene({ role, members: [theirs] });
    const call = { type, id: `${parents.secret} ${role} ${ours}`, properties: {} };
    expect(await provider.read(cloud.context(), call)).toEqual({ kind: "gone" });
  });

  it("one right has one id, whatever the case of an address", async () => {
    const cloud = scene({ role, members: ["user:bob@example.com"] });
    const read = await provider.read(cloud.context(), {
      type,
      id: `${parents.secret} ${role} user:BOB@example.com`,
      properties: {},
    });
    expect(read).toMatchObject({ kind: "failed", code: "other_id" });
  });

  it("a right that a person gave long ago is not adopted after a kill before the first request", async () => {
    const member = "user:person@example.com";
    const cloud = scene({ role, members: [member] });
    const properties = { secret: parents.secret, role, member };
    const create = { type, name: "n", properties, token: "t" };
    expect(await provider.create(cloud.context(), create)).toMatchObject({
      code: "already_exists",
    });
    // The runner was killed after it journaled the intent, and before the request was sent: it looks.
    const looked = await provider.lookUp(cloud.context(), {
      ...create,
      known: [],
      sentMs: Date.now(),
    });
    expect(looked).toMatchObject({ kind: "failed", code: "cannot_tell" });
  });

  it("held: a condition is not lost, and a policy is not written without an etag", async () => {
    const conditional = { role, members: ["user:x@example.com"], condition: { title: "t" } };
    const cloud = scene(conditional);
    const member = "user:x@example.com";
    const properties = { secret: parents.secret, role, member };
    const create = { type, name: "n", properties, token: "t" };
    const looked = await provider.create(cloud.context(), create);
    expect(
      await untilFinal(provider, cloud.context(), looked, { ...create, verb: "create" }),
    ).toMatchObject({ kind: "done" });
    expect(bindingsOf(cloud)).toEqual([conditional, { role, members: [member] }]);
    cloud.policies.set(key, { version: 3, bindings: [] });
    expect(
      await provider.create(cloud.context(), { type, name: "n", properties, token: "t" }),
    ).toMatchObject({ kind: "failed", code: "invalid_answer" });
  });
});

describe("attack: objects of others", () => {
  it("a bucket of a stranger at the engine's name is not adopted without our label", async () => {
    const cloud = new GoogleCloud();
    const name = "shop-files-x7k2m9";
    // Names of buckets are global: this one is in the stranger's own project, and open to all.
    cloud.put("storage/Bucket", `b/${name}`, { name, location: "EU" });
    const call = { type: "gcp:storage/Bucket", name, properties: { location: "EU" }, token: "t" };
    expect((await provider.create(cloud.context(), call)).kind).toBe("failed");
    const looked = await provider.lookUp(cloud.context(), {
      ...call,
      known: [],
      sentMs: Date.now(),
    });
    expect(looked.kind).not.toBe("done");
  });

  it("a bucket in another project is not read, changed or deleted by its name", async () => {
    const cloud = new GoogleCloud();
    cloud.put("storage/Bucket", "b/their-bucket", { name: "their-bucket", projectNumber: "999" });
    const call = { type: "gcp:storage/Bucket", id: "their-bucket", properties: {}, token: "t" };
    expect((await provider.delete(cloud.context(), call)).kind).toBe("failed");
    expect(cloud.living()).toHaveLength(1);
  });

  it("a secret in a template's own project keeps that project in its id", async () => {
    const cloud = new GoogleCloud();
    const shown = { name: "projects/777/secrets/s", createTime: new Date().toISOString() };
    const context = withAnswers(cloud, (method, url) =>
      url.hostname.startsWith("secretmanager") && url.pathname.includes("/other-project/")
        ? Response.json(method === "GET" || method === "POST" ? shown : {})
        : undefined,
    );
    const properties = { project: "other-project", name: "s", replication: { automatic: {} } };
    const call = { type: "gcp:secretmanager/Secret", name: "s", properties, token: "t" };
    const made = await provider.create(context, call);
    expect(made).toMatchObject({ kind: "done", id: "projects/other-project/secrets/s" });
  });

  it("a reference that was moved to another project's object of that name is shown as drift", async () => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const properties = {
      name: "base",
      replication: { automatic: {} },
      topics: [{ name: `${at}/topics/base` }],
    };
    const context = withAnswers(cloud, (_, url) =>
      url.hostname.startsWith("secretmanager")
        ? Response.json({
            name: "projects/123456789012/secrets/base",
            replication: { automatic: {} },
            topics: [{ name: "projects/666/topics/base" }],
          })
        : undefined,
    );
    const read = await provider.read(context, {
      type: "gcp:secretmanager/Secret",
      id: parents.secret,
      properties,
    });
    expect(read).toMatchObject({ outputs: { topics: [{ name: "projects/666/topics/base" }] } });
  });

  it("a network of another project with the short name that the template has is shown as drift", async () => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const context = withAnswers(cloud, (_, url) =>
      url.pathname.endsWith("/subnetworks/base")
        ? Response.json({
            name: "base",
            selfLink: `https://www.googleapis.com/compute/v1/${parents.subnetwork}`,
            network: "https://www.googleapis.com/compute/v1/projects/evil/global/networks/default",
          })
        : undefined,
    );
    const read = await provider.read(context, {
      type: "gcp:compute/Subnetwork",
      id: parents.subnetwork,
      properties: { name: "base", region: REGION, network: "global/networks/default" },
    });
    expect(JSON.stringify(read)).toContain("evil");
  });

  it("a value in capitals is not the value in small letters", async () => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const context = withAnswers(cloud, (_, url) =>
      url.pathname.endsWith("/disks/d")
        ? Response.json({ name: "d", status: "READY", description: "ABC", labels: { team: "RED" } })
        : undefined,
    );
    const read = await provider.read(context, {
      type: "gcp:compute/Disk",
      id: `${at}/zones/${ZONE}/disks/d`,
      properties: { name: "d", zone: ZONE, description: "abc", labels: { team: "red" } },
    });
    expect(read).toMatchObject({ outputs: { description: "ABC" } });
  });
});

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
  for (const type of partOf(byTime, 3)) {
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

it("attack: a message that keeps the Worker busy (patterns of meaning.ts)", () => {
  const message = "operation ".repeat(10_000);
  const answer = {
    ok: true,
    status: 400,
    headers: new Headers(),
    json: { error: { code: 400, status: "FAILED_PRECONDITION", message } },
  } as unknown as Answer;
  const from = performance.now();
  googleError(answer, { verb: "update" });
  expect(performance.now() - from).toBeLessThan(1_000);
}, 120_000);

it.each(["latest", "01", "1.0"])(
  "held: a version of a secret is not read under another spelling (%s)",
  async (alias) => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    cloud.put("secretmanager/SecretVersion", `${parents.secret}/versions/1`, { payload: {} });
    const context = cloud.context({
      fetch: (request) => {
        const url = new URL(request.url);
        url.pathname = url.pathname.replace(`/versions/${alias}`, "/versions/1");
        return cloud.fetch(new Request(url, request));
      },
    });
    const id = `${parents.secret}/versions/${alias}`;
    const call = { type: "gcp:secretmanager/SecretVersion", id, properties: {} };
    expect(await provider.read(context, call)).toMatchObject({ kind: "failed", code: "other_id" });
  },
);

it.each([
  [400, "invalid_grant", "Invalid value for client_email: robot@shop-project and SECRET"],
  [500, "internal", "SECRET"],
])(
  "held: the tokens of both exchanges are in no error, also when Google quotes them (%i %s)",
  async (status, code, words) => {
    const cloud = new GoogleCloud();
    addParents(cloud);
    const token = `eyJhbGciOiJSUzI1NiJ9.${"canary".repeat(20)}.sig`;
    const told: unknown[] = [];
    for (const host of ["sts", "iamcredentials", "secretmanager"]) {
      const context = cloud.context({
        credential: null,
        targetId: crypto.randomUUID(),
        config: {
          project: PROJECT,
          workloadIdentityProvider:
            "projects/123456789012/locations/global/workloadIdentityPools/control/providers/control",
          serviceAccount: `deployer@${PROJECT}.iam.gserviceaccount.com`,
        },
        identityToken: async () => token,
        fetch: async (request) => {
          const url = new URL(request.url);
          if (!url.hostname.startsWith(`${host}.`)) return cloud.fetch(request);
          const seen = [token, request.headers.get("authorization") ?? "", ...cloud.tokens].join(
            " ",
          );
          const message = words.replace("SECRET", seen);
          return Response.json(
            host === "sts"
              ? { error: code, error_description: message }
              : { error: { code: status, status: "INTERNAL", message } },
            { status },
          );
        },
      });
      told.push(
        await provider.read(context, {
          type: "gcp:secretmanager/Secret",
          id: parents.secret,
          properties: {},
        }),
      );
      for (const one of cloud.tokens.filter(
        (each) => host !== "secretmanager" || each.includes("account"),
      ))
        expect(JSON.stringify(told), host).not.toContain(one);
      expect(JSON.stringify(told)).not.toContain("canarycanary");
    }
  },
);
