import { runInDurableObject } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { logOf } from "#areas/deployments/read-log.ts";
import { firstIdAt } from "#platform/ids.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { runnerOf, start } from "#test/support/runner.ts";

const source = `name: log
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net } }
  app: { type: mock:Server, properties: { name: app, net: "\${net.id}" } }
`;

interface Sent {
  id?: string;
  event?: string;
  data?: string;
}

describe.concurrent("a deployment's log", () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
  });

  /** Follows the log. `enough` ends it early, like a broken connection. */
  const follow = async (
    deploymentId: string,
    lastEventId?: string,
    enough: (sent: Sent) => boolean | Promise<boolean> = () => false,
  ): Promise<Sent[]> => {
    const response = await exports.default.fetch(
      new Request(`https://control.test/api/v1/deployments/${deploymentId}/log`, {
        headers: {
          authorization: `Bearer ${tenant.key}`,
          accept: "text/event-stream",
          ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
        },
      }),
    );
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = (response.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    const all: Sent[] = [];
    let text = "";
    for (;;) {
      const next = await reader.read();
      if (next.done) return all;
      text += next.value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        if (block.startsWith(":")) continue;
        const sent = Object.fromEntries(
          block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)),
        ) as Sent;
        all.push(sent);
        if (!(await enough(sent))) continue;
        await reader.cancel();
        return all;
      }
    }
  };
  const pages = async (deploymentId: string, limit: number) => {
    const entries: { seq: number; message: string }[] = [];
    let cursor = "";
    for (let page = 0; page < 50; page += 1) {
      const read = await tenant.get(`/deployments/${deploymentId}/log?limit=${limit}${cursor}`);
      expect(read.status, read.text).toBe(200);
      entries.push(...read.body.data);
      if (read.body.nextCursor === null) return entries;
      cursor = `&cursor=${read.body.nextCursor}`;
    }
    throw new Error("The log has no end");
  };
  const make = async (readyAfterMs: number): Promise<string> =>
    makeInstance(tenant, templateId, await makeTarget(tenant, { readyAfterMs }));

  it("streams from before the run starts to `event: end`, with the same ids as the pages", async () => {
    const deploymentId = await start(tenant, await make(100));
    let whileItRan = 0;
    const sent = await follow(deploymentId, undefined, async () => {
      if ((await tenant.get(`/deployments/${deploymentId}`)).body.state === "APPLYING")
        whileItRan += 1;
      return false;
    });
    expect(whileItRan).toBeGreaterThan(2);
    expect(sent.at(-1)).toEqual({ event: "end", data: "{}" });
    const entries = sent.slice(0, -1);
    await untilOver(tenant, deploymentId);
    const whole = await pages(deploymentId, 100);
    expect(entries.map(({ id }) => Number(id))).toEqual(whole.map(({ seq }) => seq));
    expect(entries.map(({ data }) => JSON.parse(data ?? ""))).toEqual(whole);
    expect(whole.at(-1)?.message).toBe("Succeeded.");
  });

  it("resumes exactly after Last-Event-ID, wherever the connection broke", async () => {
    const deploymentId = await start(tenant, await make(50));
    const got: Sent[] = [];
    for (let connections = 0; connections < 100; connections += 1) {
      const sent = await follow(deploymentId, got.at(-1)?.id, () => true);
      got.push(...sent);
      if (sent.at(-1)?.event === "end") break;
    }
    expect(got.at(-1)?.event).toBe("end");
    await untilOver(tenant, deploymentId);
    expect(got.slice(0, -1).map(({ id }) => Number(id))).toEqual(
      (await pages(deploymentId, 100)).map(({ seq }) => seq),
    );
  });

  it("is the same for every page size", async () => {
    const { body } = await run(tenant, await make(0), "deploy");
    const whole = await pages(body.id, 100);
    expect(whole.length).toBeGreaterThan(6);
    for (const limit of [1, 2, whole.length, whole.length + 1])
      if (limit <= 100) expect(await pages(body.id, limit)).toEqual(whole);
  });

  it("contains only the deployment's own lines", async () => {
    const instanceId = await make(0);
    const first = await run(tenant, instanceId, "deploy");
    const before = await pages(first.body.id, 100);
    const second = await run(tenant, instanceId, "destroy");
    expect(await pages(first.body.id, 100)).toEqual(before);
    const messages = (await pages(second.body.id, 100)).map(({ message }) => message);
    expect(messages.at(-1)).toBe("Destroyed.");
    expect(messages.filter((message) => message.startsWith("Creating"))).toEqual([]);
  });

  it("of a deployment that was canceled before it started ends at once", async () => {
    const instanceId = await make(300);
    const first = await start(tenant, instanceId);
    const second = await start(tenant, instanceId);
    expect((await tenant.post(`/deployments/${second}/cancel`)).body.state).toBe("CANCELED");
    expect(await follow(second)).toEqual([{ event: "end", data: "{}" }]);
    await untilOver(tenant, first);
  });

  it("is pruned after thirty days, a bounded amount at a time, and says so", async () => {
    const instanceId = await make(0);
    const first = await run(tenant, instanceId, "deploy");
    await runInDurableObject(runnerOf(instanceId), (_, { storage }) => {
      // Old runs, an hour apart, more than the newest fifty.
      for (let n = 1; n <= 60; n += 1) {
        const id = `${firstIdAt(Date.parse(first.body.createdAt) - n * 3_600_000)}-7000-8000-000000000000`;
        storage.sql.exec(
          "INSERT INTO runs SELECT ?, tenant_id, instance_id, 'closed', 0, 0, NULL, 0, NULL, NULL FROM runs LIMIT 1",
          id,
        );
        storage.sql.exec(
          `INSERT INTO journal VALUES (?, 1, 0, NULL, NULL, '{"kind":"note","level":"info","message":"old"}')`,
          id,
        );
      }
    });
    const kept = async (): Promise<[number, number]> =>
      runInDurableObject(runnerOf(instanceId), (_, { storage }) => [
        storage.sql.exec("SELECT 1 FROM runs").toArray().length,
        storage.sql.exec("SELECT DISTINCT deployment_id FROM journal").toArray().length,
      ]);
    await run(tenant, instanceId, "plan");
    expect((await kept())[0]).toBeGreaterThanOrEqual(50);
    await vi.waitFor(async () => {
      await runnerOf(instanceId).wake();
      expect(await kept()).toEqual([50, 50]);
    }, 10_000);
    expect((await tenant.get(`/deployments/${first.body.id}/log`)).body.pruned).toBe(false);
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      runner.now = () => Date.now() + 31 * 86_400_000;
    });
    await vi.waitFor(async () => {
      await runnerOf(instanceId).wake();
      const log = await tenant.get(`/deployments/${first.body.id}/log`);
      expect(log.body).toEqual({ data: [], nextCursor: null, pruned: true });
    }, 10_000);
    expect(await follow(first.body.id)).toEqual([{ event: "end", data: '{"pruned":true}' }]);
  });

  it("can be followed as lines of text", async () => {
    const targetId = await makeTarget(tenant);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const started = await start(tenant, instanceId, "deploy");
    const log = await tenant.get(`/deployments/${started}/log`, { accept: "text/plain" });
    const lines = log.text.trimEnd().split("\n");
    const { body } = await tenant.get(`/deployments/${started}/log`);
    expect(lines).toHaveLength(body.data.length);
    expect(lines[0]).toBe(`${body.data[0].at} ${body.data[0].message}`);
    const after = body.data[1].seq;
    const rest = await tenant.get(`/deployments/${started}/log?cursor=${after}`, {
      accept: "text/plain",
    });
    expect(rest.text.trimEnd().split("\n")).toEqual(lines.slice(2));
  });

  it("has lines that a cloud's words cannot break or colour", () => {
    const message = "Creating net failed: \u001B[31mred\u001B[0m\nand\u2028\u0007more.";
    const { line } = logOf("d");
    expect(line?.({ at: "2026-01-01T00:00:00.000Z", level: "warn", message })).toBe(
      "2026-01-01T00:00:00.000Z WARN Creating net failed:  [31mred [0m and more.",
    );
  });
});
