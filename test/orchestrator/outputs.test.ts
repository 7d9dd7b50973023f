/** Outputs that cannot be computed: the plan reports them if it can, and applied changes stay a success. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";
import { messagesOf } from "#test/support/runner.ts";
import { sweep } from "#test/support/triggers.ts";

const tenant = await makeTenant();

const make = async (source: string, more: JsonMap = {}) => {
  const targetId = await makeTarget(tenant);
  const templateId = await makeTemplate(tenant, source);
  const id = await makeInstance(tenant, templateId, targetId, more);
  return { id, targetId, templateId };
};
const deploy = async (id: string) => (await run(tenant, id, "deploy")).body;
const eventsOf = async (id: string): Promise<{ type: string; data: JsonMap }[]> => {
  const { results } = await env.DB.prepare(
    "SELECT payload FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
  )
    .bind(id)
    .all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload));
};

it("a plan fails with an output that must fail, before anything is applied", async () => {
  const { id, targetId } = await make(
    `config: { at: { type: integer } }
resources:
  net: { type: mock:Network, properties: { name: net } }
outputs:
  fine: "\${net.id}"
  picked: { "fn::select": ["\${at}", ["\${net.id}", "\${net.status}"]] }
`,
    { variables: { at: 2 } },
  );
  for (const operation of ["plan", "deploy"] as const) {
    const { body } = await run(tenant, id, operation);
    expect(body).toMatchObject({
      state: "FAILED",
      outputsError: null,
      error: {
        code: "invalid_argument",
        fault: "user",
        message: expect.stringMatching(
          /^The output picked cannot be computed: .* takes an index within the list\. See line 6 /,
        ),
      },
    });
    expect(body.timestamps).not.toHaveProperty("APPLYING");
  }
  expect(await ledger(targetId)).toEqual([]);
  expect((await tenant.get(`/instances/${id}`)).body).toMatchObject({
    state: "INITIALIZED",
    outputsStaleSince: null,
  });
  await tenant.patch(`/instances/${id}`, { variables: { at: 1 } });
  expect((await deploy(id)).state).toBe("SUCCEEDED");
});

it("a template is refused if the type of an output says that it must fail", async () => {
  const source = (output: string) =>
    `resources: { web: { type: mock:Server, properties: { name: web } } }\noutputs: { o: ${output} }\n`;
  for (const output of [
    '"${web.environment} or so"',
    '"${web.tags.first}"',
    '"${web.id.length}"',
    '{ "fn::split": [",", "${web.tags}"] }',
    '"all of ${web}"',
  ]) {
    const { body } = await tenant.post("/templates/validate", { source: source(output) });
    expect([output, body.valid]).toEqual([output, false]);
  }
  const good =
    '{ "fn::join": ["-", ["${web.id}", "${web.status}", { "fn::length": "${web.tags}" }]] }';
  expect((await tenant.post("/templates/validate", { source: source(good) })).body).toMatchObject({
    valid: true,
  });
});

const source = (image: string, output: string) => `resources:
  web: { type: mock:Server, properties: { name: web, image: ${image} } }
outputs:
  image: "\${web.image}"
  late: ${output}
`;
/** Only the answer of the cloud to the create of the new server shows that it is a string. */
const failing = '"${web.status.code}"';

it("an output that fails after apply leaves a success, the last outputs marked stale, and readers asleep", async () => {
  const { id, templateId, targetId } = await make(source("one", "ready"));
  expect((await deploy(id)).outputsError).toBeNull();
  const reader = await makeInstance(
    tenant,
    await makeTemplate(
      tenant,
      'config: { in: { type: string } }\nresources: { rec: { type: mock:Record, properties: { name: "${in}" } } }\n',
    ),
    targetId,
    { bindings: { in: { instanceId: id, output: "image" } } },
  );
  await tenant.post(`/instances/${reader}/triggers`, { kind: "upstream_output" });
  expect((await deploy(reader)).state).toBe("SUCCEEDED");
  await sweep(tenant, Date.now() + 1);
  const triggersOfReader = async () =>
    (await tenant.get(`/instances/${reader}/triggers`)).body.data;
  const asleep = await triggersOfReader();
  expect(asleep).toMatchObject([{ nextFireAt: null, suppressedReason: "unchanged" }]);

  await addVersion(tenant, id, templateId, source("two", failing));
  const first = await deploy(id);
  expect(first).toMatchObject({
    state: "SUCCEEDED",
    error: null,
    outputsError: { code: "path_not_found", output: "late" },
  });
  expect(first.outputsError.message).toContain("The output late cannot be computed");
  expect((await messagesOf(tenant, first.id)).join("\n")).toContain(
    "The outputs stay as they were",
  );
  expect((await eventsOf(first.id)).at(-1)).toMatchObject({
    type: "deployment.succeeded",
    data: { outputsError: { code: "path_not_found", output: "late" } },
  });
  const stale = (await tenant.get(`/instances/${id}`)).body;
  expect(stale).toMatchObject({ state: "ACTIVE", outputs: { image: "one", late: "ready" } });
  expect(Date.parse(stale.outputsStaleSince)).toBeGreaterThan(0);
  expect((await tenant.get(`/instances/${id}/outputs`)).body).toMatchObject({
    outputs: { image: "one", late: "ready" },
    outputsStaleSince: stale.outputsStaleSince,
  });

  // No reader is woken, and a reader's deploy uses the last values.
  expect(await triggersOfReader()).toEqual(asleep);
  expect((await deploy(reader)).state).toBe("NO_CHANGES");

  // Still stale since then after another one.
  await addVersion(tenant, id, templateId, source("three", failing));
  expect((await deploy(id)).outputsError).not.toBeNull();
  expect((await tenant.get(`/instances/${id}`)).body.outputsStaleSince).toBe(
    stale.outputsStaleSince,
  );
  // Stale outputs do not prevent a plan, because other changes must be possible.
  expect(await deploy(id)).toMatchObject({
    state: "NO_CHANGES",
    error: null,
    outputsError: { code: "path_not_found" },
  });

  await addVersion(tenant, id, templateId, source("three", '"${web.status}"'));
  expect(await deploy(id)).toMatchObject({ state: "NO_CHANGES", outputsError: null });
  expect((await tenant.get(`/instances/${id}`)).body).toMatchObject({
    outputs: { image: "three", late: "ready" },
    outputsStaleSince: null,
  });
});

it("outputs that turn out too large do the same; a destroy has none and clears the mark", async () => {
  const large = "x".repeat(60_000);
  const { id } = await make(
    `config: { text: { type: string } }
resources:
  web: { type: mock:Server, properties: { name: web, image: "\${text}" } }
outputs:
  a: ["\${web}", "\${web}", "\${web}", "\${web}", "\${web}", "\${web}"]
`,
    { variables: { text: large } },
  );
  const over = await deploy(id);
  expect(over).toMatchObject({ state: "SUCCEEDED", outputsError: { code: "outputs_too_large" } });
  expect(over.outputsError).not.toHaveProperty("output");
  expect((await tenant.get(`/instances/${id}`)).body.outputsStaleSince).not.toBeNull();
  expect((await run(tenant, id, "destroy")).body.state).toBe("SUCCEEDED");
  expect((await tenant.get(`/instances/${id}`)).body).toMatchObject({
    outputs: {},
    outputsStaleSince: null,
  });
});
