import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

/**
 * What the target's mock cloud is still making becomes ready now. A test that needs something unready gives the cloud a
 * `readyAfterMs` that nobody waits for, and ends it with this.
 */
export async function letBecomeReady(targetId: string): Promise<void> {
  const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
  await runInDurableObject(cloud, (_, { storage }) => {
    storage.sql.exec("UPDATE objects SET ready_at_ms = 0");
  });
}
