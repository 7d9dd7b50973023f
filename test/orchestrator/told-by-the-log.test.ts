/** What the log says about replacements and interruptions. */
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { letBecomeReady } from "#test/support/let-become-ready.ts";
import { messagesOf, runnerOf, start, until, watchCommits } from "#test/support/runner.ts";

/** The 28 s by which the clocks below are set forward, and the time of the restart itself. */
const INTERRUPTED = /^The service was interrupted for (2[89]|3\d) s; resumed from the journal\.$/;

describe.concurrent("the log of a deployment", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeUnlimitedTenant();
  });
  const make = async (source: string, config = {}) => {
    const templateId = await makeTemplate(tenant, source);
    const targetId = await makeTarget(tenant, config);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    return { templateId, targetId, instanceId };
  };
  const deploy = async (instanceId: string): Promise<string[]> => {
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
    return messagesOf(tenant, body.id);
  };

  it("says which objects are replaced, and why", async () => {
    const of = (image: string, engine: string, tag: string) => `resources:
  app: { type: mock:Server, properties: { name: app, image: ${image}, size: ${image} } }
  box: { type: mock:Bucket, properties: { name: box, tag: ${tag} }, options: { replaceOnChanges: [tag] } }
  db:
    type: mock:Database
    properties: { name: db, engine: ${engine} }
    options: { deleteBeforeReplace: true }
`;
    const { templateId, instanceId } = await make(of("v1", "pg", "x"));
    const first = await deploy(instanceId);
    expect(first.filter((line) => /replac/i.test(line))).toEqual([]);
    expect(first).toContain("Creating app.");
    await addVersion(tenant, instanceId, templateId, of("v2", "mysql", "y"));
    const second = await deploy(instanceId);
    expect(second).toContain("Replacing app: image cannot be changed in place.");
    expect(second).toContain("Replacing box: tag changed, which `replaceOnChanges` names.");
    expect(second).toContain("Deleting db to replace it: engine cannot be changed in place.");
    expect(second).toContain("Creating db.");
    expect(second.filter((line) => /^(Replacing|Deleting .* to replace)/.test(line))).toHaveLength(
      3,
    );
  });

  it("says why an object that was not created to the end is replaced", async () => {
    const { instanceId } = await make(
      "resources: { app: { type: mock:Server, properties: { name: app } } }\n",
      { faults: [{ kind: "servers", on: "create", effect: "fails" }] },
    );
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.error.code).toBe("resource_failed");
    const again = await run(tenant, instanceId, "deploy");
    expect(await messagesOf(tenant, again.body.id)).toContain(
      "Replacing app: its object was not created to the end.",
    );
  });

  it("says how long the service was interrupted, at whatever moment of the work", async () => {
    const source = "resources: { box: { type: mock:Bucket, properties: { name: box } } }\n";
    const whole = await make(source);
    const seen = await watchCommits(whole.instanceId);
    expect((await deploy(whole.instanceId)).join("\n")).not.toContain("interrupted");

    const stoppedAfter: Record<string, number> = {};
    for (let commit = 1; commit <= seen.commits; commit += 1) {
      const { instanceId } = await make(source);
      const crash = await watchCommits(instanceId, { when: "after", commit });
      const id = await start(tenant, instanceId);
      await until("it dies", () => crash.crashed);
      await runInDurableObject(runnerOf(instanceId), (runner) => {
        runner.now = () => Date.now() + 28_000;
      });
      const last = (await messagesOf(tenant, id)).at(-1) ?? "";
      await runnerOf(instanceId).wake();
      expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
      const lines = await messagesOf(tenant, id);
      stoppedAfter[last.replace(/ in .*/, "")] = lines.filter((line) =>
        INTERRUPTED.test(line),
      ).length;
      expect(lines.at(-1)).toBe("Succeeded.");
    }
    expect(stoppedAfter).toEqual({
      "": 0,
      "Started.": 1,
      "Applying.": 1,
      "Creating box.": 1,
      "Created box": 1,
      "Succeeded.": 0,
    });
  });

  it("says so too if a step was due while the service was away", async () => {
    const { targetId, instanceId } = await make(
      "resources: { app: { type: mock:Server, properties: { name: app } } }\n",
      { readyAfterMs: 3_600_000 },
    );
    const id = await start(tenant, instanceId);
    await until("it waits", async () =>
      (await messagesOf(tenant, id)).some((line) => line.includes("in progress at the provider")),
    );
    await runInDurableObject(runnerOf(instanceId), (_, state) => {
      state.abort("a crash that the test plans");
    }).catch(() => undefined);
    // Ready at the next poll: the clock that is set forward would delay another one.
    await letBecomeReady(targetId);
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      runner.now = () => Date.now() + 28_000;
    });
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
    expect((await messagesOf(tenant, id)).join("\n")).toMatch(
      /The service was interrupted for [23]\d s; resumed from the journal\./,
    );
  });
});
