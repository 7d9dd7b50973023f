import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

/**
 * The target's mock cloud ends every wait: its unready objects become ready now. A test that needs an unready object
 * gives the cloud a long `readyAfterMs`, and ends it with this.
 */
export async function letBecomeReady(targetId: string): Promise<void> {
  const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
  await runInDurableObject(cloud, (_, { storage }) => {
    storage.sql.exec("UPDATE objects SET ready_at_ms = 0");
  });
}
