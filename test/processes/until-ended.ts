import type { Client, Deployment, LogEntry } from "../../scripts/client.ts";

const ENDED_WITHIN_MS = 60_000;

/** The deployment once it has ended or waits for approval. Throws with the end of its log after a minute. */
export async function untilEnded(client: Client, id: string): Promise<Deployment> {
  const until = performance.now() + ENDED_WITHIN_MS;
  for (;;) {
    const deployment = await client.get<Deployment>(`/deployments/${id}`);
    if (!["QUEUED", "PLANNING", "APPLYING", "CANCELING"].includes(deployment.state))
      return deployment;
    if (performance.now() > until) {
      const { data } = await client.get<{ data: LogEntry[] }>(`/deployments/${id}/log`);
      throw new Error(
        `The deployment is still ${deployment.state}; its log ends with: ${data
          .slice(-5)
          .map(({ message }) => message)
          .join(" ")}`,
      );
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
}
