import {
  type Client,
  type Deployment,
  type LogEntry,
  type Resource,
  type Summary,
} from "../client/client.ts";
import {
  setUpApprover,
  setUpInstance,
  setUpTemplate,
  setUpTenant,
} from "../client/tenant-setup.ts";
import type { Receiver } from "../receiver/receiver.ts";
import { eventProblems } from "./event-check.ts";

/** Of the example outside production. Two are web servers, which a loop makes. */
const RESOURCES = 13;
/** With the monitor, which has a condition. */
const RESOURCES_IN_PRODUCTION = RESOURCES + 1;
const EVENTS_WITHIN_MS = 15_000;
/** The number of resources at the kill of the service. */
const KILLED_AFTER = 4;

/** A cloud with realistic latency, and one that also fails in every way that a retry must recover from. */
const stableCloud = { latencyMs: 60, readyAfterMs: 300 };
const flakyCloud = {
  ...stableCloud,
  faults: [
    { kind: "networks", on: "create", times: 2, status: 503 },
    { kind: "databases", on: "create", times: 1, status: 0, effect: "after" },
    { kind: "servers", name: "flaky-api", on: "create", times: 1, status: 429 },
    { kind: "records", on: "read", times: 1, status: 500 },
  ],
};

interface DemoRun {
  title: string;
  deployment: Deployment;
  retries: number;
  tookMs: number;
}

export interface DemoOptions {
  address: string;
  operatorKey: string;
  receiver: Receiver;
  sinceStart: () => number;
  /** Kills the service with SIGKILL and starts it again on the same state. */
  killAndRestart: () => Promise<void>;
}

/** Runs the demo with live output and returns the failed checks. */
export async function runScenario(options: DemoOptions): Promise<string[]> {
  const { receiver } = options;
  const failures: string[] = [];
  const runs: DemoRun[] = [];
  const check = (passed: boolean, failure: string): void => {
    if (!passed) failures.push(failure);
  };

  heading("A tenant, its API key, another person, a webhook, the template");
  const { address, operatorKey } = options;
  const { client, tenantId, webhookId } = await setUpTenant(address, operatorKey, receiver);
  const approver = await setUpApprover(address, operatorKey, tenantId);
  const templateId = await setUpTemplate(client, "three-tier.yaml");
  const stable = await setUpInstance(client, { name: "shop", templateId, config: stableCloud });
  const flaky = await setUpInstance(client, { name: "flaky", templateId, config: flakyCloud });
  console.log(
    "  examples/three-tier.yaml with one instance on a stable cloud and one on a flaky cloud\n" +
      "  A loop makes its web servers, and a condition its monitor in production",
  );

  const run = async (
    title: string,
    instanceId: string,
    operation: "plan" | "deploy" | "destroy",
    expected: Partial<Summary>,
    during: During = {},
  ): Promise<DemoRun> => {
    heading(title);
    const result = await runOperation(client, title, { instanceId, operation, ...during });
    runs.push(result);
    const { state, summary, error } = result.deployment;
    check(
      state === "SUCCEEDED",
      `${title}: ended as ${state}${error === null ? "" : ` (${error.message})`}.`,
    );
    for (const [action, count] of Object.entries(expected))
      check(
        summary?.[action as keyof Summary] === count,
        `${title}: expected ${count} to ${action}; the plan has ${JSON.stringify(summary)}.`,
      );
    return result;
  };
  const resourcesOf = async (instanceId: string, expected: number): Promise<void> => {
    const { data } = await client.get<{ data: Resource[] }>(`/instances/${instanceId}/resources`);
    const ids = new Set(data.map(({ id }) => id));
    check(
      ids.size === expected && data.length === expected,
      `Expected ${expected} resources; there are ${data.length} with ${ids.size} ids.`,
    );
  };

  await run("Plan", stable, "plan", { create: RESOURCES, delete: 0 });
  let kills = 0;
  await run(
    "Deploy, killed in the middle",
    stable,
    "deploy",
    { create: RESOURCES },
    {
      onCreated: async (count) => {
        if (count !== KILLED_AFTER) return;
        kills += 1;
        console.log("          ! The demo kills the service with SIGKILL and starts it again.");
        await options.killAndRestart();
      },
    },
  );
  check(kills === 1, "The service was not killed in the middle of the deployment.");
  await resourcesOf(stable, RESOURCES);
  const first = await outputsOf(client, stable);
  check(first["webUrl"] === "https://www.shop.example", "The output webUrl is wrong.");
  check(first["monitorId"] === "none", "There is a monitor outside production.");
  const webServers = Object.keys(first["webServerIds"] ?? {});
  check(webServers.join(" ") === "a b", `The loop made the web servers ${webServers.join(" ")}.`);

  await client.patch(`/instances/${stable}`, {
    variables: { image: "debian-14", size: "medium", environment: "production" },
    approvalMode: "always",
  });
  let approvals = 0;
  await run(
    "Go to production, with approval",
    stable,
    "deploy",
    { create: 1, update: 4, replace: 1, delete: 0 },
    {
      onWaiting: async (id) => {
        approvals += 1;
        await printPlan(client, id);
        const own = await client.post(`/deployments/${id}/approve`).then(
          () => "accepted",
          (error: unknown) => String((error as { code?: unknown }).code),
        );
        check(own === "forbidden", `The requester's own approval was ${own}.`);
        console.log("    The requester may not approve it; another person does.");
        await approver.post(`/deployments/${id}/approve`);
      },
    },
  );
  check(approvals === 1, "The deployment did not wait for approval.");
  await resourcesOf(stable, RESOURCES_IN_PRODUCTION);
  const second = await outputsOf(client, stable);
  check(second["databaseId"] === first["databaseId"], "The database was replaced.");
  check(second["apiServerId"] !== first["apiServerId"], "The API server was not replaced.");
  check(second["monitorId"] !== "none", "There is no monitor in production.");

  const recovered = await run("Deploy to the flaky cloud", flaky, "deploy", { create: RESOURCES });
  await resourcesOf(flaky, RESOURCES);
  check(recovered.retries === 4, `Expected 4 retries; there were ${recovered.retries}.`);

  await run(
    "Destroy, with approval",
    stable,
    "destroy",
    { delete: RESOURCES_IN_PRODUCTION },
    {
      onWaiting: (id) => approver.post(`/deployments/${id}/approve`),
    },
  );
  await resourcesOf(stable, 0);
  await run("Destroy on the flaky cloud", flaky, "destroy", { delete: RESOURCES });
  await resourcesOf(flaky, 0);

  heading("Webhooks");
  const complete = await receiver.until(
    () => runs.every(({ deployment }) => eventProblems(deployment, receiver.verified).length === 0),
    EVENTS_WITHIN_MS,
  );
  if (!complete)
    for (const { deployment } of runs)
      failures.push(...eventProblems(deployment, receiver.verified));
  failures.push(...receiver.refused.map((reason) => `A webhook failed verification: ${reason}`));
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
    check(count.size === 2, `Expected 2 ${type} events; received ${count.size}.`);
  }
  console.log(
    `  ${ids().size} events received, ${receiver.verified.length} deliveries with a valid signature, ${receiver.refused.length} rejected`,
  );

  printSummary(runs, receiver, options.sinceStart());
  return failures;
}

/** The demo's actions in the middle of a run. */
interface During {
  /** Called after each created resource with their count. */
  onCreated?: (count: number) => Promise<void>;
  /** Called when the plan waits for approval. */
  onWaiting?: (deploymentId: string) => Promise<unknown>;
}

async function runOperation(
  client: Client,
  title: string,
  what: { instanceId: string; operation: "plan" | "deploy" | "destroy" } & During,
): Promise<DemoRun> {
  const { operation } = what;
  const startedAtMs = performance.now();
  const { id } = await client.post<Deployment>(`/instances/${what.instanceId}/${operation}`);
  let retries = 0;
  let created = 0;
  for await (const entry of client.followLog(id)) {
    if (/Retrying/.test(entry.message)) retries += 1;
    console.log(logLine(entry, performance.now() - startedAtMs));
    if (entry.message.startsWith("Created ")) await what.onCreated?.((created += 1));
    if (entry.message.startsWith("Waiting for approval")) await what.onWaiting?.(id);
  }
  const deployment = await untilEnded(client, id);
  if (operation === "plan") await printPlan(client, id);
  return { title, deployment, retries, tookMs: performance.now() - startedAtMs };
}

/** The log ends with the run; the deployment's row follows shortly after. */
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
  const text = await client.text(`/deployments/${id}/plan`);
  for (const line of text.trimEnd().split("\n")) console.log(line === "" ? "" : `    ${line}`);
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

function printSummary(runs: readonly DemoRun[], receiver: Receiver, tookMs: number): void {
  heading("Summary");
  for (const { title, deployment, retries, tookMs } of runs) {
    const changes = Object.entries(deployment.summary ?? {})
      .filter(([action, count]) => action !== "unchanged" && count > 0)
      .map(([action, count]) => `${count} ${action}`)
      .join(", ");
    console.log(
      `  ${title.padEnd(38)} ${deployment.state.padEnd(11)} ${changes.padEnd(31)} ${String(retries).padStart(2)} retries ${seconds(tookMs).padStart(8)}`,
    );
  }
  const count = (total: number): string => String(total).padStart(5);
  const retries = runs.reduce((sum, result) => sum + result.retries, 0);
  const changed = runs.reduce(
    (sum, { deployment: { operation, summary } }) =>
      operation === "plan" || summary === null
        ? sum
        : sum + summary.create + summary.update + summary.replace + summary.delete,
    0,
  );
  console.log(`
  deployments        ${count(runs.length)}
  resources changed  ${count(changed)}
  retries            ${count(retries)}
  webhooks received  ${count(receiver.verified.length + receiver.refused.length)}
  webhooks verified  ${count(receiver.verified.length)}
  total time         ${seconds(tookMs)}`);
}
