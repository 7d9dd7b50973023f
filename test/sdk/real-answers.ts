/** Answers of a running service to a first deployment, by operation. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { localService } from "../processes/local-service.ts";
import { startService } from "../processes/service-process.ts";

const SOURCE = `config:
  size: { type: integer, default: 1 }
resources:
  net: { type: "mock:Network", properties: { name: shop } }
outputs:
  network: \${net.name}
`;

export async function realAnswers(
  reads: readonly { operationId: string; path: string }[],
): Promise<[operationId: string, body: unknown][]> {
  const directory = await mkdtemp(path.join(tmpdir(), "control-api-sdk-"));
  const service = await startService(await localService(directory));
  try {
    const answers: [string, unknown][] = [];
    const send = async (operationId: string, method: string, at: string, body?: object) => {
      const answer = await fetch(`${service.address}${at}`, {
        method,
        headers: {
          authorization: `Bearer ${service.operatorKey}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          // Waits for the end of what it starts.
          prefer: "wait=20",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${text}`);
      const read = JSON.parse(text) as { id: string };
      answers.push([operationId, read]);
      return read;
    };
    const post = async (operationId: string, at: string, body?: object) =>
      send(operationId, "POST", `/api/v1${at}`, body);
    const tenant = {
      tenantId: (await post("createTenant", "/tenants", { name: "Sdk", slug: "sdk" })).id,
    };
    const target = await post("createCloudTarget", "/cloud/targets", {
      ...tenant,
      provider: "mock",
      name: "test",
      config: {},
      allowedRegions: ["local-1"],
      defaultRegion: "local-1",
    });
    const template = await post("createTemplate", "/templates", {
      ...tenant,
      name: "shop",
      source: SOURCE,
    });
    const instance = await post("createInstance", "/instances", {
      ...tenant,
      name: "shop",
      templateId: template.id,
      targetId: target.id,
    });
    const webhook = await post("createWebhook", "/webhooks", {
      ...tenant,
      url: "https://hooks.example.com/in",
      events: ["license.expired"],
    });
    await post("rotateWebhookSecret", `/webhooks/${webhook.id}/rotate-secret`);
    const deployment = await post("deployInstance", `/instances/${instance.id}/deploy`);
    for (const [operationId, at] of [
      ["getCloudTarget", `/cloud/targets/${target.id}`],
      ["getTemplate", `/templates/${template.id}`],
      ["getInstance", `/instances/${instance.id}`],
      ["getInstanceOutputs", `/instances/${instance.id}/outputs`],
      ["getDeployment", `/deployments/${deployment.id}`],
      ["getDeploymentPlan", `/deployments/${deployment.id}/plan`],
      ["getDeploymentLog", `/deployments/${deployment.id}/log`],
      ["getWebhook", `/webhooks/${webhook.id}`],
    ] as const)
      await send(operationId, "GET", `/api/v1${at}`);
    for (const { operationId, path: at } of reads) await send(operationId, "GET", at);
    return answers;
  } finally {
    service.kill("SIGTERM");
    await service.exited;
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}
