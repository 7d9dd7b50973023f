import {
  type Client,
  type Deployment,
  type LogEntry,
  type PlannedChange,
  type Resource,
  type Summary,
} from "./client.ts";
import { eventFaults } from "./event-check.ts";
import type { Receiver } from "./receiver.ts";
import { setUpInstance, setUpTemplate, setUpTenant } from "./tenant-setup.ts";

const RESOURCES = 12;
const EVENTS_WITHIN_MS = 15_000;

/** A cloud as slow as a quick one, and one that fails in every way that a retry must mend. */
const calmCloud = { latencyMs: 60, readyAfterMs: 300 };
const flakyCloud = {
  ...calmCloud,
  faults: [
    { kind: "networks", on: "create", times: 2, status: 503 },
    { kind: "databases", on: "create", times: 1, status: 0, effect: "after" },
    { kind: "servers", name: "flaky-api", on: "create", times: 1, status: 429 },
    { kind: "records", on: "read", times: 1, status: 500 },
  ],
};

interface Act {
  title: string;
  deployment: Deployment;
  retries: number;
  tookMs: number;
}

export interface Stage {
  address: string;
  operatorKey: string;
  receiver: Receiver;
  sinceStart: () => number;
}

/** Plays the demo and prints it live. Answers what was not as it should be: nothing, when all is well. */
export async function tellStory(stage: Stage): Promise<string[]> {
  const { receiver } = stage;
  const faults: string[] = [];
  const acts: Act[] = [];
  const check = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };

  heading("A tenant, its API key, a webhook, the template");
  const { client, webhookId } = await setUpTenant(stage.address, stage.operatorKey, receiver);
  const templateId = await setUpTemplate(client, "three-tier.yaml");
  const calm = await setUpInstance(client, { name: "shop", templateId, config: calmCloud });
  const flaky = await setUpInstance(client, { name: "flaky", templateId, config: flakyCloud });
  console.log("  examples/three-tier.yaml, an instance on a calm cloud and one on a flaky cloud");

  const run = async (
    title: string,
    instanceId: string,
    operation: "plan" | "deploy" | "destroy",
    expected: Partial<Summary>,
  ): Promise<Act> => {
    heading(title);
    const act = await perform(client, title, instanceId, operation);
    acts.push(act);
    const { state, summary, error } = act.deployment;
    check(
      state === "SUCCEEDED",
      `${title}: it ended as ${state}${error === null ? "" : ` (${error.message})`}.`,
    );
    for (const [action, count] of Object.entries(expected))
      check(
        summary?.[action as keyof Summary] === count,
        `${title}: ${count} to ${action} expected, the plan has ${JSON.stringify(summary)}.`,
      );
    return act;
  };
  const resourcesOf = async (instanceId: string, expected: number): Promise<void> => {
    const { data } = await client.get<{ data: Resource[] }>(`/instances/${instanceId}/resources`);
    const ids = new Set(data.map(({ id }) => id));
    check(
      ids.size === expected && data.length === expected,
      `${expected} resources expected, there are ${data.length} with ${ids.size} ids.`,
    );
  };

  await run("Plan", calm, "plan", { create: RESOURCES, delete: 0 });
  await run("Deploy", calm, "deploy", { create: RESOURCES });
  await resourcesOf(calm, RESOURCES);
  const first = await outputsOf(client, calm);
  check(first["webUrl"] === "https://www.shop.example", "The output webUrl is not the web's.");

  await client.patch(`/instances/${calm}`, { variables: { image: "debian-14", size: "medium" } });
  await run("Deploy a changed image and size", calm, "deploy", {
    create: 0,
    update: 3,
    replace: 1,
    delete: 0,
  });
  await resourcesOf(calm, RESOURCES);
  const second = await outputsOf(client, calm);
  check(second["databaseId"] === first["databaseId"], "The database was replaced.");
  check(second["apiServerId"] !== first["apiServerId"], "The API's server was not replaced.");

  const mended = await run("Deploy to the flaky cloud", flaky, "deploy", { create: RESOURCES });
  await resourcesOf(flaky, RESOURCES);
  check(mended.retries === 4, `4 retries expected, there were ${mended.retries}.`);

  await run("Destroy", calm, "destroy", { delete: RESOURCES });
  await resourcesOf(calm, 0);
  await run("Destroy what is on the flaky cloud", flaky, "destroy", { delete: RESOURCES });
  await resourcesOf(flaky, 0);

  heading("Webhooks");
  const complete = await receiver.until(
    () => acts.every(({ deployment }) => eventFaults(deployment, receiver.verified).length === 0),
    EVENTS_WITHIN_MS,
  );
  if (!complete)
    for (const { deployment } of acts) faults.push(...eventFaults(deployment, receiver.verified));
  faults.push(...receiver.refused.map((reason) => `A webhook did not verify: ${reason}`));
  const deliveries = await client.list<{ eventId: string; state: string }>(
    `/webhooks/${webhookId}/deliveries`,
  );
  const ids = (): Set<string> => new Set(receiver.verified.map(({ id }) => id));
  const lost = () => deliveries.filter(({ eventId }) => !ids().has(eventId)).length;
  await receiver.until(() => lost() === 0, EVENTS_WITHIN_MS);
  check(lost() === 0, `${lost()} of ${deliveries.length} events did not arrive.`);
  for (const type of ["instance.created", "instance.destroyed"]) {
    const count = new Set(
      receiver.verified.filter((event) => event.type === type).map(({ id }) => id),
    );
    check(count.size === 2, `2 events ${type} expected, ${count.size} received.`);
  }
  console.log(
    `  ${ids().size} events received, ${receiver.verified.length} deliveries with a good signature, ${receiver.refused.length} without`,
  );

  printSummary(acts, receiver, stage.sinceStart());
  return faults;
}

async function perform(
  client: Client,
  title: string,
  instanceId: string,
  operation: "plan" | "deploy" | "destroy",
): Promise<Act> {
  const startedAtMs = performance.now();
  const { id } = await client.post<Deployment>(`/instances/${instanceId}/${operation}`);
  let retries = 0;
  for await (const entry of client.followLog(id)) {
    if (/Retrying/.test(entry.message)) retries += 1;
    console.log(logLine(entry, performance.now() - startedAtMs));
  }
  const deployment = await untilEnded(client, id);
  if (operation === "plan") await printPlan(client, id);
  return { title, deployment, retries, tookMs: performance.now() - startedAtMs };
}

/** The log ends with the run; what people query follows within moments. */
async function untilEnded(client: Client, id: string): Promise<Deployment> {
  const open = new Set(["QUEUED", "PLANNING", "APPLYING", "CANCELING"]);
  for (let tries = 0; ; tries += 1) {
    const deployment = await client.get<Deployment>(`/deployments/${id}`);
    if (!open.has(deployment.state) || tries === 100) return deployment;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

async function printPlan(client: Client, id: string): Promise<void> {
  const plan = await client.get<{ planHash: string; changes: PlannedChange[] }>(
    `/deployments/${id}/plan`,
  );
  for (const { action, resource, type } of plan.changes)
    console.log(`    ${action.padEnd(9)} ${resource.padEnd(14)} ${type}`);
  console.log(`    plan hash ${plan.planHash}`);
}

async function outputsOf(client: Client, instanceId: string): Promise<Record<string, unknown>> {
  const { outputs } = await client.get<{ outputs: Record<string, unknown> }>(
    `/instances/${instanceId}`,
  );
  console.log("  Outputs");
  for (const [name, value] of Object.entries(outputs))
    console.log(
      `    ${name.padEnd(14)} ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
  return outputs;
}

function heading(title: string): void {
  console.log(`\n${title}`);
}

function logLine({ level, message }: LogEntry, elapsedMs: number): string {
  const mark = level === "info" ? " " : "!";
  return `  ${seconds(elapsedMs).padStart(7)} ${mark} ${message}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function printSummary(acts: readonly Act[], receiver: Receiver, tookMs: number): void {
  heading("Summary");
  for (const { title, deployment, retries, tookMs } of acts) {
    const changes = Object.entries(deployment.summary ?? {})
      .filter(([action, count]) => action !== "unchanged" && count > 0)
      .map(([action, count]) => `${count} ${action}`)
      .join(", ");
    console.log(
      `  ${title.padEnd(36)} ${deployment.state.padEnd(11)} ${changes.padEnd(22)} ${String(retries).padStart(2)} retries ${seconds(tookMs).padStart(8)}`,
    );
  }
  const count = (total: number): string => String(total).padStart(5);
  const retries = acts.reduce((sum, act) => sum + act.retries, 0);
  const changed = acts.reduce(
    (sum, { deployment: { operation, summary } }) =>
      operation === "plan" || summary === null
        ? sum
        : sum + summary.create + summary.update + summary.replace + summary.delete,
    0,
  );
  console.log(`
  deployments        ${count(acts.length)}
  resources changed  ${count(changed)}
  retries            ${count(retries)}
  webhooks received  ${count(receiver.verified.length + receiver.refused.length)}
  webhooks verified  ${count(receiver.verified.length)}
  total time         ${seconds(tookMs)}`);
}
