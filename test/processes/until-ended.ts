import type { Client, Deployment, LogEntry } from "../../scripts/client/client.ts";
import { pause } from "./pause.ts";

/** The deployment once it has ended or waits for approval. Throws with the end of its log when that takes longer. */
export async function untilEnded(
  client: Client,
  id: string,
  withinMs = 60_000,
): Promise<Deployment> {
  const until = performance.now() + withinMs;
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
    await pause(200);
  }
}
