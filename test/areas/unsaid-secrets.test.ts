/**
 * Secrets that a provider repeats, in an error or in a read value, are not revealed. Also the size limit of
 * plans.
 */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { makePlan } from "#engine/plan/plan.ts";
import type { InstanceState, StoredResource } from "#engine/state/state.ts";
import { redact, reveal, Secret } from "#engine/value.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { Program } from "#orchestrator/program/program.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run, RunSpec } from "#orchestrator/storage/run.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { newId } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";

const bindings: Bindings = env;
const nothing: InstanceState = { serial: 0, current: new Map(), pendingDeletes: [] };

async function programOf(source: string, variables: JsonMap): Promise<Program> {
  const parts = { env, sealer: sealerFrom(bindings.SEALING_KEYS), now: () => 0 };
  const run = { deploymentId: newId(), tenantId: newId(), instanceId: newId() };
  const target = { id: newId(), tenantId: run.tenantId, name: "t", provider: "mock", config: {} };
  const inputs = {
    instance: { name: "unsaid" },
    tenantSlug: "unsaid",
    target: {
      ...target,
      environment: "any",
      region: "local-1",
      allowedRegions: ["*"],
      credentialRef: null,
    },
    variables,
  };
  const spec = { operation: "deploy", inputs, source, types: {} };
  return Program.load(parts as RunnerParts, run as Run, spec as unknown as RunSpec);
}

describe("a provider that repeats a secret", () => {
  const source = `config:
  password: { type: string, secret: true }
resources:
  db:
    type: mock:Database
    properties:
      name: db
      url: "pg://\${password}"
      pepper: { fn::secret: grind-it-fine }
outputs:
  connection: \${db.connection}
  name: \${db.name}
`;

  it("in an error does not reveal it in a log, deployment or event", async () => {
    const program = await programOf(source, { password: 'open "sesame"' });
    const properties = reveal(program.properties("db", nothing)) as JsonMap;
    const fetch = async (request: Request) =>
      Response.json(
        { code: "weak", message: `Not this: ${await request.text()}` },
        { status: 422 },
      );
    const call = { type: "mock:Database", name: "db", properties, token: "t" };
    const said = await program.provider.create({ ...program.context, fetch }, call);
    expect(said).toMatchObject({ kind: "failed", code: "weak" });
    expect(JSON.stringify(said)).toContain("Not this");
    expect(JSON.stringify(said)).not.toMatch(/sesame|grind/);
  });

  it("in a read value does not reveal it in an output", async () => {
    const program = await programOf(source, { password: "open-sesame" });
    const stored: StoredResource = {
      name: "db",
      type: "mock:Database",
      id: "db-1",
      objectName: "db",
      inputs: { name: "db", url: new Secret("pg://open-sesame") },
      outputs: { name: "db", connection: { uri: "see pg://open-sesame" } },
      dependsOn: [],
      protect: false,
      retainOnDelete: false,
      deleteSeconds: null,
      state: "ready",
    };
    const outputs = program.outputs({ ...nothing, current: new Map([["db", stored]]) });
    expect(redact(outputs)).toEqual({ connection: "[secret]", name: "db" });
  });
});

it("a value that cannot be computed is reported with its place and a hint", async () => {
  const source = `config: { list: { type: array } }
resources:
  a: { type: mock:Bucket, properties: { name: "x\${list}" } }
outputs:
  o: \${list[2]}
`;
  const program = await programOf(source, { list: ["only"] });
  expect(() => makePlan(program.planInput(nothing))).toThrow(
    "${list} is a list and cannot be part of a string. Make the reference the whole string, or use fn::toJSON or fn::join. See line 3 of the template.",
  );
  expect(() => program.properties("a", nothing)).toThrow("See line 3 of the template.");
  expect(() => program.outputs(nothing)).toThrow(
    "the list is shorter. See line 5 of the template.",
  );
});

it("a plan's values are limited together, not for each resource", async () => {
  const buckets = ["a", "b", "c"].map(
    (name) => `  ${name}: { type: mock:Bucket, properties: { name: ${name}, note: "x\${big}" } }\n`,
  );
  const source = `config: { big: { type: string } }\nresources:\n${buckets.join("")}`;
  const planned = async (big: string) =>
    makePlan((await programOf(source, { big })).planInput(nothing)).summary.create;
  expect(await planned("x")).toBe(3);
  await expect(planned("x".repeat(400_000))).rejects.toThrow("exceed");
});
